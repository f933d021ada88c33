"""The dashboard: the same page, with a run that goes on behind it."""

import re
import signal

import pytest

from model.core.journal.file import JournalFile
from model.pnr.cluster import Cluster
from model.pnr.scenario import Scenario, make_scenario
from tests.browser.conftest import AT_REST, TIMEOUT_MS

PROTOCOL = "a protocol message arrives"
MINE = """
from topologies.managers.man import man


def mine(nodes):
    graph = man(nodes)
    graph.graph["name"] = "MINE"
    return graph
"""
BRIGHTNESS = """() => ["color", "backgroundColor"].map(
    it => getComputedStyle(document.body)[it].match(/\\d+/g).slice(0, 3)
        .reduce((sum, one) => sum + +one, 0))"""
#: Where the network of the run above has a node.
NODE = """(node) => {
    const lane = page.lanes.find((one) => one.name === "network");
    const box = lane.canvas.getBoundingClientRect();
    const [x, y] = lane.pixel(lane.points[node]);
    return {x: box.x + x, y: box.y + y};
}"""
#: What the page has of the run above, in order.
ROWS = "[...page.shown[0].items.time].map((time, i) => [time, page.shown[0].sentence(i)])"


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
        server.wait(120)


@pytest.fixture(scope="module")
def server(serve):
    """A cluster of 128 nodes."""
    return serve("--nodes 128 --first 4621 --jobs 19 --ram 65 --designs MAN,CLI")


@pytest.fixture
def page(visit, server):
    """The page of 128 nodes, at the beginning and without motion."""
    page = visit(server.address)
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
    page.wait_for_function(f"() => !page.live.waits && page.moment.at === {float(time_s) * 1e9}")
    rest(page)


def begin(page, **values):
    """Fill in the form, and begin anew."""
    if page.locator("#form").is_hidden():
        page.click("#open")
    page.locator("#form details").evaluate_all("(all) => all.forEach((it) => (it.open = true))")
    for name, value in values.items():
        field = page.locator(f'#form [name="{name.replace("run_", "run-")}"]')
        is_menu = field.evaluate("it => it.tagName") == "SELECT"
        field.select_option(value) if is_menu else field.fill(value)
    page.evaluate("window.stageBefore = page.live.stage")
    page.click("#form > button")
    page.wait_for_function("() => page.live.stage !== stageBefore || !complaint.hidden")
    rest(page)


def now_ns(page):
    """The emulated time that is shown."""
    return page.evaluate("page.moment.at")


def text(page, selector):
    return page.locator(selector).first.inner_text()


def names(page):
    return page.evaluate("page.shown.map((run) => run.about.design)")


def test_steps_lead_on_and_back(page):
    seen = [text(page, ".log")]
    for _ in range(4):
        step(page)
        assert "receives" in text(page, ".log ol")
        seen.append(text(page, ".log ol"))
    assert len({*seen}) == 5
    for before in reversed(seen[1:-1]):
        page.click("#step-back")
        rest(page)
        assert text(page, ".log ol") == before


def test_what_comes_bit_by_bit_is_what_a_page_has_that_is_opened_later(page, visit, server):
    page.select_option("#goal", "1 s")
    for _ in range(3):
        step(page)
    later = visit(server.address)
    assert page.evaluate(ROWS) == later.evaluate(ROWS)
    assert page.evaluate("[...page.shown[0].ends]") == later.evaluate("[...page.shown[0].ends]")


def test_play_goes_on_until_pause_and_a_reload_shows_the_same(page):
    page.select_option("#goal", "1 s")
    page.click("#play")
    page.wait_for_function("() => page.moment.at >= 3e9")
    page.click("#play")
    rest(page)
    stopped = now_ns(page)
    assert page.locator("#step").is_enabled()
    page.reload()
    rest(page)
    assert now_ns(page) == stopped


def test_the_time_line_goes_back_and_forth(page):
    begin(page)  # others may have led the run further
    page.select_option("#goal", "10 s")
    step(page)
    step(page)
    page.uncheck("#paced")
    page.click("#whole")
    x = page.evaluate("page.x(10e9)")
    page.locator("#ruler").click(position={"x": x, "y": 10})
    page.wait_for_function("() => !page.live.waits && Math.abs(page.moment.at - 10e9) < 1e8")
    assert text(page, "#end") == "of 20 s so far"
    assert page.locator("#later").is_visible()  # what is known of the time after
    page.check("#paced")
    go_to(page, "20")
    assert page.locator("#later").is_hidden()


def test_a_click_on_a_line_of_the_log_goes_there(page):
    for _ in range(3):
        step(page)
    line = page.locator(".log li button").filter(has_text="job 4621 is submitted")
    line.click()
    page.wait_for_function("() => !page.live.waits && page.moment.at === 0")
    assert "job 4621 is submitted" in text(page, "#details h2")


def test_a_click_on_a_node_shows_it_even_in_the_middle_of_a_long_step(page):
    page.select_option("#goal", "a job moves")  # which none does
    page.click("#step")
    page.wait_for_function(
        "() => page.live.waits && document.getElementById('end').innerText[0] === '…'"
    )
    for node in (5, 77):
        place = page.evaluate(NODE, node)
        page.mouse.click(place["x"], place["y"])
        page.locator(f"#details h2:has-text('node {node} at')").wait_for()
        assert page.evaluate("page.live.waits")  # it still looks
    page.click("#play")  # now it is Stop
    rest(page)


