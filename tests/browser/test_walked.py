"""The page in which a state graph is walked: from the disk, and from a server."""

import re
from random import Random

import pytest

from model.pnr.explore.atlas import atlas_of
from model.pnr.explore.properties import Properties
from model.pnr.explore.setting import Setting
from model.views.explored.html import along, write
from model.views.explored.scenes import token

LOSSY = Setting("MAN", jobs=1, losses=1)
TIMED = Setting("RELIABLE(CEN)", jobs=1, losses=1, late_timers=True)
WALKED = [
    LOSSY,
    TIMED,
    Setting("CEN", jobs=1, crashes=1, duplicates=1, order="any"),
    Setting("GOSSIP", nodes=2, jobs=1, late_timers=True),  # compares times of different nodes
    Setting("CLI", jobs=1, joins=1, leaves=1),
]
TEXT = "['verdict', 'steps', 'way', 'scene'].map((id) => document.getElementById(id).innerText)"
#: The scenes at the ends of ways, from the page's own tables and from what a server answers.
SCENES = """([ways, answers]) => ways.map((way, i) => {
    const served = new page.source.constructor({about: page.source.about, ways: [], ...answers[i]});
    return [page.source, served].map((source) => {
        const {number, outlook, steps, ...scene} = source.scene(source.along(way).at(-1));
        return JSON.stringify([scene, steps.map(({token, sentence}) => [token, sentence])]);
    });
})"""
HOSTILE = """
from topologies.managers.man import man


def hostile(nodes):
    graph = man(nodes)
    graph.graph["name"] = "<img src=x onerror=globalThis.hacked=1>"
    return graph


def nobody_runs(before, step, after):
    for node in after.nodes:
        if any(started for _, started in node.residents.values()):
            return "</script><img src=x onerror=globalThis.hacked=2>: it runs"
    return None


def sometimes_a_message(before, step, after):
    return bool(after.messages)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Writes the page of a setting, once; gives its address."""
    folder, known = tmp_path_factory.mktemp("walked"), {}

    def written(setting, most=20_000):
        key = setting, most
        if key not in known:
            known[key] = folder / f"{len(known)}.html"
            write(atlas_of(setting, most), known[key])
        return known[key].as_uri()

    return written


def take(page, sentence):
    page.locator("#steps button", has_text=sentence).first.click()


def verdict(page):
    return page.inner_text("#verdict")


def to(page, script, value):
    page.wait_for_function(f"(value) => {script} === value", arg=value)


def test_clicks_along_the_shortest_way_end_in_the_broken_rule(visit, written):
    page = visit(written(LOSSY))
    assert verdict(page) == "Can end well a good end is 14 steps away."
    take(page, "job 1 is placed on nodes 0 and 1")
    take(page, "node 0: RamRequest to itself arrives")
    assert "12 steps away" in verdict(page)
    lost = page.locator("#steps button", has_text="RamRequest from node 1 to node 0 is lost")
    assert "dooms it" in lost.inner_text()
    lost.click()
    assert verdict(page).startswith("Broken somebody waits for ever: node 0")
    assert "doomed from step 3: RamRequest from node 1 to node 0 is lost" in verdict(page)
    assert page.locator("#steps button").count() == 0
    assert page.locator("#lanes .lost").count() == 2  # the arrow, and its name
    assert page.text_content("#lanes .doomed-text") == "doomed from step 3"
    assert "messages lost: 1 of 1" in page.locator("#common .new").all_inner_texts()


def test_an_address_is_a_scene(visit, written):
    clicked = visit(written(LOSSY))
    for sentence in ("job 1 is placed", "RamRequest from node 1 to node 0 arrives"):
        take(clicked, sentence)
    opened = visit(clicked.url)
    assert clicked.url.endswith("#p,d1")
    assert opened.evaluate(TEXT) == clicked.evaluate(TEXT)
    assert opened.inner_html("#lanes") == clicked.inner_html("#lanes")
    clicked.go_back()
    to(clicked, "page.at", 1)
    opened.evaluate("location.hash = 'p'")
    to(opened, "page.at", 1)
    assert opened.inner_text("#steps") == clicked.inner_text("#steps")
    assert opened.is_enabled("#forward")


