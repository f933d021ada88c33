"""How soon the dashboard answers a click at 128 nodes: while it stands, and while it plays.

    uv run python -m tests.benchmarks.dashboard    # half a minute; wants chromium

From the click in the browser until the page shows the node.
"""

import re
import shutil
import subprocess
import sys
from statistics import median
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

CLICKS = 20
WATCH = ["run.py", "watch", "--port", "0", "--nodes", "128", "--first", "4501", "--jobs", "60"]


#: Where the network has a node.
NODE = """(node) => {
    const lane = page.lanes.find((one) => one.name === "network");
    const box = lane.canvas.getBoundingClientRect();
    const [x, y] = lane.pixel(lane.points[node]);
    return [box.x + x, box.y + y];
}"""


def answers_s(page: Page) -> list[float]:
    """The time each of some clicks on nodes takes until the page shows the node."""
    times = []
    for node in range(5, 5 * CLICKS + 1, 5):
        place = page.evaluate(NODE, node)
        begin = perf_counter()
        page.mouse.click(*place)
        page.locator(f"#details h2:has-text('node {node} at')").wait_for()
        times.append(perf_counter() - begin)
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
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
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
