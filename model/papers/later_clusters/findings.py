"""What the thesis's advice and the constants of later clusters led us to expect; in numbers."""

from functools import partial
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

_borrowing = partial(Finding, "Borrowing")
_design = partial(Finding, "The design")
_bus = partial(Finding, "A bus")

FINDINGS = (
    _borrowing(
        _HARM,
        "Under light load network RAM does no harm: jobs take at most 1 % longer than with disk "
        "paging, on every cluster and with every design.",
        between(CLUSTERS, LIGHT, DESIGNS, "DP", 0, ALIKE),
        why=_NOTHING_PAGES,
    ),
    _borrowing(
        _HARM,
        "Under heavy load jobs take less than nine tenths of the time, on every cluster.",
        between(CLUSTERS, HEAVY, ["MAN"], "DP", 0, 0.9),
        why="On rdma-2020 a process walks through a page for twice as long as the flash disk takes "
        "to read it, and seldom reads it again. On hpc2n-2002 the windows differ: MAN leaves 4 to "
        "36 % of DP's time, since in one of them DP thrashes and in two it does not.",
    ),
    _borrowing(
        _CONSTANTS,
        "On beowulf-2004 borrowing gains more than on cm5, as its disk is as slow and all else is "
        "faster: what MAN leaves of DP's response time is less than half as much.",
        share_between(BEOWULF, CM5, HEAVY, "MAN", 0, 0.5),
    ),
    _borrowing(
        _CONSTANTS,
        "On rdma-2020 it gains less than on cm5, since a page from flash costs less than the CPU "
        "needs to walk through it.",
        share_between(RDMA, CM5, HEAVY, "MAN", 1, inf),
    ),
    _borrowing(
        _HARM,
        "Where memory is too scarce to share there is still a gain: jobs are faster with MAN than "
        "with disk paging.",
        between(PRESETS, SCARCE, ["MAN"], "DP", 0, 1),
        why=_THRASHING,
    ),
    _design(
        "thesis, table 5.1: fast network, low load",
        "Under light load any design will do: they are within 1 % of MAN.",
        between(CLUSTERS, LIGHT, _OTHERS, "MAN", 1 / ALIKE, ALIKE),
    ),
    _design(
        _HIGH,
        "Under heavy load not CLI: with it jobs take more than 5 % longer than with MAN.",
        between(CLUSTERS, HEAVY, ["CLI"], "MAN", REACHED, inf),
        why=_IDLE,
    ),
    _design(
        _HIGH,
        "Nor where memory is scarce.",
        between(PRESETS, SCARCE, ["CLI"], "MAN", REACHED, inf),
        why=_EVENLY,
    ),
    _design(
        _HIGH,
        "Under heavy load CEN, BB4 or MAN: they are within 5 % of each other.",
        between(CLUSTERS, HEAVY, ["CEN", "BB4"], "MAN", 1 / REACHED, REACHED),
    ),
    _design(
        _HIGH,
        "So they are where memory is scarce (BB4 and MAN).",
        between(PRESETS, SCARCE, ["BB4"], "MAN", 1 / REACHED, REACHED),
    ),
    _design(
        "our study of coordination",
        "Nor two random probes: with PROBE2 jobs take more than 5 % longer than with MAN under "
        "heavy load.",
        between(CLUSTERS, HEAVY, ["PROBE2"], "MAN", REACHED, inf),
        why=_IDLE,
    ),
    _bus(
        "thesis, 5.1.2",
        "On a bus network RAM loses against disk paging where memory is scarce.",
        between(PRESETS, BUS, ["MAN"], "DP", 1, inf),
        why="The bus is busy for at most 13 % of the time on cm5, 6 % on beowulf-2004 and 9 % on "
        "rdma-2020: what is not borrowed comes from the disks, and these are slower.",
    ),
    _bus(
        "thesis, table 5.1: slow network, high load",
        "There BBx: BB4 is faster than CLI and MAN.",
        tuple(
            between([preset], BUS, ["BB4"], other, 0, 1)
            for preset in PRESETS
            for other in ("CLI", "MAN")
        ),
    ),
)
