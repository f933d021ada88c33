"""The study in numbers: what each design gains as memory changes, and what that costs."""

from collections.abc import Iterator

from model.papers.changing_memory.cases import (
    AGAIN,
    CHANGING,
    OFTEN,
    PROFILES,
    RESERVE_MB,
    SELDOM,
    WINDOWS,
)
from model.papers.changing_memory.figures import STYLES
from model.papers.measurements import Measurements
from model.papers.page import interval, table
from model.papers.windows import over_windows, side

_MEASURES = {
    "response time": None,
    "pages from disk": "faults_disk",
    "messages": "protocol_messages",
}


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join([*_designs(measured), *_variants(measured)])


def _designs(measured: Measurements) -> Iterator[str]:
    yield "## What designs gain as memory changes"
    yield ""
    yield "Geometric means over the four windows, with intervals over windows."
    yield ""
    rows = []
    for profile in PROFILES:
        for name in STYLES:
            own = side(name, memory_profile=profile)
            cells = [
                interval(
                    over_windows(measured, WINDOWS, own, side(than, memory_profile=profile), one)[
                        "by windows"
                    ]
                )
                for than, one in (("DP", None), ("DP", "faults_disk"), ("MAN", "protocol_messages"))
            ]
            rows.append((profile, name, *cells))
    heads = ("memory", "", "response time (DP's)", "pages from disk (DP's)", "messages (MAN's)")
    yield from table(heads, rows)


def _variants(measured: Measurements) -> Iterator[str]:
    yield "## How often clients ask, and how much lenders keep"
    yield ""
    yield f"The same in multiples of {AGAIN} that asks every 60 s and keeps 0.1 MB."
    yield ""
    variants = {
        "every 10 s": (OFTEN, {}),
        "every 300 s": (SELDOM, {}),
        f"keeps {RESERVE_MB} MB": (AGAIN, {"threshold_mb": RESERVE_MB}),
    }
    rows = []
    for profile in CHANGING:
        than = side(AGAIN, memory_profile=profile)
        for told, (design, varied) in variants.items():
            own = side(design, memory_profile=profile, **varied)
            found = [
                over_windows(measured, WINDOWS, own, than, one)["by windows"]
                for one in _MEASURES.values()
            ]
            rows.append((profile, told, *map(interval, found)))
    yield from table(("memory", "", *_MEASURES), rows)
