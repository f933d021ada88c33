"""Names that are markup, in all that a journal, a result or a fault file can hold, in a browser."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from model.core.journal.file import SCHEMA
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views.page.html import write
from model.views.recording import Selection, read_recordings
from model.views.show import Source, show
from tests.journaled import compared

MARKUP = (
    "<img src=x onerror=globalThis.hacked=1></script><script>globalThis.hacked=2</script>"
    "<b class=hostile style=color:red onclick=globalThis.hacked=3>x</b>"
)
#: A network, a design whose servents gauge, count and show, and rules of one's own.
MINE = f'''
from topologies.managers.man import man
from topologies.networks.star import star
from agents.pnr.protocol import Manager, Protocol
import networkx as nx

MARKUP = {MARKUP!r}


class Gauging(Manager):
    """<img src=x onerror=globalThis.hacked=4> Gauges what it hears."""

    shows = ("told",)
    told = MARKUP

    def receive(self, sender, content, now_ns):
        self.gauge(MARKUP, sender)
        self.count(MARKUP)
        return super().receive(sender, content, now_ns)


def mine(nodes):
    graph = man(nodes)
    graph.graph |= {{"name": MARKUP, "protocol": Protocol(manager=Gauging)}}
    return graph


def network(nodes, *links):
    graph = star(nodes, *links)
    others = [name for name in graph if not isinstance(name, int)]
    return nx.relabel_nodes(graph, {{name: MARKUP for name in others}})
'''
JOBS = [{"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.02}]
#: What the page has of the names: whether anything ran, was parsed as markup, or is a violation.
PARSED = """() => [globalThis.hacked ?? null,
    document.querySelectorAll("img[src=x], .hostile, [onclick], [onerror]").length,
    document.querySelectorAll("script:not([src])").length]"""
EVERYTHING = """() => {
    for (const lane of page.lanes) {
        lane.element.scrollIntoView();
        for (let y = 2; y < lane.height; y += 7) {
            for (let x = 120; x < page.width; x += 40) lane.at?.(x, y);
        }
    }
    for (const one of document.querySelectorAll("details")) one.open = true;
    for (const one of document.querySelectorAll("#filters button, .lane button")) one.click();
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report with its page of messages, and a journal with names of its own."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "mine.py").write_text(MINE)
    scenario = make_scenario(
        nodes=3,
        job=JOBS,
        designs=[f"{folder}/mine.py:mine", "MAN", "DP"],
        topology=f"{folder}/mine.py:network",
        page_bytes=2**20,
        minimum_demand_s=0.001,
    )
    report = folder / "report.html"
    compared(scenario, journal=folder / "run.parquet", report=report, plane="actors")
    shared = make_sharing_scenario(system="memory", nodes=5, jobs=5, policies=["CPU_RE"])
    compared(shared, journal=folder / "shared.parquet", plane="actors")
    for name in ("run", "shared"):
        with_markup(folder / f"{name}.parquet", folder / f"hostile-{name}.parquet")
    return folder


def with_markup(journal, file):
    """Write the journal with markup behind every word that need not be one of ours."""
    table = pq.read_table(journal)
    metadata = {key: it for key, it in table.schema.metadata.items() if key != b"ARROW:schema"}
    managers = json.loads(metadata[b"managers"])
    metadata[b"managers"] = json.dumps({name + MARKUP: it for name, it in managers.items()})
    metadata[b"part"] = json.dumps([MARKUP])
    scenario = json.loads(metadata[b"scenario"])
    scenario |= {"trace": MARKUP} if scenario.get("job") is None and "trace" in scenario else {}
    metadata[b"scenario"] = json.dumps(scenario)
    for name in ("design", "what", "phase", "hears", "station"):
        words = table[name].cast(pa.string()).to_pylist()
        column = pa.array([None if word is None else word + MARKUP for word in words])
        column = column.dictionary_encode().cast(SCHEMA.field(name).type)
        table = table.set_column(SCHEMA.get_field_index(name), SCHEMA.field(name), column)
    kinds = table["kind"].cast(pa.string()).to_pylist()
    kinds = [kind + MARKUP if kind in ("decided", "computed") else kind for kind in kinds]
    column = pa.array(kinds).dictionary_encode().cast(SCHEMA.field("kind").type)
    table = table.set_column(SCHEMA.get_field_index("kind"), SCHEMA.field("kind"), column)
    pq.write_table(table.replace_schema_metadata(metadata), file)


@pytest.mark.parametrize("name", ["hostile-run", "hostile-shared"])
def test_the_page_shows_names_as_text(visit, folder, name):
    recordings = read_recordings(folder / f"{name}.parquet")
    write(recordings, Selection(), folder / f"{name}.html")
    page = visit((folder / f"{name}.html").as_uri())
    scripts = 4  # where it starts, the library, the names of its modules, and what begins
    assert page.evaluate(PARSED) == [None, 0, scripts]
    page.evaluate(EVERYTHING)
    page.mouse.move(700, 500)
    page.mouse.click(700, 500)
    assert page.evaluate(PARSED) == [None, 0, scripts]
    assert MARKUP in page.locator("#captions").inner_text()
    if len(recordings) > 1:
        assert MARKUP in page.locator(".lane h2").first.inner_text()


def test_the_report_and_its_messages_show_names_as_text(visit, browser, folder):
    page = visit((folder / "report-messages.html").as_uri())
    page.evaluate(EVERYTHING)
    assert page.evaluate(PARSED)[:2] == [None, 0]
    complaints = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto((folder / "report.html").as_uri())
    assert page.evaluate(PARSED) == [None, 0, 0]
    assert page.locator("h1").inner_text().count(MARKUP) == 1
    assert page.evaluate("getComputedStyle(document.querySelector('caption')).fontWeight") == "700"
    assert complaints == []
    page.close()


def test_all_pictures_on_one_page_show_names_as_text(browser, folder, monkeypatch, capsys):
    monkeypatch.setattr("model.views.gallery.PICTURES", {"gantt": "who runs?"})
    source = Source(folder / "hostile-run.parquet", make_scenario(), "MAN" + MARKUP, "all")
    show("all", source, Selection(), folder / "gallery.html")
    complaints = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto((folder / "gallery.html").as_uri())
    assert page.evaluate(PARSED) == [None, 0, 0]
    assert MARKUP in page.locator("h1").inner_text()
    assert page.evaluate("document.images[0].naturalWidth") > 100
    assert complaints == []
    page.close()


@pytest.mark.parametrize("page", ["report.html", "report-messages.html"])
def test_pages_have_no_style_or_script_but_those_of_their_hashes(folder, page):
    text = (folder / page).read_text("utf-8")
    policy = text.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "'sha256-" in policy


@pytest.fixture
def dashboard(start, folder):
    """The address at which the journal is replayed."""
    server = start("watch --port 0 hostile-run.parquet", stderr=None, cwd=folder)
    yield server.stdout.readline().split()[2]
    server.kill()
    server.communicate()


def test_the_dashboard_shows_names_as_text(visit, dashboard):
    page = visit(dashboard)
    page.get_by_role("button", name="step ▶").click()
    page.wait_for_function("() => document.body.dataset.waits === 'false'")
    page.locator("#open").click()
    assert page.evaluate(PARSED)[:2] == [None, 0]
    assert MARKUP in page.locator("#captions").inner_text()
