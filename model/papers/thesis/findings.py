"""What the thesis found, statement by statement, as claims in numbers.

A finding is a statement of chapter 4 or 5 with claims that a quantity of each of some designs is in
a range. A range that the thesis states is taken as it is; a number becomes a range around it, which
the claim states.
"""

from functools import lru_cache
from math import hypot, inf, nan, sqrt

from model.papers.cases import Case
from model.papers.findings import Claims, Finding, near, ranges
from model.papers.measurements import Compared, Measurements
from model.papers.thesis.cases import LOADS, base, clusters, table_3_1, values
from model.sweeps.advice import NETWORKS
from model.sweeps.statistics import Estimate, around

# Quantities. A single run has no interval; it gets that of the case in which seeds differ the most.


def _mean(measured: Measurements, case: Case, design: str, measure: str) -> Estimate | None:
    """A design's mean, with an interval even for a single run."""
    found = measured.of(case, design, measure)
    if found is None or found.n > 1:
        return found
    spread = _spread_of_one(measured, case.parameters["nodes"], design, measure)
    return around(found.mean, spread * found.mean, 1)


def _reduction_pct(
    measured: Measurements, own: Compared, than: Compared, measure: str | None = None
) -> Estimate | None:
    """`Measurements.reduction_pct` against another design, or the same one in another case.

    For a single run, two cases of one design are taken to vary independently.
    """
    found = measured.reduction_pct(own, than, measure)
    if found is None or found.n > 1:
        return found
    (case, design), (_, other) = own, than
    nodes = case.parameters["nodes"]
    if other == design:
        spread = sqrt(2) * _spread_of_one(measured, nodes, design, measure)
    else:
        spread = _spread_of_one(measured, nodes, design, measure, other)
    return around(found.mean, spread * (100 - found.mean), 1)


@lru_cache(maxsize=256)  # enough for one page
def _spread_of_one(
    measured: Measurements, nodes: int, design: str, measure: str | None, than: str = ""
) -> float:
    """How far a single run may be off, as a share of its value: half of a 95 % interval.

    It is taken from the case of table 3.1 with as many nodes and several seeds in which the seeds
    differ the most, for a mean or (`than`) the quotient of two designs; nan if there is none.
    """
    spreads = []
    for case in table_3_1(nodes):
        known = measured.of(case, design, measure)
        of = known and known.mean
        if than and known:
            known = measured.reduction_pct((case, design), (case, than), measure)
            of = known and 100 - known.mean
        if known and known.n > 1 and of:
            spreads.append(known.half_width_of_one / of)
    return max(spreads, default=nan)


