"""What remains of the thesis's advice (section 5 and table 5.1), each sentence with its numbers."""

from collections.abc import Iterator

from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    HEAVY,
    HPC2N,
    PRESETS,
    SCARCE,
    compared,
    windows,
)
from model.papers.later_clusters.page_costs import FETCH, READ, WALK, page_us
from model.papers.measurements import Measurements
from model.papers.tables import interval, table

_CM5, _BEOWULF, _RDMA = PRESETS


def advice(measured: Measurements) -> Iterator[str]:
    """The advice, in Markdown, with the numbers that are stored."""

    def times(cluster: str, load: str, design: str, than: str = "DP") -> str:
        """A response time in multiples of another's, told over windows."""
        return interval(compared(measured, cluster, load, design, than)["by windows"])

    def messages(cluster: str, load: str, design: str) -> str:
        found = compared(measured, cluster, load, design, "MAN", "protocol_messages")
        return interval(found["by windows"])

    def over(cluster: str, above: str, below: str) -> str:
        costs = page_us(cluster)
        return f"{costs[above] / costs[below]:,.1f}"

    yield "## What remains of the thesis's advice"
    yield ""
    yield "The thesis's table 5.1, and the same after these runs:"
    yield ""
    yield from table(
        ("", "low load", "high load"),
        [
            ("fast network, thesis", "any", "CEN, BBx, MAN"),
            ("slow network, thesis", "CLI", "BBx"),
            (
                "disks that turn (cm5, beowulf-2004, hpc2n-2002)",
                "any; nothing pages",
                "any, while idle memory is left; BBx or MAN if it is scarce",
            ),
            ("flash (rdma-2020)", "any; nothing pages", "any; none is hardly worse"),
        ],
    )
    yield (
        "Numbers are response times in multiples of another design's: geometric means over "
        "windows, with intervals over windows."
    )
    yield ""
    yield (
        "- **Whether to borrow is a question of the disk.** Borrowing is worth more on clusters of "
        "2002 to 2004 than on the thesis's: under heavy load jobs with MAN take "
        f"{times(_BEOWULF, HEAVY, 'MAN')} of disk paging's time on beowulf-2004 and "
        f"{times(HPC2N, HEAVY, 'MAN')} on hpc2n-2002, {times(_CM5, HEAVY, 'MAN')} on cm5. There a "
        f"page from the disk costs {over(_BEOWULF, READ, FETCH)} times one over the network, on "
        f"cm5 {over(_CM5, READ, FETCH)} times, and {over(_BEOWULF, READ, WALK)} times the CPU time "
        f"to walk through it, on cm5 {over(_CM5, READ, WALK)} times."
    )
    yield (
        "- **With flash it gains next to nothing**, "
        f"{times(_RDMA, HEAVY, 'MAN')}, though a page from the disk still costs "
        f"{over(_RDMA, READ, FETCH)} times one over the network: the process walks through it for "
        f"{1 / float(over(_RDMA, READ, WALK)):.1f} times as long as the disk takes."
    )
    yield (
        "- **Any design under low load** remains, for want of anything to do: with all of the RAM "
        "nothing pages in these windows, on any of the clusters."
    )
    alike = [f"{times(cluster, HEAVY, 'CLI', 'MAN')} on {cluster}" for cluster in CLUSTERS]
    apart = windows(_CM5, SCARCE)[1]
    apart_times = ", ".join(
        f"{interval(measured.ratio((case, 'CLI'), (case, 'MAN')))} on {preset}"
        for preset in PRESETS
        for case in windows(preset, SCARCE)
        if str(case) == str(apart)
    )
    yield (
        "- **Not CLI under high load** does not remain as it stands. While idle memory is left for "
        "all that ask, CLI is as fast as MAN "
        f"({', '.join(alike)}), with "
        f"{messages(_CM5, HEAVY, 'CLI')} times its messages on cm5. Where it is scarce, CLI takes "
        f"{times(_CM5, SCARCE, 'CLI', 'MAN')} times as long on cm5, "
        f"{times(_BEOWULF, SCARCE, 'CLI', 'MAN')} on beowulf-2004 and "
        f"{times(_RDMA, SCARCE, 'CLI', 'MAN')} on rdma-2020: from three windows none can be told "
        f"from 1, but for exactly the jobs of {apart} they can: {apart_times}, over seeds."
    )
    yield (
        "- **CEN, BBx or MAN under high load** remains: CEN takes "
        f"{times(_BEOWULF, HEAVY, 'CEN', 'MAN')} and BB4 {times(_BEOWULF, HEAVY, 'BB4', 'MAN')} of "
        f"MAN's time on beowulf-2004, BB4 {times(_BEOWULF, SCARCE, 'BB4', 'MAN')} where memory is "
        f"scarce, with {messages(_BEOWULF, SCARCE, 'BB4')} times its messages."
    )
    yield (
        "- **A slow network**, here a bus of the same bandwidth, makes no difference that can be "
        "told, neither against borrowing nor for BBx: where memory is scarce, MAN takes "
        f"{times(_CM5, BUS, 'MAN')} of disk paging's time on cm5, on the star "
        f"{times(_CM5, SCARCE, 'MAN')}; on beowulf-2004 {times(_BEOWULF, BUS, 'MAN')} and "
        f"{times(_BEOWULF, SCARCE, 'MAN')}; on rdma-2020 {times(_RDMA, BUS, 'MAN')} and "
        f"{times(_RDMA, SCARCE, 'MAN')}. On the bus BB4 takes {times(_CM5, BUS, 'BB4', 'MAN')}, "
        f"{times(_BEOWULF, BUS, 'BB4', 'MAN')} and {times(_RDMA, BUS, 'BB4', 'MAN')} of MAN's time."
    )
    yield (
        "- **What these runs do not tell:** they are of 20 jobs each, chosen to be short, and have "
        "no backlog of thousands of jobs as the thesis's; on the preset of 2020 the jobs are still "
        "those of 1994 with 4,096 times their memory; and what HPC2N's log says of memory is no "
        "measurement."
    )
    yield ""
