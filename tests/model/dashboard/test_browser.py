"""The dashboard in a real browser: Debian's chromium, headless.

Every wait is for a state of the page. Its last picture is kept in `.artifacts/`.
"""

import re
import signal
from pathlib import Path

import pytest

from model.core.journal.file import JournalFile
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario

ROOT = Path(__file__).parents[3]
PATIENCE_MS = 60_000  # the machine may be slow; how fast it answers, a benchmark says
AT_REST = "() => window.pnr?.picture && !pnr.waits && pnr.shown_ns === pnr.picture.at_ns"
PROTOCOL = "a protocol message arrives"
MINE = """
from topologies.managers.man import man


def mine(nodes):
    graph = man(nodes)
    graph.graph["name"] = "MINE"
    return graph
"""
BOXES = """() => [...document.querySelectorAll("header, main section")].map(it => {
    const {left, top, right, bottom} = it.getBoundingClientRect();
    return [left, top, right, bottom];
})"""
BRIGHTNESS = """() => ["color", "backgroundColor"].map(
    it => getComputedStyle(document.querySelector("section"))[it].match(/\\d+/g).slice(0, 3)
        .reduce((sum, one) => sum + +one, 0))"""
MIDDLE_OF_THE_LINK = """([network, message]) => {
    const [, start, end] = message[7][0];
    return placeOf(message, network, (start + end) / 2).at;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the dashboard is started, with a design, and a journal of the protocol."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "mine.py").write_text(MINE)
    jobs = [{"processes": 2, "memory_mb": 40, "demand_s": 3} for _ in range(3)]
    scenario = make_scenario(nodes=4, job=jobs, designs="CLI,MAN")
    file = JournalFile(folder / "run.parquet", scenario.model_dump_json(), {"MAN": [0, 1, 2, 3]})
    for name in scenario.designs:
        Cluster(scenario, name, (file.of(name),), "protocol").run()
    file.close()
    return folder


@pytest.fixture(scope="module")
def serve(start, folder):
    """Starts `run.py watch` there, and gives the address that it prints."""
    servers = []

    def serve(words):
        server = start(f"watch --port 0 {words}", stderr=None, cwd=folder)
        servers.append(server)
        server.address = re.search(r"http://\S+", server.stdout.readline()).group()
        return server

    yield serve
    for server in servers:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="module")
def server(serve):
    """A cluster of 128 nodes."""
    return serve("--nodes 128 --first 4621 --jobs 19 --ram 65 --designs MAN,CLI")


@pytest.fixture
def opened(browser):
    """Opens an address; at the end, the page must have complained of nothing and asked nobody."""
    pages, complaints, requests = [], [], []

    def opened(address, **options):
        page = browser.new_page(**{"viewport": {"width": 1600, "height": 1000}, **options})
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        rest(page)
        pages.append((page, address))
        return page

    yield opened
    for page, address in pages:
        kept = ROOT / ".artifacts"
        kept.mkdir(exist_ok=True)
        page.screenshot(path=kept / "dashboard.png", full_page=True)
        here = address.partition("?")[0]
        assert [it for it in requests if not it.startswith((here, "data:", "ws:"))] == []
        page.close()
    assert complaints == []


@pytest.fixture
def page(opened, server):
    """The page of 128 nodes, at the beginning and without motion."""
    page = opened(server.address)
    page.select_option("#pace", "0")
    page.select_option("#goal", PROTOCOL)
    go_to(page, "0")
    return page


def rest(page):
    """Wait until the page shows what it has asked for."""
    page.wait_for_function(AT_REST)


def step(page):
    page.click("#step")
    rest(page)


def go_to(page, time_s):
    page.fill("#seek", time_s)
    page.press("#seek", "Tab")
    page.wait_for_function(f"() => !pnr.waits && pnr.shown_ns === {round(float(time_s) * 1e9)}")


def begin(page, **values):
    """Fill in the form, and begin anew."""
    if page.locator("#form").is_hidden():
        page.click("#open")
    for name, value in values.items():
        field = page.locator(f'#form [name="{name.replace("_name", "-name")}"]')
        is_menu = field.evaluate("it => it.tagName") == "SELECT"
        field.select_option(value) if is_menu else field.fill(value)
    page.evaluate("window.stageBefore = pnr.stage")
    page.click("#form [type=submit]")
    page.wait_for_function("() => pnr.stage !== stageBefore || !complaint.hidden")
    rest(page)


def now_ns(page):
    """The emulated time that is shown."""
    return page.evaluate("pnr.shown_ns")


def text(page, selector):
    return page.locator(selector).first.inner_text()


def test_steps_lead_on_and_back(page):
    seen = [text(page, ".log")]
    for _ in range(4):
        step(page)
        assert "receives" in text(page, ".sentence")
        seen.append(text(page, ".log"))
    assert len({*seen}) == 5
    for before in reversed(seen[1:-1]):
        page.click("#back")
        rest(page)
        assert text(page, ".log") == before


def test_play_goes_on_until_pause_and_a_reload_with_it(page):
    page.select_option("#goal", "1 s")
    page.click("#play")
    page.wait_for_function("() => pnr.shown_ns >= 3e9")
    page.reload()
    page.wait_for_function("() => window.pnr?.plays && pnr.shown_ns > 4e9")
    page.click("#play")
    rest(page)
    stopped = now_ns(page)
    assert page.locator("#step").is_enabled()
    page.reload()
    rest(page)
    assert now_ns(page) == stopped
    assert not page.evaluate("pnr.plays")


def test_the_time_line_goes_back_and_forth(page):
    page.select_option("#goal", "10 s")
    step(page)
    step(page)
    page.fill("#time", "5000")  # as dragging does: the middle of 20 s
    page.wait_for_function("() => !pnr.waits && pnr.shown_ns === 10e9")
    assert "of 20.0 s so far" in text(page, "#end")
    page.fill("#time", "10000")
    page.wait_for_function("() => !pnr.waits && pnr.shown_ns === 20e9")


def test_a_click_on_a_line_of_the_log_goes_there(page):
    for _ in range(3):
        step(page)
    lines = page.locator(".log li button")
    submitted = lines.filter(has_text="job 4621 is submitted")
    number = submitted.get_attribute("data-number")
    submitted.click()
    page.wait_for_function(f"() => pnr.picture.runs[0].log[0][0] === {number}")
    assert "is submitted" in lines.first.inner_text()


def test_a_click_on_a_node_shows_it_even_in_the_middle_of_a_long_step(page):
    page.select_option("#goal", "a job moves")  # which none does
    page.click("#step")
    page.wait_for_function("() => pnr.waits && document.getElementById('end').innerText[0] === '…'")
    for node in (5, 77):
        page.locator(f'.network .node[data-node="{node}"] rect').click()
        page.locator(f".details .title:has-text('Node {node}:')").wait_for()
        assert page.evaluate("pnr.waits")  # it still looks
    page.click("#play")  # now it is Stop
    rest(page)


def test_messages_move_along_their_links(page):
    page.select_option("#goal", "RamRequest arrives")
    step(page)
    step(page)
    network = page.evaluate("pnr.stage.network")
    message = page.evaluate(
        "pnr.picture.runs[0].messages.find(it => it[1] === 'RamRequest' && it[7].length)"
    )
    line = message[7][0][3]
    middle = [sum(network["points"][it][axis] for it in line) / 2 for axis in (0, 1)]
    assert page.evaluate(MIDDLE_OF_THE_LINK, [network, message]) == pytest.approx(middle)
    go_to(page, "0")
    page.select_option("#pace", "300")
    page.evaluate("""() => {
        window.moved = new Set();
        const note = () => { for (const it of document.querySelectorAll('circle.message'))
            moved.add(it.getAttribute('cx')); };
        new MutationObserver(note).observe(document.querySelector('.network'),
            {subtree: true, attributes: true, childList: true});
    }""")
    step(page)
    step(page)
    assert page.evaluate("moved.size") > 3  # places on its way


def test_all_numbers_of_128_nodes_are_readable_and_apart(page):
    heights = page.evaluate(
        "[...document.querySelectorAll('.network .node text')].map(it => "
        "it.getAttribute('font-size') * document.querySelector('.network').getScreenCTM().a)"
    )
    assert len(heights) == 128
    assert min(heights) >= 9  # pixels


def test_details_are_in_sight_at_1600_by_1000(page):
    for selector in (".details .title", ".log h2", ".network", ".memory"):
        box = page.locator(selector).first.bounding_box()
        assert box["x"] + box["width"] <= 1600
        assert box["y"] + min(box["height"], 100) <= 1000


def test_any_parameter_can_be_changed_and_a_mistake_is_told(page):
    begin(page, scheduler="space", ram="-3")
    assert "--ram" in text(page, "#complaint")
    begin(page, ram="50", nodes="16", topology="torus", first_name="BB4")
    assert "16 nodes with 16 MB on torus" in text(page, "#caption")
    assert page.locator(".network .node").count() == 16
    begin(page, first_name="../mine.py:mine")
    assert "below the folder" in text(page, "#complaint")
    begin(page, first_name="mine.py:mine", beside="CLI")
    assert page.locator("h2.name").all_inner_texts() == ["MINE", "CLI"]
    begin(
        page, nodes="128", ram="65", topology="star", scheduler="gang", first_name="MAN", beside=""
    )
    assert page.locator(".network .node").count() == 128


def test_a_journal_is_replayed_with_two_designs_side_by_side(serve, opened):
    page = opened(serve("run.parquet").address)
    page.select_option("#pace", "0")
    assert page.locator("h2.name").all_inner_texts() == ["MAN"]
    begin(page, beside="CLI")
    assert page.locator("h2.name").all_inner_texts() == ["MAN", "CLI"]
    assert page.locator("#form [name=ram]").count() == 0
    page.select_option("#goal", PROTOCOL)
    arrows = 0
    for _ in range(12):
        step(page)
        arrows += page.locator("g.arrow").count()
    assert arrows > 0  # messages of which only the ends are known
    assert "replay: 4 nodes" in text(page, "#caption")
    page.select_option("#goal", "10 min")
    step(page)
    assert page.locator("#step").is_disabled()
    assert all("3 ended" in line for line in page.locator(".state").all_inner_texts())


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [900, 1600])
def test_nothing_is_covered_or_cut_and_what_is_written_can_be_read(server, opened, scheme, width):
    page = opened(server.address, color_scheme=scheme, viewport={"width": width, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.evaluate(BOXES)
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert right <= width
        for other in boxes[:number]:
            apart = left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
            assert apart
    ink, paper = page.evaluate(BRIGHTNESS)
    assert (paper < 150 and ink > 600) if scheme == "dark" else (paper > 700 and ink < 150)


def test_without_its_token_the_page_is_not_served(server, browser):
    page = browser.new_page()
    assert page.goto(server.address.partition("?")[0]).status == 403
    page.close()


def test_ctrl_c_ends_the_server_though_a_page_plays(browser, server):
    """The last test: it ends the server of all."""
    page = browser.new_page()
    page.goto(server.address)
    page.wait_for_function(AT_REST)
    page.select_option("#goal", "1 s")
    page.click("#play")
    page.wait_for_function("() => pnr.plays")
    server.send_signal(signal.SIGINT)
    assert server.wait(10) == 0
    page.locator("#complaint:has-text('The server is gone')").wait_for(timeout=PATIENCE_MS)
    page.close()