@pytest.mark.parametrize(
    ("address", "complaint"),
    [("#p,d,d1,p", "Step 4 of this address, “p”"), ("#p,<b>", "Step 2"), ("#%E0%A4%A", "Step 1")],
)
def test_an_address_that_is_no_way_leads_as_far_as_it_is_one(visit, written, address, complaint):
    page = visit(written(LOSSY) + address)
    assert complaint in verdict(page)
    assert page.locator("#steps button").count() > 0


def test_keys_and_buttons(visit, written):
    page = visit(written(LOSSY))
    page.keyboard.press("1")
    to(page, "page.at", 1)
    page.keyboard.press("2")
    to(page, "page.at", 2)
    page.keyboard.press("ArrowLeft")
    to(page, "page.at", 1)
    page.keyboard.press("ArrowRight")
    to(page, "page.at", 2)
    page.click("#begin")
    to(page, "page.at", 0)
    page.click("#ways .broken")
    assert verdict(page).startswith("Broken")
    page.click("#back")
    assert verdict(page) == "Can end well a good end is 12 steps away."
    page.click("#forward")
    assert verdict(page).startswith("Broken")
    page.click("#ways .good")
    assert verdict(page).startswith("A good end")
    page.locator("#lanes .target").nth(3).click()
    to(page, "page.at", 3)


@pytest.mark.parametrize("setting", WALKED, ids=lambda it: it.declared)
def test_a_file_has_the_scenes_that_a_server_makes_of_the_world(visit, tmp_path, setting):
    atlas = atlas_of(setting, 20_000)
    write(atlas, tmp_path / "page.html")
    ways = [atlas.search.path(Random(turn).randrange(len(atlas.states))) for turn in range(40)]
    answers = [along(atlas.world, Properties(setting), way) for way in ways]
    page = visit((tmp_path / "page.html").as_uri())
    for file, server in page.evaluate(SCENES, [[[*map(token, way)] for way in ways], answers]):
        assert file == server


@pytest.mark.parametrize(("scheme", "width"), [("light", 1600), ("dark", 900)])
def test_it_fits(visit, written, scheme, width):
    size = {"width": width, "height": 1000}
    page = visit(written(TIMED) + "#p,d,x1,f1,d1,d,d0.1", viewport=size, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    assert "send 1 again" in page.inner_text("#way")


def test_what_a_design_says_is_text(visit, written, tmp_path):
    (tmp_path / "hostile.py").write_text(HOSTILE)
    page = visit(written(Setting(f"{tmp_path}/hostile.py:hostile", jobs=1)))
    assert page.inner_text("h1") == "<img src=x onerror=globalThis.hacked=1>"
    assert "to a state where a message" in page.inner_text("#ways")
    page.click("#ways .broken")
    assert "Broken </script><img src=x onerror=globalThis.hacked=2>: it runs." in verdict(page)
    assert page.evaluate("[globalThis.hacked ?? 0, document.images.length]") == [0, 0]


def test_of_a_part_of_the_states_it_says_what_is_not_there(visit, written):
    page = visit(written(Setting("CLI", jobs=1, losses=1), 40))
    assert "the first 40 states" in page.inner_text("#setting")
    assert "too few states to tell" in verdict(page)
    for _ in range(40):
        if page.locator("#steps button:disabled").count():
            break
        page.locator("#steps button").first.click()
    assert "not in this file" in page.inner_text("#steps")


@pytest.fixture(scope="module")
def server(start, tmp_path_factory):
    words = "watch --explore MAN --jobs 1 --loss 1 --port 0"
    server = start(words, stderr=None, cwd=tmp_path_factory.mktemp("served"))
    server.address = re.search(r"http://\S+", server.stdout.readline()).group()
    yield server
    server.terminate()
    server.wait(120)


def test_a_server_takes_the_same_steps(visit, written, server):
    file, served = visit(written(LOSSY)), visit(server.address)
    for sentence in ("job 1 is placed", "RamRequest from node 1 to node 0 arrives", "to itself"):
        for page in (file, served):
            before = page.evaluate("page.at")
            take(page, sentence)
            to(page, "page.at", before + 1)
        assert served.inner_text("#nodes") == file.inner_text("#nodes")
        assert served.inner_text("#steps") == file.inner_text("#steps")
    served.click("#ways .broken")
    to(served, "document.getElementById('verdict').className", "broken")
    served.click("#back")
    to(served, "page.at", 2)
    assert "at most 13 steps away" in verdict(served)
