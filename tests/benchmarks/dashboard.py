"""How soon the dashboard answers a click at 128 nodes: while it stands, and while it plays.

    uv run python -m tests.benchmarks.dashboard    # half a minute; wants chromium

From the click in the browser until the page shows the node.
"""

import re
import subprocess
import sys
from statistics import median

from playwright.sync_api import Page, sync_playwright

from tests.chromium import launched

CLICKS = 20
WATCH = ["run.py", "watch", "--port", "0", "--nodes", "128", "--first", "4501", "--jobs", "60"]


#: Clicks on a node of the network where it is now, and gives the ms until the page shows it.
CLICK = """(node) => {
    const lane = page.lanes.find((one) => one.name === "network");
    const [x, y] = lane.pixel(lane.points[node]);
    lane.marks = [];  // no message hides the node
    const box = lane.canvas.getBoundingClientRect();
    const begin = performance.now();
    const at = {clientX: box.x + x, clientY: box.y + y};
    lane.canvas.dispatchEvent(new MouseEvent("click", at));
    return new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() =>
        then([performance.now() - begin, document.querySelector("#details h2").textContent]))));
}"""


def answers_s(page: Page) -> list[float]:
    """The time each of some clicks on nodes takes until the page shows the node."""
    times = []
    for node in range(5, 5 * CLICKS + 1, 5):
        took_ms, title = page.evaluate(CLICK, node)
        assert title.startswith(f"node {node} at"), title
        times.append(took_ms / 1e3)
    return times


def main() -> None:
    """Print the median and the longest answer of both, and their ratio."""
    with (
        subprocess.Popen([sys.executable, *WATCH], stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        assert server.stdout is not None
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None
        chromium = launched(playwright)
        page = chromium.new_page(viewport={"width": 1600, "height": 1200})
        page.goto(address.group())
        page.wait_for_selector("body[data-ready]")
        stands = answers_s(page)
        page.click("#play")
        plays = answers_s(page)
        chromium.close()
        server.terminate()
    for name, times in (("stands", stands), ("plays", plays)):
        print(f"{name}: median {median(times) * 1e3:.0f} ms, longest {max(times) * 1e3:.0f} ms")
    print(f"plays / stands: {median(plays) / median(stands):.2f}")


if __name__ == "__main__":
    main()
