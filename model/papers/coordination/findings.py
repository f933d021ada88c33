"""What one would expect of clients that coordinate less, or tell each other less; in numbers."""

from functools import partial
from math import inf

from model.papers.cases import Case
from model.papers.coordination.cases import (
    FAULT_DESIGNS,
    FAULTS,
    GOSSIP_SIZES,
    SIZES,
    everywhere,
    of_size,
    under,
)
from model.papers.findings import Finding, ranges, ratios
from model.papers.measurements import Measurements, mean_of, shows
from model.sweeps.statistics import Estimate

REACHED = 1.05  # of MAN's mean response time: less of a difference would not be worth a design
_BOUND = "Mitzenmacher 2001; Infiniswap, NSDI 2017"
_GROWING = tuple(map(of_size, SIZES))
_EVENLY = (
    "All designs find about as much memory. But MAN's managers divide what they find evenly among "
    "a job's processes, while clients on their own leave some with all that they lack and others "
    "with nothing, and at each barrier all wait for the slowest. It shows where most of what jobs "
    "lack is found (four fifths, from record 3,801 on and at 65 % RAM), less where more is missed."
)
_RUMOURS = (
    "Each change of a node's load is told in turn by every node that hears of it, whether anybody "
    "is about to borrow or not. MAN's managers tell what they learned when they had to find "
    "memory, which is seldom: four times in 19 jobs."
)
_AGAIN = (
    "It helps where memory becomes free while jobs run, since clients that got little ask again. "
    "Where it does not, recalls move pages from a lender to the borrower's disk, each client asks "
    "for itself, so that nobody divides evenly, and one that lacks memory asks all nodes every "
    "minute, in vain."
)
_SWITCH = (
    "A star's only switch serves one message after another. Among 64 nodes it is nearly idle; "
    "more nodes bring more pages, and in the end these wait there as long as at a disk."
)
_RELIABLE = tuple(name for name in FAULT_DESIGNS if name.startswith("RELIABLE"))
_OF_MESSAGES = tuple(name for name in FAULTS if "lost" in name or "partition" in name)


def _protocol_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    protocol = measured.values(case, design, "protocol_messages")
    return mean_of(100 * protocol / measured.values(case, design, "messages"))


_probes = partial(Finding, "Probes")
_telling = partial(Finding, "Telling")
_reclaiming = partial(Finding, "Reclaiming", "thesis, 5.3")
_faults = partial(Finding, "Faults")

FINDINGS = (
    _probes(
        "thesis, 4.2",
        "Clients that do not coordinate at all (CLI) are more than 5 % slower than with MAN.",
        everywhere("CLI", REACHED, inf),
        why=_EVENLY,
    ),
    _probes(
        _BOUND,
        "Clients that probe two others drawn at random need no coordination: they reach MAN, "
        "within 5 % of its mean response time.",
        everywhere("PROBE2", 0, REACHED),
        why="As for CLI; and two probes, unlike all nodes in turn, may miss memory that there is.",
    ),
    _probes(
        _BOUND, "With four probes they do.", everywhere("PROBE4", 0, REACHED), why="As for CLI."
    ),
    _probes(
        _BOUND,
        "Two choices have most of the gain: with four probes, jobs are at most 5 % faster.",
        everywhere("PROBE2", 0, REACHED, "PROBE4"),
        why="The theory is of the longest queue, to which a job adds one. Here a loan may take "
        "all that a server has, and a client may ask two servers that have nothing left.",
    ),
    _probes(
        "the argument against managers",
        "Probes take fewer messages than MAN's managers with their broadcasts.",
        (
            everywhere("PROBE2", 0, 1, measure="protocol_messages"),
            everywhere("PROBE4", 0, 1, measure="protocol_messages"),
        ),
        why="MAN broadcasts seldom (see 8), so the queries and replies of four probes are more.",
    ),
    _telling(
        "MOSIX (Barak and La'adan 1998)",
        "With gossip instead of broadcasts, jobs are as fast, within 5 %, where memory is scarce.",
        everywhere("GOSSIP", 0, REACHED),
        why="Clients know as much of others as MAN's managers, but as in CLI each asks for itself.",
    ),
    _telling(
        "MOSIX (Barak and La'adan 1998)",
        "They are so where it is less scarce, among 64 nodes and among 256.",
        ratios(map(of_size, GOSSIP_SIZES), "GOSSIP", 0, REACHED, ["MAN"]),
        why="As for CLI.",
    ),
    _telling(
        "Demers et al. 1987",
        "Gossip takes fewer messages than MAN, whose broadcasts go to everybody.",
        ratios(map(of_size, GOSSIP_SIZES), "GOSSIP", 0, 1, ["MAN"], "protocol_messages"),
        why=_RUMOURS,
    ),
    _telling(
        "Dalal and Metcalfe 1978",
        "A tree tells everybody as soon: with TREE4, jobs take as long as with MAN, within 1 %.",
        ratios(_GROWING, "TREE4", 0.99, 1.01, ["MAN"]),
    ),
    _telling(
        "thesis, 5.1",
        "MAN's broadcasts burden a large cluster: a hundredth of all messages or more.",
        ranges(_GROWING, "% of all messages, {}", ["MAN"], 1, inf, _protocol_pct),
        why="Nearly all messages are of pages and barriers, and their number grows as fast.",
    ),
    _telling(
        "thesis, 4.1",
        "Network RAM is faster than disk paging (DP), also among 256 and 1,024 nodes.",
        ratios(_GROWING, "DP", 1, inf, ["MAN", "TREE4"]),
        why=_SWITCH,
    ),
    _reclaiming(
        "Where lenders recall memory and borrowers ask again, jobs are faster than with MAN.",
        everywhere("RECLAIM(MAN)", 0, 1),
        why=_AGAIN,
    ),
    _reclaiming(
        "This at most doubles the messages of the protocol.",
        everywhere("RECLAIM(MAN)", 0, 2, measure="protocol_messages"),
        why="A client that lacks memory asks all nodes again every minute.",
    ),
    _faults(
        "Saltzer, Reed and Clark 1984",
        "Where messages are acknowledged and repeated (RELIABLE), losses and partitions stop no "
        "job and leak no memory.",
        tuple(
            ranges(under(fault), words, _RELIABLE, 0, 0, shows(measure))
            for fault in _OF_MESSAGES
            for words, measure in (
                ("jobs that hang, {}", "faults.jobs_stuck"),
                ("MB that leak, {}", "faults.leaked_mb"),
            )
        ),
        why="A message is repeated for four minutes and then given up; a partition of five minutes "
        "outlasts that.",
    ),
    _faults(
        "Birrell and Nelson 1984",
        "Without faults this makes jobs less than 1 % slower.",
        tuple(
            ratios(under(FAULTS[0]), f"RELIABLE({within})", 0, 1.01, [within])
            for within in ("CLI", "CEN", "MAN")
        ),
    ),
)