def test_parameters_are_in_groups_with_units_defaults_and_help(page):
    page.click("#open")
    assert [text(page, "#form summary"), page.locator("#form details[open]").count()] == [
        "Scenario10 parameters, 4 changed",  # as the server was started
        1,
    ]
    page.locator("#form summary", has_text="Nodes").click()
    field = page.get_by_label("seek, ms")
    assert field.get_attribute("placeholder") == "9"
    assert field.input_value() == ""
    told = field.locator("xpath=..").locator("small").inner_text()
    assert told == Scenario.model_fields["seek_ms"].description
    assert page.locator("#form [name=ram]").input_value() == "65"


def test_a_parameter_can_be_changed_and_a_mistake_is_told(page):
    begin(page, scheduler="space", ram="-3")
    assert "--ram" in text(page, "#complaint")
    begin(page, ram="50", nodes="16", topology="torus", run_above="BB4")
    assert "16 nodes, torus, 100 Mbps · 16 MB of RAM" in text(page, "#captions")
    assert page.evaluate("page.shown[0].about.nodes") == 16
    begin(page, run_above="../mine.py:mine")
    assert "below the folder" in text(page, "#complaint")
    begin(page, run_above="mine.py:mine", run_below="CLI")
    assert names(page) == ["MINE", "CLI"]
    begin(
        page,
        nodes="128",
        ram="65",
        topology="star",
        scheduler="gang",
        run_above="MAN",
        run_below="",
    )
    assert page.evaluate("page.shown[0].about.nodes") == 128


def test_a_servent_is_crashed_and_a_message_lost_by_a_click(serve, visit):
    page = visit(serve("--nodes 64 --first 4621 --jobs 3 --designs MAN").address)
    page.select_option("#pace", "0")
    page.select_option("#goal", PROTOCOL)
    for _ in range(3):
        step(page)
    at, seen = now_ns(page), page.evaluate(ROWS)
    place = page.evaluate(NODE, 2)
    page.mouse.click(place["x"], place["y"])
    page.evaluate("window.stageBefore = page.live.stage")
    page.get_by_role("button", name="crash its servent", exact=True).click()
    page.wait_for_function("() => page.live.stage !== stageBefore")
    rest(page)
    assert now_ns(page) == at
    again = [row for row in page.evaluate(ROWS) if row[0] <= at and "timer" not in row[1]]
    assert [row for row in seen if row[0] <= at] == again
    page.select_option("#goal", "a servent or node fails")
    step(page)
    assert now_ns(page) == at + 1
    assert "node 2: the servent crashes" in text(page, ".log")
    page.evaluate("window.stageBefore = page.live.stage")
    page.locator("#faults button").click()  # without it
    page.wait_for_function("() => page.live.stage !== stageBefore")
    rest(page)
    assert page.locator("#faults button").count() == 0
    page.evaluate("""() => {
        const run = page.shown[0];
        const {node, peer} = run.items;
        page.select(run, node.findIndex((from, i) => run.isMessage[i] && from !== peer[i]));
    }""")
    lost = page.evaluate("page.shown[0].sentence(page.selected.item)")
    page.evaluate("window.stageBefore = page.live.stage")
    page.get_by_role("button", name="lose this message").click()
    page.wait_for_function("() => page.live.stage !== stageBefore")
    rest(page)
    found = page.evaluate("""() => {
        const run = page.shown[0];
        const {lost} = run.items;
        return [...lost.keys()].filter((i) => lost[i]).map((i) => run.sentence(i));
    }""")
    assert found == [lost]


def test_a_journal_is_replayed_with_two_designs_side_by_side(serve, visit):
    page = visit(serve("run.parquet").address)
    page.select_option("#pace", "0")
    assert names(page) == ["MAN"]
    begin(page, run_below="CLI")
    assert names(page) == ["MAN", "CLI"]
    assert page.locator(".lane.network").count() == 2
    assert page.locator("#form [name=ram]").count() == 0
    page.select_option("#goal", PROTOCOL)
    arrows = 0
    for _ in range(12):
        step(page)
        arrows += page.evaluate("page.lanes[0].marks.length")
    assert arrows > 0  # messages of which only the ends are known
    page.mouse.click(*page.evaluate(NODE, 1).values())
    assert page.locator(".harm").count() == 0  # a journal is as it was written
    page.select_option("#goal", "10 min")
    step(page)
    assert page.locator("#step").is_disabled()
    assert all("3 ended" in line for line in page.locator(".log p:first-of-type").all_inner_texts())


@pytest.mark.parametrize(("scheme", "width"), [("dark", 800), ("light", 1600)])
def test_nothing_is_cut_and_what_is_written_can_be_read(server, visit, scheme, width):
    page = visit(server.address, color_scheme=scheme, viewport={"width": width, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ink, paper = page.evaluate(BRIGHTNESS)
    assert (paper < 150 and ink > 600) if scheme == "dark" else (paper > 700 and ink < 150)


def test_ctrl_c_ends_the_server_though_a_page_plays(browser, serve):
    server = serve("--nodes 8 --first 4621 --jobs 3 --designs MAN")
    page = browser.new_page()
    page.goto(server.address)
    page.wait_for_function(AT_REST)
    page.select_option("#goal", "1 s")
    page.click("#play")
    page.wait_for_function("() => page.live.plays")
    server.send_signal(signal.SIGINT)
    assert server.wait(120) == 130
    page.locator("#complaint:has-text('The server is gone')").wait_for(timeout=TIMEOUT_MS)
    page.close()
