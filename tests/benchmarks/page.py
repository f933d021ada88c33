"""How fluid the interactive page is with a million records, and how large its file is.

    uv run python -m tests.benchmarks.page    # a minute; wants chromium, which draws in software

A frame lasts from one animation frame to the next, while the window moves in each of them.
"""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

from model.pnr.scenario import make_scenario
from model.views.page.html import write
from model.views.recording import Selection, record
from tests.chromium import launched

JOB = {"processes": 16, "memory_mb": 40, "demand_s": 116}  # mostly pages over the network
FRAMES = 60
#: Moves a window that is a share of the run, and zooms it a little; gives the frames' ms.
MOVE = """share => new Promise((done) => {
    const times = [], last = page.axis.last;
    const next = (now) => {
        times.push(now);
        const turn = times.length;
        if (turn > FRAMES) return done(times.slice(1).map((time, i) => time - times[i]));
        const first = (1 - share) * last * turn / FRAMES * 0.5;
        page.show(first, first + share * last * (1 - 0.002 * turn));
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
})""".replace("FRAMES", str(FRAMES))


def frames(page: Page, paced: bool) -> None:
    """Print the frames of windows of some widths."""
    for share in (1, 0.1, 0.01, 0.0001):
        times = page.evaluate(MOVE, share)
        long = sum(time > 50 for time in times)
        print(
            f"  {'event-paced' if paced else 'linear'}, window of {share:g} of the run: "
            f"median {median(times):.0f} ms, longest {max(times):.0f} ms, "
            f"{long} of {len(times)} over 50 ms"
        )


def main() -> None:
    """Print the size of the file, how long it takes to write and to open, and its frames."""
    recording = record(make_scenario(designs=["MAN"], job=[JOB]), "MAN", "all")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "page.html")
        begin = perf_counter()
        write([recording], Selection(), file)
        print(
            f"{len(recording.records):,} records: {file.stat().st_size / 1e6:.1f} MB, written in "
            f"{perf_counter() - begin:.1f} s"
        )
        chromium = launched(playwright)
        page = chromium.new_page(viewport={"width": 1600, "height": 1000})
        begin = perf_counter()
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]", timeout=120_000)
        print(f"opened in {perf_counter() - begin:.1f} s")
        frames(page, paced=False)
        page.locator("#paced").check()
        frames(page, paced=True)
        chromium.close()


if __name__ == "__main__":
    main()
