"""The study in numbers: what each design gains as memory changes, and what that costs."""

from collections.abc import Iterator
from statistics import fmean

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
from model.papers.windows import Side, over_windows, side


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join([*_designs(measured), *_variants(measured)])


def mean_of(measured: Measurements, own: Side, measure: str) -> str:
    """The mean of a measure over all windows and their seeds."""
    found = [measured.of(*own(window), measure) for window in WINDOWS]
    if None in found:
        return "not run"
    mean = fmean(one.mean for one in found)
    return f"{mean:,.0f}" if mean >= 10 else f"{mean:,.1f}"


def _designs(measured: Measurements) -> Iterator[str]:
    yield "## What designs gain as memory changes"
    yield ""
    yield (
        "Over the four windows: geometric means in multiples of DP's, with intervals over windows; "
        "and means of the memory that processes lack when they start (MB), of what is not found of "
        "it, of the messages of the protocol, and of the pages over the network."
    )
    yield ""
    rows = []
    for profile in PROFILES:
        than = side("DP", memory_profile=profile)
        for name in STYLES:
            own = side(name, memory_profile=profile)
            ratios = [
                interval(over_windows(measured, WINDOWS, own, than, one)["by windows"])
                for one in (None, "faults_disk")
            ]
            means = [
                mean_of(measured, own, one)
                for one in ("need_mb", "need_unmet_mb", "protocol_messages", "faults_network")
            ]
            rows.append((profile, name, *ratios, *means))
    heads = (
        *("memory", "", "response time", "pages from disk"),
        *("lacked at starts, MB", "not found", "messages", "pages over the network"),
    )
    yield from table(heads, rows)


def _variants(measured: Measurements) -> Iterator[str]:
    yield "## How often clients ask, and how much lenders keep"
    yield ""
    yield (
        f"Geometric means in multiples of {AGAIN} that asks every 60 s and keeps 0.1 MB, with "
        "intervals over windows; and means of messages, and of recalls among them."
    )
    yield ""
    variants = {
        "every 60 s, keeps 0.1 MB": (AGAIN, {}),
        "every 10 s": (OFTEN, {}),
        "every 300 s": (SELDOM, {}),
        f"keeps {RESERVE_MB} MB": (AGAIN, {"threshold_mb": RESERVE_MB}),
    }
    rows = []
    for profile in CHANGING:
        than = side(AGAIN, memory_profile=profile)
        for told, (design, varied) in variants.items():
            own = side(design, memory_profile=profile, **varied)
            ratios = [
                interval(over_windows(measured, WINDOWS, own, than, one)["by windows"])
                for one in (None, "faults_disk")
            ]
            means = [mean_of(measured, own, one) for one in ("protocol_messages", "recalls")]
            rows.append((profile, told, *ratios, *means))
    heads = ("memory", "", "response time", "pages from disk", "messages", "recalls")
    yield from table(heads, rows)
