"""The study in numbers: what coordination gains and costs, and what designs make of faults."""

from functools import partial

from model.papers.coordination.cases import (
    FAULT_DESIGNS,
    FAULTS,
    SIZES,
    WINDOWS,
    gain_pct,
    of_size,
    under,
)
from model.papers.coordination.figures import STYLES, TELLING
from model.papers.measurements import Measurements, NotRun
from model.papers.tables import columns, number, section
from model.papers.windows import multiples, side

_LEAKED_MB = 0.5  # what is less is left out


def _came_of(measured: Measurements, design: str, fault: str) -> str:
    """What came of a fault, by seed: a run hangs if a job never ends.

    Slower is the mean response time of runs that do not hang than without faults, in percent.
    """
    case = under(fault)
    stuck = measured.values(case, design, "faults.jobs_stuck")
    if stuck.empty:
        raise NotRun
    leaked_mb = measured.values(case, design, "faults.leaked_mb").mean()
    hang = stuck[stuck > 0]
    parts = []
    if len(hang):
        parts.append(f"hangs in {len(hang)} of {len(stuck)} ({hang.mean():.1f} jobs)")
    if leaked_mb > _LEAKED_MB:
        parts.append(f"leaks {leaked_mb:.0f} MB")
    times_s = [measured.values(one, design) for one in (case, under(FAULTS[0]))]
    own, before = times_s[0][stuck == 0].align(times_s[1], join="inner")
    if len(own):
        parts.append(f"{100 * (own.sum() / before.sum() - 1):+.1f} %")
    return ", ".join(parts)


#: For each design under each fault: how many runs hang, what leaks, how much slower it is.
faults = columns(
    ("design",),
    {name: (name,) for name in FAULT_DESIGNS},
    {fault: partial(_came_of, fault=fault) for fault in FAULTS[1:]},
)

TABLES = (
    section(
        "Where memory is scarce",
        "Geometric means over all windows in multiples of MAN's, with intervals over windows.",
        columns(
            ("",),
            {name: (WINDOWS, side(name), side("MAN")) for name in STYLES},
            {
                "response time": multiples(),
                "messages": multiples("protocol_messages"),
                "their bytes": multiples("protocol_traffic_bytes"),
                "pages from disk": multiples("faults_disk"),
            },
        ),
    ),
    section(
        "As the cluster grows",
        "Messages of the protocol, those of them that only tell loads, and the bytes of all.",
        columns(
            ("nodes", ""),
            {(f"{nodes:,}", name): (of_size(nodes), name) for nodes in SIZES for name in TELLING},
            {
                "messages": number("{:,.0f}", "protocol_messages"),
                "that tell loads": number("{:,.0f}", "telling_messages"),
                "MB": number("{:,.1f}", "protocol_traffic_bytes", 1e6),
                "shorter than with DP, %": gain_pct,
            },
        ),
    ),
    section("What designs make of a loss", "", faults),
)