def _optimization_ratio(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return _reduction_pct(measured, (case, design), (case, "DP"))


#: Designs whose response times differ by less than this are alike: less is visible in none of the
#: thesis's figures, and means nothing, however sure it is.
TELLING_PCT = 0.5


# Claims. Each function makes one claim from measurements, with a part for each design.


def ratio(
    case: Case, designs: list[str], low: float, high: float = inf, most: bool = False
) -> Claims:
    """Optimization ratios are between low and high, in percent."""
    words = "optimization ratio {} %"
    return ranges(words, case, designs, low, high, _optimization_ratio, most)


def faster(
    case: Case, design: str, others: list[str], by_at_least_pct: float = TELLING_PCT
) -> Claims:
    """A design's response time is shorter than each of the others', by a percentage of theirs."""

    def value(measured: Measurements, case: Case, other: str) -> Estimate | None:
        return _reduction_pct(measured, (case, design), (case, other))

    than = [other for other in others if other != design]
    return ranges(f"{design} faster by {{}} % than", case, than, by_at_least_pct, inf, value)


def slowest(case: Case, design: str, others: list[str]) -> Claims:
    """The response time of each of the others is shorter than a design's."""
    faster_ones = [other for other in others if other != design]
    return _shorter(f"faster than {design} by {{}} %", case, design, faster_ones, TELLING_PCT, inf)


def alike(case: Case, designs: list[str], within_pct: float) -> Claims:
    """Response times differ from the first design's by at most `within_pct`."""
    first, *others = designs
    return _shorter(f"shorter than {first} by {{}} %", case, first, others, -within_pct, within_pct)


def _shorter(
    words: str, case: Case, than: str, designs: list[str], low: float, high: float
) -> Claims:
    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        return _reduction_pct(measured, (case, design), (case, than))

    return ranges(words, case, designs, low, high, value)


def times(
    words: str,
    case: Case,
    designs: list[str],
    low: float,
    high: float,
    measure: str | None = None,
    than: Case | None = None,
) -> Claims:
    """A measure, in multiples of DP's or of its own in the case `than`, is between low and high."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        other = (case, "DP") if than is None else (than, design)
        reduction = _reduction_pct(measured, (case, design), other, measure)
        if reduction is None:
            return None
        mean, least, most, n = reduction
        return Estimate(*(1 - percent / 100 for percent in (mean, most, least)), n)

    return ranges(f"{words}, {{}}", case, designs, low, high, value)


def amount(
    words: str,
    case: Case,
    designs: list[str],
    measure: str,
    low: float,
    high: float,
    most: bool = False,
) -> Claims:
    """A measure is between low and high, in MB."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        return _mean(measured, case, design, measure)

    return ranges(f"{words} {{}} MB", case, designs, low, high, value, most)


def change(case: Case, than: Case, designs: list[str], low: float, high: float) -> Claims:
    """Optimization ratios minus those in the case `than` are between low and high, in points."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        here, there = (_optimization_ratio(measured, one, design) for one in (case, than))
        if here is None or there is None:
            return None
        half = hypot(here.half_width, there.half_width)
        return around(here.mean - there.mean, half, min(here.n, there.n))

    words = f"optimization ratio less that at {than}, {{}} points"
    return ranges(words, case, designs, low, high, value)


LIGHT, HEAVY = LOADS
SMALL, LARGE = clusters()
L64, H64, L128, H128 = (base(nodes, load) for nodes in (SMALL, LARGE) for load in LOADS)
CASES = (L64, H64, L128, H128)
PNR = {nodes: [name for name in designs if name != "DP"] for nodes, designs in clusters().items()}
COORDINATED = {nodes: [name for name in names if name != "CLI"] for nodes, names in PNR.items()}
P64, C64, P128, C128 = PNR[SMALL], COORDINATED[SMALL], PNR[LARGE], COORDINATED[LARGE]
SCARCE = (85, 75, 65, 50)
FAST = tuple(v for v in values("bandwidth", "bandwidth_mbps") if v > 100)
AMPLE = tuple(v for v in values("ram", "ram") if v >= 100)


def _on(network: str, *cases: Case) -> list[Case]:
    """These cases on the networks that table 5.1 calls by this name."""
    return [case.but(**varied) for case in cases for varied in NETWORKS[network]]


BASE_64, SCHEDULERS, RAM_LIGHT, RAM_HEAVY = (
    "64 nodes, base case",
    "64 nodes, space sharing against gang scheduling",
    "64 nodes, RAM, light",
    "64 nodes, RAM, backlogged",
)
NETWORK, TOPOLOGY, SPACE, BASE_128, ADVICE = (
    "Network",
    "Topology",
    "Space sharing",
    "128 nodes",
    "Advice (table 5.1)",
)

FINDINGS = (
    Finding(
        BASE_64,
        "4.1.1",
        "Light: every design is 10 to 12 % better than DP.",
        (ratio(L64, P64, 10, 12.5),),
        why="The designs gain more than in the thesis, and are more alike: they save disk time, "
        "13.2 ms per page against about 0.8 ms over the star, and the switch is busy 1 % of the "
        "time, so coordination costs nearly nothing. How much DP loses depends on the jobs: with "
        "windows of 1,000 jobs, PNR gains from 0 to 80 % (last table).",
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Light: CLI is the best (12.08 %).",
        (faster(L64, "CLI", C64),),
        why="No design is short of memory to borrow (need left unmet: 0 MB), so all do the same.",
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Backlogged: CLI is worse than DP.",
        (ratio(H64, ["CLI"], -inf, 0),),
        why="A page over the network costs a fraction of one from disk, and uncoordinated clients "
        "find nearly as much memory: they go on asking until every server has been tried. A "
        "scenario's `skip_full` stops that.",
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Backlogged: CEN < BB4 < BB8 < BB16 in optimization ratio.",
        (
            faster(H64, "BB4", ["CEN"]),
            faster(H64, "BB8", ["BB4"]),
            faster(H64, "BB16", ["BB8"]),
        ),
        why="The designs differ by less than the seeds can tell apart; see 3.",
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Backlogged: BB16 is the best, 33.38 % better than DP; MAN is behind it.",
        (ratio(H64, ["BB16"], *near(33.38, 10)), faster(H64, "BB16", ["MAN"])),
        why="The ratio depends on how far DP is backlogged while PNR is not. Of 5,000 jobs, BB16 "
        "gains 30.8 % at load factor 1 (figure 4.1; seed 1) and 91.5 % at 1.5, where DP's jobs "
        "wait 38,000 s of their 40,000 and BB16's 1,900 of 3,400; BB4 gains 75.1 % at 1.15. The "
        "heavy load was chosen so that DP uses as much RAM as in the thesis, where PNR's queue "
        "grew too.",
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Backlogged: all but CLI have about 70 % of DP's page faults, or fewer.",
        (times("page faults in multiples of DP's", H64, C64, -inf, 0.75, "faults"),),
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Light: RAM allocated on a node is 6.88 MB under DP, with a deviation over nodes of "
        "4.96 MB; under PNR the deviation is about 4.4 MB.",
        (
            amount("mean RAM allocated", L64, ["DP"], "allocated_mb_mean", *near(6.88, 10)),
            amount("deviation of RAM allocated", L64, ["DP"], "allocated_mb_sd", *near(4.96, 10)),
            amount("deviation of RAM allocated", L64, P64, "allocated_mb_sd", *near(4.4, 10)),
        ),
        why="Mean RAM in use follows from the jobs, which are not those of the thesis.",
    ),
    Finding(
        BASE_64,
        "4.1.1",
        "Backlogged: RAM allocated on a node is 17.87 MB under DP (deviation 5.17 MB), and less "
        "under PNR: 14.45 to 16.37 MB (4.98 to 5.76 MB).",
        (
            amount("mean RAM allocated", H64, P64, "allocated_mb_mean", 14.45, 16.37),
            times(
                "mean RAM allocated in multiples of DP's", H64, P64, -inf, 1, "allocated_mb_mean"
            ),
            amount("deviation of RAM allocated", H64, ["DP"], "allocated_mb_sd", *near(5.17, 10)),
            amount("deviation of RAM allocated", H64, P64, "allocated_mb_sd", 4.98, 5.76),
        ),
        why="DP's mean, 18.2 MB here, is not a claim, since the load was chosen for it. PNR's is "
        "lower because PNR works off the queue here; in the thesis its jobs waited too.",
    ),
    Finding(
        SCHEDULERS,
        "5.1.3",
        "Backlogged: response times are shorter with space sharing than with gang scheduling.",
        (
            times(
                "response time in multiples of that with gang scheduling",
                H64.but(scheduler="space"),
                ["DP", *P64],
                -inf,
                1,
                than=H64,
            ),
        ),
        why="DP's backlog is due to paging, and at 100 % RAM space sharing has none: DP's jobs "
        "wait 3,500 s instead of 38,000. PNR pages fast enough with gang scheduling too, where its "
        "jobs wait 1,900 s, since two share a node.",
    ),
    Finding(
        SCHEDULERS,
        "5.1.3",
        "Light: response times are longer with space sharing.",
        (
            times(
                "response time in multiples of that with gang scheduling",
                L64.but(scheduler="space"),
                ["DP", *P64],
                1,
                inf,
                than=L64,
            ),
        ),
    ),
    Finding(
        RAM_LIGHT,
        "4.1.2",
        "PNR is 75 to 100 % better than DP at 85 and 75 % RAM.",
        tuple(ratio(L64.but(ram=ram), P64, 75) for ram in (85, 75)),  # all are below 100
    ),
    Finding(
        RAM_LIGHT,
        "4.1.2",
        "Most designs are worse than DP at 65 % RAM.",
        (ratio(L64.but(ram=65), P64, -inf, 0, most=True),),
        why="DP is backlogged here: its jobs wait 225,000 s of their 229,000. Each fault that "
        "the network serves shortens the queue for all jobs.",
    ),
    Finding(
        RAM_LIGHT,
        "4.1.2",
        "Most designs are 25 to 50 % better than DP at 50 % RAM.",
        (ratio(L64.but(ram=50), P64, 25, 50, most=True),),
    ),
    Finding(
        RAM_LIGHT,
        "4.1.2",
        "CLI is the last of the PNR designs below 100 % RAM.",
        tuple(slowest(L64.but(ram=ram), "CLI", C64) for ram in SCARCE),
        why="At 65 and 50 % RAM every design is backlogged, and nearly all of a response time "
        "is waiting; a single seed says little about their order.",
    ),
    Finding(
        RAM_LIGHT,
        "4.1.2",
        "No PNR design uses the disk at 100 % RAM and above.",
        tuple(
            amount("on disk", L64.but(ram=ram), P64, "disk_mb_mean", -inf, 0.005) for ram in AMPLE
        ),
    ),
    Finding(
        RAM_LIGHT,
        "4.1.2",
        "Where RAM is scarce, MAN is the steadiest: in each case better than the others, or as "
        "good.",
        tuple(faster(L64.but(ram=ram), "MAN", P64, -5) for ram in SCARCE),
        why="At 75 % RAM only MAN is not backlogged; at 65 and 50 % all are, see 14.",
    ),
    Finding(
        RAM_HEAVY,
        "4.1.2",
        "More RAM at first gives PNR a boost: its optimization ratio is higher at 115 and 125 % "
        "RAM.",
        tuple(change(H64.but(ram=ram), H64, P64, 0, inf) for ram in (115, 125)),
        why="DP's jobs wait 38,000 s at 100 % RAM and 2,800 s at 115 %, so there is less to gain: "
        "see 5.",
    ),
    Finding(
        RAM_HEAVY,
        "4.1.2",
        "All designs and DP are equal from 135 % RAM on.",
        tuple(ratio(H64.but(ram=ram), P64, -5, 5) for ram in (135, 150)),
    ),
    Finding(
        RAM_HEAVY,
        "4.1.2",
        "At 115 % RAM DP has about 1.25 MB of a node on disk, PNR 0.5 MB or less.",
        (
            amount("on disk", H64.but(ram=115), ["DP"], "disk_mb_mean", *near(1.25, 25)),
            amount("on disk", H64.but(ram=115), P64, "disk_mb_mean", -inf, 0.55),
        ),
        why="What does not fit depends on the largest jobs, and the jobs are not those of the "
        "thesis.",
    ),
    Finding(
        RAM_HEAVY,
        "4.1.2",
        "At 125 % RAM DP has 0.32 MB of a node on disk, most PNR designs less than 0.1 MB.",
        (
            amount("on disk", H64.but(ram=125), ["DP"], "disk_mb_mean", *near(0.32, 25)),
            amount("on disk", H64.but(ram=125), P64, "disk_mb_mean", -inf, 0.1, most=True),
        ),
        why="See 19.",
    ),
    Finding(
        RAM_HEAVY,
        "4.1.2",
        "Where RAM is scarce, PNR gains at 85 and 75 % RAM, but less than under light load; less "
        "still at 65 %, and more again at 50 %.",
        (
            *(ratio(H64.but(ram=ram), P64, 0) for ram in (85, 75)),
            *(change(H64.but(ram=ram), L64.but(ram=ram), P64, -inf, 0) for ram in (85, 75)),
            change(H64.but(ram=65), H64.but(ram=75), P64, -inf, 0),
            change(H64.but(ram=50), H64.but(ram=65), P64, 0, inf),
        ),
        why="The less RAM there is, the longer are the queues of all designs, and the less they "
        "differ from DP.",
    ),
    Finding(
        RAM_HEAVY,
        "4.1.2",
        "Where RAM is scarce, MAN is always better than DP.",
        tuple(ratio(H64.but(ram=ram), ["MAN"], 0) for ram in SCARCE),
    ),
    Finding(
        NETWORK,
        "4.1.3",
        "At 10 Mbps PNR is an order of magnitude worse: the 5,000 jobs take 10⁷ s in all, not 10⁶.",
        tuple(
            times(
                "simulated time in multiples of that at 100 Mbps",
                case.but(bandwidth_mbps=10),
                PNR[case.parameters["nodes"]],
                sqrt(10),
                inf,
                "sim_end_s",
                than=case,
            )
            for case in (H64, H128)
        ),
        why="A page takes about 7 ms over two links of 10 Mbps, half of what the disk takes. Mean "
        "response times are 1.1 to 1.2 times those at 100 Mbps under light load, and 2.5 to 6.7 "
        "times under heavy load, as a queue begins; but it is worked off, and the last job ends "
        "little later. Except for CLI with 128 nodes under heavy load, PNR is still ahead of DP.",
    ),
    Finding(
        NETWORK,
        "4.1.3",
        "64 nodes, light: above 100 Mbps all PNR designs are alike.",
        tuple(alike(L64.but(bandwidth_mbps=mbps), P64, 2) for mbps in FAST),
    ),
    Finding(
        NETWORK,
        "4.1.3",
        "64 nodes, light: no PNR design uses the disk at any bandwidth.",
        tuple(
            amount("on disk", L64.but(bandwidth_mbps=mbps), P64, "disk_mb_mean", -inf, 0.005)
            for mbps in (10, 100, *FAST)
        ),
    ),
    Finding(
        NETWORK,
        "4.1.3",
        "64 nodes, backlogged: CLI is worse than every other PNR design.",
        tuple(slowest(H64.but(bandwidth_mbps=mbps), "CLI", C64) for mbps in (100, *FAST)),
        why="See 3: uncoordinated clients find nearly as much memory.",
    ),
    Finding(
        NETWORK,
        "4.1.3",
        "64 nodes, backlogged: above 100 Mbps CLI is better than DP.",
        tuple(ratio(H64.but(bandwidth_mbps=mbps), ["CLI"], 0) for mbps in FAST),
    ),
    Finding(
        TOPOLOGY,
        "4.1.4",
        "64 nodes, light: PNR is better than DP on every topology.",
        tuple(ratio(L64.but(topology=name), P64, 0) for name in ("bus", "star", "connected")),
    ),
    Finding(
        TOPOLOGY,
        "4.1.4",
        "64 nodes: on the bus, less coordination is better.",
        tuple(faster(case.but(topology="bus"), "CLI", C64) for case in (L64, H64)),
        why="The bus is busy 0.7 % of the time under light load and 5 % when backlogged, "
        "nearly all of it with pages: coordination costs nothing there either.",
    ),
    Finding(
        TOPOLOGY,
        "4.1.4, 4.2.4",
        "The connected network behaves like a fast one (64 nodes: light).",
        tuple(
            times(
                "response time in multiples of that on a star with 1,000 Mbps",
                case.but(topology="connected"),
                PNR[case.parameters["nodes"]],
                0.95,
                1.05,
                than=case.but(bandwidth_mbps=1000),
            )
            for case in (L64, L128, H128)
        ),
        why="Under light load it does; backlogged, seeds differ by more than 5 %.",
    ),
    Finding(
        TOPOLOGY,
        "4.1.4",
        "64 nodes, connected, backlogged: BB16 is the best, 60 % better than DP; CLI is worse than "
        "DP.",
        (
            ratio(H64.but(topology="connected"), ["BB16"], *near(60, 10)),
            faster(H64.but(topology="connected"), "BB16", P64),
            ratio(H64.but(topology="connected"), ["CLI"], -inf, 0),
        ),
        why="DP is further behind than in the thesis: see 5.",
    ),
    Finding(
        SPACE,
        "4.1.5, 4.2.5",
        "At 100 % RAM all designs, DP too, are alike.",
        tuple(
            ratio(case.but(scheduler="space", ram=100), PNR[case.parameters["nodes"]], -2, 2)
            for case in CASES
        ),
    ),
    Finding(
        SPACE,
        "4.1.5, 4.2.5",
        "At 75 % RAM all PNR designs are nearly alike, with a slight edge of CLI.",
        (
            *(
                alike(case.but(scheduler="space", ram=75), PNR[case.parameters["nodes"]], 5)
                for case in CASES
            ),
            *(
                faster(
                    case.but(scheduler="space", ram=75),
                    "CLI",
                    COORDINATED[case.parameters["nodes"]],
                    0,
                )
                for case in CASES
            ),
        ),
    ),
    Finding(
        SPACE,
        "4.1.5, 4.2.5",
        "At 50 % RAM CLI is behind the others.",
        tuple(
            slowest(
                case.but(scheduler="space", ram=50), "CLI", COORDINATED[case.parameters["nodes"]]
            )
            for case in CASES
        ),
    ),
    Finding(
        SPACE,
        "4.1.5",
        "64 nodes, backlogged: at 50 % RAM all but CLI are about 45 % better than DP.",
        (ratio(H64.but(scheduler="space", ram=50), C64, *near(45, 15)),),
        why="DP is further behind: see 5.",
    ),
    Finding(
        SPACE,
        "4.2.5",
        "128 nodes: at 75 and 50 % RAM all but CLI are almost identical.",
        tuple(
            alike(case.but(scheduler="space", ram=ram), C128, 5)
            for case in (L128, H128)
            for ram in (75, 50)
        ),
        why="They are at 75 % RAM and under light load. Under heavy load at 50 %, nearly all of a "
        "response time is waiting (10,600 s under CEN, 22,700 under MAN), and a queue multiplies "
        "the small differences between designs.",
    ),
    Finding(
        BASE_128,
        "4.2.1",
        "Backlogged: PNR designs have 50 to 80 % of DP's page faults.",
        (times("page faults in multiples of DP's", H128, P128, 0.5, 0.8, "faults"),),
        why="They have fewer, as in the thesis, but by a larger factor: jobs that end sooner are "
        "switched less often; also see 5.",
    ),
    Finding(
        BASE_128,
        "4.2.1",
        "Light: CLI is about 15 % better than DP, the others 5 to 7.5 %.",
        (ratio(L128, ["CLI"], *near(15, 15)), ratio(L128, C128, 5, 7.5)),
        why="CLI gains somewhat more than in the thesis, and the others gain as much: see 1. "
        "The thesis's star became a bottleneck with 128 nodes; ours is busy 1 % of the time.",
    ),
    Finding(
        BASE_128,
        "4.2.1",
        "Backlogged: CLI and BB8 are about 5 % better than DP.",
        (ratio(H128, ["CLI", "BB8"], 2.5, 7.5),),
        why="See 5: at this load DP's jobs wait, while PNR's hardly do.",
    ),
    Finding(
        BASE_128,
        "4.2.1",
        "Backlogged: CEN, BB16 and MAN are worse than DP.",
        (ratio(H128, ["CEN", "BB16", "MAN"], -inf, 0),),
        why="The thesis explains it by its congested central switch. Here the switch is busy 5 to "
        "6 % of the time, and a page over the network takes far less time than one from disk.",
    ),
    Finding(
        BASE_128,
        "4.2.1",
        "Light: RAM allocated on a node is 7.54 MB under DP, with a deviation over nodes of 5.23 "
        "MB; 6.28 (4.65) MB under MAN; 5.52 (4.35) MB under CLI.",
        (
            amount("mean RAM allocated", L128, ["DP"], "allocated_mb_mean", *near(7.54, 10)),
            amount("mean RAM allocated", L128, ["MAN"], "allocated_mb_mean", *near(6.28, 10)),
            amount("mean RAM allocated", L128, ["CLI"], "allocated_mb_mean", *near(5.52, 10)),
            amount("deviation of RAM allocated", L128, ["DP"], "allocated_mb_sd", *near(5.23, 10)),
            amount("deviation of RAM allocated", L128, ["MAN"], "allocated_mb_sd", *near(4.65, 10)),
            amount("deviation of RAM allocated", L128, ["CLI"], "allocated_mb_sd", *near(4.35, 10)),
        ),
        why="The jobs are not those of the thesis, and all designs do the same: see 2.",
    ),
    Finding(
        BASE_128,
        "4.2.1",
        "Backlogged: under PNR less is on disk than under DP, and RAM allocated deviates less over "
        "nodes.",
        (
            times("MB on disk in multiples of DP's", H128, P128, -inf, 1, "disk_mb_mean"),
            times("deviation in multiples of DP's", H128, P128, -inf, 1, "allocated_mb_sd"),
        ),
    ),
    Finding(
        BASE_128,
        "4.2.2",
        "Light: PNR is nearly 100 % better than DP at 85 % RAM, and nearly 50 % at 75 %.",
        (ratio(L128.but(ram=85), P128, 75), ratio(L128.but(ram=75), P128, *near(50, 25))),
        why="At 75 % RAM DP's jobs wait 143,000 s and PNR's 11,000 to 29,000: see 5.",
    ),
    Finding(
        BASE_128,
        "4.2.2",
        "Light, 85 % RAM: backbones of 1/8 of the nodes are behind all others, with 64 nodes too.",
        (
            slowest(L64.but(ram=85), "BB8", P64),
            slowest(L128.but(ram=85), "BB16", P128),
        ),
    ),
    Finding(
        BASE_128,
        "4.2.2",
        "Backlogged, 85 and 75 % RAM: PNR is better than DP, by not much above 50 %.",
        tuple(ratio(H128.but(ram=ram), P128, 0, 60) for ram in (85, 75)),
        why="DP is further behind at 85 %: see 5.",
    ),
    Finding(
        BASE_128,
        "4.2.4",
        "Bus, light: CEN's optimization ratio is -2,500 %.",
        (ratio(L128.but(topology="bus"), ["CEN"], -3333, -1667),),
        why="The thesis's bus was congested. Ours is busy 1.9 % of the time.",
    ),
    Finding(
        BASE_128,
        "4.2.4",
        "Bus, backlogged: CEN suffers the most, with an optimization ratio of about -300 %, CLI "
        "the least.",
        (
            ratio(H128.but(topology="bus"), ["CEN"], -400, -200),
            slowest(H128.but(topology="bus"), "CEN", P128),
            faster(H128.but(topology="bus"), "CLI", C128),
        ),
        why="The bus does harm at this load, but most to CLI, which loses to DP; CEN's ratio is "
        "70 % instead of 89 % on the star. The bus is busy 15 to 24 % of the time, so it is not as "
        "congested as the thesis's, and it carries almost only pages.",
    ),
    Finding(
        BASE_128,
        "4.2.4",
        "Connected, backlogged: PNR is better than DP, BB8 and BB16 by more than 50 %.",
        (
            ratio(H128.but(topology="connected"), P128, 0),
            ratio(H128.but(topology="connected"), ["BB8", "BB16"], 50),
        ),
    ),
    Finding(
        BASE_128,
        "4.2.3",
        "At 1,000 Mbps and above all designs beat DP, under both loads.",
        tuple(
            ratio(case.but(bandwidth_mbps=mbps), P128, 0) for case in (L128, H128) for mbps in FAST
        ),
    ),
    Finding(
        BASE_128,
        "4.2.3",
        "Light: at 1,000 Mbps and above all PNR designs are alike, 12.5 % better than DP.",
        (
            *(alike(L128.but(bandwidth_mbps=mbps), P128, 2) for mbps in FAST),
            *(ratio(L128.but(bandwidth_mbps=mbps), P128, *near(12.5, 10)) for mbps in FAST),
        ),
        why="They are alike, but further ahead of DP: see 1.",
    ),
    Finding(
        BASE_128,
        "4.2.3",
        "Backlogged: BB8 and BB16 are 50 to 75 % better than DP at 1,000 and 10,000 Mbps.",
        tuple(
            ratio(H128.but(bandwidth_mbps=mbps), ["BB8", "BB16"], 50, 75) for mbps in (1000, 10000)
        ),
        why="DP is further behind: see 5.",
    ),
    Finding(
        BASE_128,
        "4.2.2",
        "Backlogged, 125 % RAM: all but CLI are at about -100 %.",
        (ratio(H128.but(ram=125), C128, -inf, -75),),
        why="With that much RAM, DP has 6 % of the base case's page faults, and the star, where "
        "the thesis saw congestion, is almost idle.",
    ),
    Finding(
        ADVICE,
        "5.1.4",
        "Fast network, low load: any design.",
        tuple(alike(case, PNR[case.parameters["nodes"]], 2) for case in _on("fast", L64, L128)),
    ),
    Finding(
        ADVICE,
        "5.1.4",
        "Fast network, high load: CEN, BBx or MAN, not CLI.",
        tuple(
            slowest(case, "CLI", COORDINATED[case.parameters["nodes"]])
            for case in _on("fast", H64, H128)
        ),
        why="All find the memory that they lack: see 3.",
    ),
    Finding(
        ADVICE,
        "5.1.4",
        "Slow network, low load: CLI.",
        tuple(
            faster(case, "CLI", COORDINATED[case.parameters["nodes"]])
            for case in _on("slow", L64, L128)
        ),
    ),
    Finding(
        ADVICE,
        "5.1.4",
        "Slow network, high load: BBx, rather than CLI, CEN or MAN.",
        tuple(faster(case, "BB16", ["CLI", "CEN", "MAN"]) for case in _on("slow", H64, H128)),
        why="With 128 nodes CEN is ahead of all others, in single runs; it is open why.",
    ),
)
