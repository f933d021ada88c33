"""The interactive page in a real browser, opened from the disk: what a person does, and sees.

Nothing here depends on how fast the machine is. The last picture is kept in `.artifacts/`.
"""

from pathlib import Path

import pytest

from model.pnr.scenario import make_scenario
from model.views.page.html import write
from model.views.recording import Selection, record

ROOT = Path(__file__).parents[4]
JOBS = [
    {"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.03},
    {"number": 9, "processes": 1, "memory_mb": 8, "demand_s": 0.02, "submit_s": 0.01},
]
SMALL = {"nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001, "job": JOBS}

#: The first item of a kind in the run above (0) or below (1), and where its lane shows it.
FIND = """([turn, kind, lane]) => {
    const run = page.shown[turn];
    let item = 0;
    while (run.name(item) !== kind) item++;
    const where = page.lanes.find((one) => one.run === run && one.name === lane);
    where.element.scrollIntoView({block: "center"});
    const [x, y] = where.place(item);
    const box = where.canvas.getBoundingClientRect();
    return {id: run.id(item), x: box.x + x, y: box.y + y};
}"""
#: How many items of the run above are lit.
LIT = "page.shown[0].lit?.reduce((sum, one) => sum + one, 0) ?? null"
DRAWN = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"


@pytest.fixture(scope="module")
def recordings():
    scenario = make_scenario(**SMALL, designs=["CLI", "MAN"])
    return [record(scenario, design, "all") for design in ("CLI", "MAN")]


@pytest.fixture(scope="module")
def file(recordings, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "page.html"
    write(recordings, Selection(), file)
    return file


@pytest.fixture
def opened(browser, file):
    """Opens the page; at the end it must have complained of nothing, and asked nobody."""
    pages, complaints, requests = [], [], []

    def opened(address="", **options):
        page = browser.new_page(**{"viewport": {"width": 1500, "height": 1100}} | options)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri() + address)
        page.wait_for_selector("body[data-ready]")
        page.evaluate(DRAWN)
        pages.append(page)
        return page

    yield opened
    folder = ROOT / ".artifacts"
    folder.mkdir(exist_ok=True)
    pages[-1].screenshot(path=folder / "page.png")
    for page in pages:
        page.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("data:", file.as_uri()))] == []


def window_s(page):
    return tuple(page.evaluate("[page.from, page.to].map((at) => page.timeOf(at) / 1e9)"))


def find(page, kind, lane="space-time", turn=0):
    found = page.evaluate(FIND, [turn, kind, lane])
    page.evaluate(DRAWN)
    return page.evaluate(FIND, [turn, kind, lane]) | found | {}


def test_the_caption_says_which_runs_these_are(opened):
    page = opened()
    captions = page.locator("#captions div").all_inner_texts()
    assert [caption.split(" · ")[1] for caption in captions] == ["design CLI", "design MAN"]


def test_the_wheel_zooms_about_the_pointer_and_dragging_moves(opened, recordings):
    page = opened()
    last_s = max(int(one.records["time_ns"].max()) for one in recordings) / 1e9
    assert window_s(page) == pytest.approx((0, last_s))
    canvas = page.locator(".lane.space-time canvas").first
    box = canvas.bounding_box()
    x = box["x"] + 600
    at = "(x) => page.timeOf(page.position(x)) / 1e9"
    before = page.evaluate(at, 600)
    page.mouse.move(x, box["y"] + 40)
    page.mouse.wheel(0, -400)
    first, last = window_s(page)
    assert last - first < 0.8 * last_s
    assert page.evaluate(at, 600) == pytest.approx(before)
    page.mouse.down()
    page.mouse.move(x - 100, box["y"] + 40)
    page.mouse.up()
    assert window_s(page)[0] > first
    assert page.evaluate(at, 500) == pytest.approx(before)
    page.get_by_role("button", name="whole run").click()
    assert window_s(page) == pytest.approx((0, last_s))


def test_hover_says_what_a_message_is(opened):
    page = opened("#runs=MAN&from=0&to=0.0008")
    place = find(page, "RamRequest")
    page.mouse.move(place["x"], place["y"])
    tip = page.locator("#tip")
    assert "RamRequest from node" in tip.inner_text()
    assert "about job 7" in tip.inner_text()


def test_a_click_lights_the_chain_of_causes_and_escape_leaves(opened):
    page = opened("#runs=MAN&from=0&to=0.0008")
    place = find(page, "ServerRequest")
    page.mouse.click(place["x"], place["y"])
    details = page.locator("#details")
    assert f"id\t{place['id']}" in details.inner_text()
    led = details.locator("h3:has-text('What led to it:') + ol > li").all_inner_texts()
    assert [line.split(" s ")[1].split()[0] for line in led] == [
        "RamRequest",
        "placed",
        "submitted",
    ]
    assert page.evaluate(LIT) < page.evaluate("page.shown[0].count")
    page.keyboard.press("Escape")
    assert not details.is_visible()
    assert page.evaluate(LIT) is None
