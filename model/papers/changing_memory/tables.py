"""The study in numbers: what each design gains as memory changes, and what that costs."""

from collections.abc import Sequence
from statistics import fmean

from model.papers.cases import Case
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
from model.papers.tables import Column, columns, section
from model.papers.windows import Side, multiples, side

_RATIOS = {"response time": multiples(), "pages from disk": multiples("faults_disk")}
_VARIANTS = {
    "every 60 s, keeps 0.1 MB": (AGAIN, {}),
    "every 10 s": (OFTEN, {}),
    "every 300 s": (SELDOM, {}),
    f"keeps {RESERVE_MB} MB": (AGAIN, {"threshold_mb": RESERVE_MB}),
}


def _mean(measure: str) -> Column:
    """The mean of a measure over all windows and their seeds."""

    def cell(measured: Measurements, windows: Sequence[Case], own: Side, _: Side) -> str:
        mean = fmean([measured.mean(*own(window), measure) for window in windows])
        return f"{mean:,.0f}" if mean >= 10 else f"{mean:,.1f}"

    return cell


TABLES = (
    section(
        "What designs gain as memory changes",
        "Over the four windows: geometric means in multiples of DP's, with intervals over windows; "
        "and means of the memory that processes lack when they start (MB), of what is not found of "
        "it, of the messages of the protocol, and of the pages over the network.",
        columns(
            ("memory", ""),
            {
                (profile, name): (
                    WINDOWS,
                    side(name, memory_profile=profile),
                    side("DP", memory_profile=profile),
                )
                for profile in PROFILES
                for name in STYLES
            },
            {
                **_RATIOS,
                "lacked at starts, MB": _mean("need_mb"),
                "not found": _mean("need_unmet_mb"),
                "messages": _mean("protocol_messages"),
                "pages over the network": _mean("faults_network"),
            },
        ),
    ),
    section(
        "How often clients ask, and how much lenders keep",
        f"Geometric means in multiples of {AGAIN} that asks every 60 s and keeps 0.1 MB, with "
        "intervals over windows; and means of messages, and of recalls among them.",
        columns(
            ("memory", ""),
            {
                (profile, variant): (
                    WINDOWS,
                    side(design, memory_profile=profile, **varied),
                    side(AGAIN, memory_profile=profile),
                )
                for profile in CHANGING
                for variant, (design, varied) in _VARIANTS.items()
            },
            {**_RATIOS, "messages": _mean("protocol_messages"), "recalls": _mean("recalls")},
        ),
    ),
)
