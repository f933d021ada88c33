"""What remains of the thesis's advice (section 5 and table 5.1), each sentence with its numbers."""

from collections.abc import Iterator

from model.papers.later_clusters.cases import CLUSTERS, PRESETS, SCARCE, compared, windows
from model.papers.later_clusters.page_costs import FETCH, READ, WALK, page_us
from model.papers.measurements import Measurements
from model.papers.tables import interval, section, table

_TABLE_5_1 = (
    ("fast network, thesis", "any", "CEN, BBx, MAN"),
    ("slow network, thesis", "CLI", "BBx"),
    (
        "disks that turn (cm5, beowulf-2004, hpc2n-2002)",
        "any; nothing pages",
        "any, while idle memory is left; BBx or MAN if it is scarce",
    ),
    ("flash (rdma-2020)", "any; nothing pages", "any; none is hardly worse"),
)
#: What a page costs, as `_Numbers` calls it.
_COSTS = {"disk": READ, "network": FETCH, "walk": WALK}
_SEEDS_TELL = windows(PRESETS[0], SCARCE)[1]  # a window in which CLI is surely slower
_ADVICE = (
    "- **Whether to borrow is a question of the disk.** Borrowing is worth more on clusters of "
    "2002 to 2004 than on the thesis's: under heavy load jobs with MAN take "
    "{MAN/DP heavy beowulf-2004} of disk paging's time on beowulf-2004 and "
    "{MAN/DP heavy hpc2n-2002} on hpc2n-2002, {MAN/DP heavy cm5} on cm5. There a page from the "
    "disk costs {disk/network beowulf-2004} times one over the network, on cm5 {disk/network cm5} "
    "times, and {disk/walk beowulf-2004} times the CPU time to walk through it, on cm5 "
    "{disk/walk cm5} times.",
    "- **With flash it gains next to nothing**, {MAN/DP heavy rdma-2020}, though a page from the "
    "disk still costs {disk/network rdma-2020} times one over the network: the process walks "
    "through it for {walk/disk rdma-2020} times as long as the disk takes.",
    "- **Any design under low load** remains, for want of anything to do: with all of the RAM "
    "nothing pages in these windows, on any of the clusters.",
    "- **Not CLI under high load** does not remain as it stands. While idle memory is left for all "
    "that ask, CLI is as fast as MAN ("
    + ", ".join(f"{{CLI/MAN heavy {cluster}}} on {cluster}" for cluster in CLUSTERS)
    + "), with {CLI/MAN heavy cm5 messages} times its messages on cm5. Where it is scarce, CLI "
    "takes {CLI/MAN scarce cm5} times as long on cm5, {CLI/MAN scarce beowulf-2004} on "
    "beowulf-2004 and {CLI/MAN scarce rdma-2020} on rdma-2020: from three windows none can be told "
    f"from 1, but for exactly the jobs of {_SEEDS_TELL} they can: {{by seeds}}, over seeds.",
    "- **CEN, BBx or MAN under high load** remains: CEN takes {CEN/MAN heavy beowulf-2004} and BB4 "
    "{BB4/MAN heavy beowulf-2004} of MAN's time on beowulf-2004, BB4 "
    "{BB4/MAN scarce beowulf-2004} where memory is scarce, with "
    "{BB4/MAN scarce beowulf-2004 messages} times its messages.",
    "- **A slow network**, here a bus of the same bandwidth, makes no difference that can be told, "
    "neither against borrowing nor for BBx: where memory is scarce, MAN takes {MAN/DP bus cm5} of "
    "disk paging's time on cm5, on the star {MAN/DP scarce cm5}; on beowulf-2004 "
    "{MAN/DP bus beowulf-2004} and {MAN/DP scarce beowulf-2004}; on rdma-2020 "
    "{MAN/DP bus rdma-2020} and {MAN/DP scarce rdma-2020}. On the bus BB4 takes "
    "{BB4/MAN bus cm5}, {BB4/MAN bus beowulf-2004} and {BB4/MAN bus rdma-2020} of MAN's time.",
    "- **What these runs do not tell:** they are of 20 jobs each, chosen to be short, and have no "
    "backlog of thousands of jobs as the thesis's; on the preset of 2020 the jobs are still those "
    "of 1994 with 4,096 times their memory; and what HPC2N's log says of memory is no measurement.",
)


class _Numbers(dict[str, str]):
    """Numbers by their names.

    `MAN/DP heavy cm5` is a response time in multiples of another under a load of a cluster, told
    over windows; with `messages` it is those of the protocol. `disk/network cm5` is what a page
    costs in multiples of what another does.
    """

    def __init__(self, measured: Measurements) -> None:
        self._measured = measured

    def __missing__(self, name: str) -> str:
        quotient, *where = name.split()
        own, than = quotient.split("/")
        if own in _COSTS:
            costs = page_us(*where)
            return f"{costs[_COSTS[own]] / costs[_COSTS[than]]:,.1f}"
        load, cluster, *messages = where
        measure = "protocol_messages" if messages else None
        return interval(compared(self._measured, cluster, load, own, than, measure)["by windows"])


def _advice(measured: Measurements) -> Iterator[str]:
    numbers = _Numbers(measured)
    numbers["by seeds"] = ", ".join(
        f"{interval(measured.ratio((case, 'CLI'), (case, 'MAN')))} on {preset}"
        for preset in PRESETS
        for case in windows(preset, SCARCE)
        if str(case) == str(_SEEDS_TELL)
    )
    yield from (line.format_map(numbers) for line in _ADVICE)
    yield ""


advice = section(
    "What remains of the thesis's advice",
    "The thesis's table 5.1, and the same after these runs:",
    lambda _: table(("", "low load", "high load"), _TABLE_5_1),
    lambda _: (
        "Numbers are response times in multiples of another design's: geometric means over "
        "windows, with intervals over windows.",
        "",
    ),
    _advice,
)
