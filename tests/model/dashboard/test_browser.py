"""The dashboard in a real browser: Debian's chromium, headless.

The last picture of the page is kept in `.artifacts/`.
"""

import re
import signal
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PATIENCE_MS = 60_000  # the machine may be slow; how fast it answers, a benchmark says

# Counts how often the page is drawn anew between a click on a node and the node's details.
COUNT_DRAWINGS = """() => {
    const state = document.querySelector(".pnr-state");
    const details = document.querySelector(".pnr-details");
    const heading = () => details.querySelector("h3").innerText;
    const changes = {subtree: true, childList: true, characterData: true};
    let drawings = 0, clicked = 0, last = heading();
    window.waited = {};
    new MutationObserver(() => drawings++).observe(state, changes);
    document.addEventListener("click", () => { clicked = drawings; }, true);
    new MutationObserver(() => {
        if (heading() !== last) window.waited[last = heading()] = drawings - clicked;
    }).observe(details, changes);
}"""


@pytest.fixture(scope="module")
def server(start):
    """`run.py watch` with a cluster of 128 nodes, more than fit comfortably."""
    with start("watch --port 0 --nodes 128 --first 4501 --jobs 60 --ram 65", stderr=None) as server:
        line = server.stdout.readline()
        server.address = re.search(r"http://\S+", line).group()
        yield server
        server.terminate()


@pytest.fixture(scope="module")
def opened(browser, server):
    """The page, loaded; what it complains of, and whom it asks."""
    complaints, requests = [], []
    page = browser.new_page(viewport={"width": 1600, "height": 1200})
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(server.address, timeout=PATIENCE_MS)
    page.wait_for_selector(".pnr-network", timeout=PATIENCE_MS)
    for chart in range(2):
        page.wait_for_selector(f".pnr-chart >> nth={chart} >> canvas", timeout=PATIENCE_MS)
    yield page, complaints, requests
    page.close()


@pytest.fixture
def page(opened, server):
    """The page before the first step; at the end, it must have complained of nothing."""
    page, complaints, requests = opened
    choose(page, "Step", "a protocol message arrives")
    if now_s(page) > 0:  # at 0 nobody could see when the reset is done, and a click would be lost
        button(page, "Reset").click()
        wait_until(lambda: now_s(page) == 0)
    yield page
    folder = ROOT / ".artifacts"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / "dashboard.png", full_page=True)
    assert complaints == []
    ours = (server.address.partition("?")[0], "data:", "blob:")
    ours += (ours[0].replace("http", "ws"),)
    assert [url for url in requests if not url.startswith(ours)] == []


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def choose(page, menu, value):
    """Take a value from one of the menus."""
    page.get_by_label(menu, exact=True).locator("xpath=ancestor::*[@role='button']").click()
    page.get_by_role("option", name=value, exact=True).click()


def now_s(page):
    """The emulated time that the page states, s."""
    state = page.locator(".pnr-state").inner_text()
    return float(re.search(r"([\d,.]+) s:", state).group(1).replace(",", ""))


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_each_step_advances_the_run(page):
    choose(page, "Step", "1 s")
    for _ in range(3):
        before = now_s(page)
        button(page, "Step").click()
        wait_until(lambda before=before: now_s(page) > before)


def test_several_steps_a_drawing_do_not_wait_for_one_another(page):
    choose(page, "Step", "1 s")
    steps = page.get_by_role("slider").nth(1)
    steps.press("ArrowRight")  # three steps a drawing
    button(page, "Step").click()
    wait_until(lambda: now_s(page) == 3)
    steps.press("ArrowLeft")


def test_play_runs_until_pause(page):
    button(page, "▶").click()
    wait_until(lambda: now_s(page) > 1)
    button(page, "❚❚").click()
    button(page, "▶").wait_for(timeout=PATIENCE_MS)
    page.wait_for_timeout(1000)  # the step under way still ends
    stopped = now_s(page)
    page.wait_for_timeout(1000)
    assert now_s(page) == stopped


def test_a_click_does_not_wait_until_the_run_has_gone_far(page):
    button(page, "▶").click()
    wait_until(lambda: now_s(page) > 0)
    page.evaluate(COUNT_DRAWINGS)
    for node in (5, 77):
        page.locator(f'.pnr-node[data-node="{node}"]').click()
        details = page.locator(f".pnr-details h3:has-text('Node {node}:')")
        details.wait_for(timeout=PATIENCE_MS)
        shown = now_s(page)
        wait_until(lambda shown=shown: now_s(page) > shown)  # it still plays
    button(page, "❚❚").click()
    waited = page.evaluate("window.waited")
    assert len(waited) == 2
    assert max(waited.values()) <= 3


def test_a_message_is_seen_on_its_way(page):
    choose(page, "Step", "one event")
    for _ in range(3):
        button(page, "Step").click()
        page.wait_for_timeout(300)
    page.locator(".pnr-message").first.wait_for(state="attached", timeout=PATIENCE_MS)


def test_a_control_changes_the_run_at_the_next_reset(page):
    choose(page, "Design", "CLI")
    choose(page, "Topology", "bus")
    button(page, "Reset").click()
    page.locator(".pnr-state:has-text('CLI on bus, 0.000000 s')").wait_for(timeout=PATIENCE_MS)
    button(page, "Step").click()
    wait_until(lambda: now_s(page) > 0)
    assert page.locator(".pnr-state:has-text('CLI on bus')").is_visible()


def test_ctrl_c_ends_the_server_though_a_page_plays(opened, server):
    """The last test: it ends the server of all."""
    page, _, _ = opened
    before = now_s(page)
    button(page, "▶").click()
    wait_until(lambda: now_s(page) > before)
    server.send_signal(signal.SIGINT)
    assert server.wait(10) == 0
