"""What the thesis's advice and the constants of later clusters led us to expect; in numbers."""

from math import inf

from model.papers.findings import Finding
from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    DESIGNS,
    HEAVY,
    LIGHT,
    PRESETS,
    SCARCE,
    between,
    share_between,
)

ALIKE = 1.01  # times: less of a difference would not be worth a word
REACHED = 1.05  # and less than this not worth a design

CM5, BEOWULF, RDMA = PRESETS
_HARM = "thesis, 5.1.1"
_CONSTANTS = "constants of the presets"
_HIGH = "thesis, table 5.1: fast network, high load"
_OTHERS = tuple(name for name in DESIGNS if name != "MAN")

_NOTHING_PAGES = (
    "With all of the RAM nothing pages in these windows, so there is nothing to borrow."
)
_IDLE = (
    "These jobs leave so much memory idle that every design finds nearly all that it asks for: "
    "with MAN not one page in a million is from the disk."
)
_EVENLY = (
    "As in our study of coordination: MAN's managers divide what they find evenly among a job's "
    "processes, clients on their own do not. It shows in one of the three windows, from record "
    "2,141 on; in the others as much is missing in each design."
)
_THRASHING = (
    "What is missing decides, and a CPU that touches its pages sooner thrashes sooner: where two "
    "time slots displace each other's pages in every quantum, jobs from record 1,181 on take some "
    "47,000 s on beowulf-2004 and 420 s on cm5, and the disk is busy for 95 % of the time, with "
    "MAN too."
)

FINDINGS = (
    Finding(
        "Borrowing",
        _HARM,
        "Under light load network RAM does no harm: jobs take at most 1 % longer than with disk "
        "paging, on every cluster and with every design.",
        tuple(between(cluster, LIGHT, DESIGNS, "DP", 0, ALIKE) for cluster in CLUSTERS),
        why=_NOTHING_PAGES,
    ),
    Finding(
        "Borrowing",
        _HARM,
        "Under heavy load jobs take less than nine tenths of the time, on every cluster.",
        tuple(between(cluster, HEAVY, ["MAN"], "DP", 0, 0.9) for cluster in CLUSTERS),
        why="On rdma-2020 a process walks through a page for twice as long as the flash disk takes "
        "to read it, and seldom reads it again. On hpc2n-2002 the windows differ: MAN leaves 4 to "
        "36 % of DP's time, since in one of them DP thrashes and in two it does not.",
    ),
    Finding(
        "Borrowing",
        _CONSTANTS,
        "On beowulf-2004 borrowing gains more than on cm5, as its disk is as slow and all else is "
        "faster: what MAN leaves of DP's response time is less than half as much.",
        (share_between(BEOWULF, CM5, HEAVY, "MAN", 0, 0.5),),
    ),
    Finding(
        "Borrowing",
        _CONSTANTS,
        "On rdma-2020 it gains less than on cm5, since a page from flash costs less than the CPU "
        "needs to walk through it.",
        (share_between(RDMA, CM5, HEAVY, "MAN", 1, inf),),
    ),
    Finding(
        "Borrowing",
        _HARM,
        "Where memory is too scarce to share there is still a gain: jobs are faster with MAN than "
        "with disk paging.",
        tuple(between(preset, SCARCE, ["MAN"], "DP", 0, 1) for preset in PRESETS),
        why=_THRASHING,
    ),
    Finding(
        "The design",
        "thesis, table 5.1: fast network, low load",
        "Under light load any design will do: they are within 1 % of MAN.",
        tuple(between(cluster, LIGHT, _OTHERS, "MAN", 1 / ALIKE, ALIKE) for cluster in CLUSTERS),
    ),
    Finding(
        "The design",
        _HIGH,
        "Under heavy load not CLI: with it jobs take more than 5 % longer than with MAN.",
        tuple(between(cluster, HEAVY, ["CLI"], "MAN", REACHED, inf) for cluster in CLUSTERS),
        why=_IDLE,
    ),
    Finding(
        "The design",
        _HIGH,
        "Nor where memory is scarce.",
        tuple(between(preset, SCARCE, ["CLI"], "MAN", REACHED, inf) for preset in PRESETS),
        why=_EVENLY,
    ),
    Finding(
        "The design",
        _HIGH,
        "Under heavy load CEN, BB4 or MAN: they are within 5 % of each other.",
        tuple(
            between(cluster, HEAVY, ["CEN", "BB4"], "MAN", 1 / REACHED, REACHED)
            for cluster in CLUSTERS
        ),
    ),
    Finding(
        "The design",
        _HIGH,
        "So they are where memory is scarce (BB4 and MAN).",
        tuple(between(preset, SCARCE, ["BB4"], "MAN", 1 / REACHED, REACHED) for preset in PRESETS),
    ),
    Finding(
        "The design",
        "our study of coordination",
        "Nor two random probes: with PROBE2 jobs take more than 5 % longer than with MAN under "
        "heavy load.",
        tuple(between(cluster, HEAVY, ["PROBE2"], "MAN", REACHED, inf) for cluster in CLUSTERS),
        why=_IDLE,
    ),
    Finding(
        "A bus",
        "thesis, 5.1.2",
        "On a bus network RAM loses against disk paging where memory is scarce.",
        tuple(between(preset, BUS, ["MAN"], "DP", 1, inf) for preset in PRESETS),
        why="The bus is busy for at most 13 % of the time on cm5, 6 % on beowulf-2004 and 9 % on "
        "rdma-2020: what is not borrowed comes from the disks, and these are slower.",
    ),
    Finding(
        "A bus",
        "thesis, table 5.1: slow network, high load",
        "There BBx: BB4 is faster than CLI and MAN.",
        tuple(
            between(preset, BUS, ["BB4"], other, 0, 1)
            for preset in PRESETS
            for other in ("CLI", "MAN")
        ),
    ),
)
