"""Figures 2 to 9 of Zhang, Qu and Xiao, and 10 over CT; `memory.toml` declares their runs."""

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import compares, shows
from model.sharing.memory.scenario import ALL_POLICIES

_COLORS = {
    "NO": "#000000",
    "CPU": "#E69F00",
    "MEM": "#56B4E9",
    "CPU_MEM_HP": "#009E73",
    "CPU_MEM_HT": "#CC79A7",
}
#: Each index has a color; preemptive migration is dashed, or hatched.
STYLES = {
    policy: Style(_COLORS[policy.rpartition("_")[0]], policy.endswith("PM"))
    for policy in ALL_POLICIES
}
NEW = {name: style for name, style in STYLES.items() if "MEM" in name}
_RUNS = declared("memory")["runs"]
TRACES = _RUNS["figures-8-and-9"]["trace"]
PERCENTAGES = _RUNS["figures-2-to-7"]["fault_pct"]
#: The values of CT, which the paper does not state; at the last one, the default, all else is run.
THRESHOLDS = _RUNS["cpu-bound"]["ct"]
_RATE = "Fault rate, % of the one with NO_LS near 20"
_SLOWDOWN, _SPEEDUP = "Slowdown (ratio of sums)", "Speedup over CPU_PM"


def rates(mean_mb: int) -> tuple[Case, ...]:
    """Trace 0 at increasing fault rates."""
    return tuple(Case(mean_mb=mean_mb, fault_pct=percent) for percent in PERCENTAGES)


def scarce(mean_mb: int) -> Case:
    """Trace 0 at the highest rate, with the few jobs that decide there the same in each seed."""
    return Case(mean_mb=mean_mb, draws="stratified")


def all_traces(mean_mb: int) -> tuple[Case, ...]:
    """Each trace at the rate that was found for it."""
    return tuple(Case(trace=trace, mean_mb=mean_mb) for trace in TRACES)


def cpu_bound(ct: float) -> Case:
    """Trace 0 without faults, at a CPU threshold, with draws that make seeds alike."""
    return scarce(4).but(fault_rate=0, ct=ct)


def memory_bound(ct: float) -> Case:
    """Trace 0 with a mean of 4 MB at the highest rate, at a CPU threshold."""
    return rates(4)[-1].but(ct=ct)


def at_ct(case: Case, policy: str) -> Case:
    """The case of a policy's runs: those of one that does not look at CT have its default."""
    return case.but(ct=THRESHOLDS[-1]) if policy in ("NO_LS", "MEM_RE", "MEM_PM") else case


def _panels(*means_mb: int) -> tuple[Panel, ...]:
    return tuple(
        Panel(rates(mean), tuple(PERCENTAGES), _RATE, f"Mean memory demand {mean} MB")
        for mean in means_mb
    )


def _traces(mean_mb: int) -> tuple[Panel, ...]:
    return (Panel(all_traces(mean_mb), tuple(TRACES), "Trace"),)


_RE = {name: NEW[name] for name in ("CPU_MEM_HP_RE", "CPU_MEM_HT_RE")}
_LOW, _HIGH = "1 and 2 MB", "3 and 4 MB"
_OVER = "of the new policies over CPU_PM on trace 0, means"

FIGURES = (
    PaperFigure("2", f"Slowdowns on trace 0, means {_LOW}", _panels(1, 2), STYLES, _SLOWDOWN),
    PaperFigure("3", f"Slowdowns on trace 0, means {_HIGH}", _panels(3, 4), STYLES, _SLOWDOWN),
    PaperFigure(
        "4", f"Speedups {_OVER} {_LOW}", _panels(1, 2), NEW, _SPEEDUP, compares("CPU_PM"), level=1
    ),
    PaperFigure(
        "5", f"Speedups {_OVER} {_HIGH}", _panels(3, 4), NEW, _SPEEDUP, compares("CPU_PM"), level=1
    ),
    PaperFigure(
        "6",
        "Speedups of high performance and high throughput on trace 0 (surfaces in the paper)",
        _panels(1, 2, 3, 4),
        _RE,
        _SPEEDUP,
        compares("CPU_PM"),
        level=1,
    ),
    PaperFigure(
        "7",
        "Share of paging in response time on trace 0, mean 4 MB, highest rate",
        (Panel((scarce(4),), ("",), "Policy"),),
        STYLES,
        "Paging (%)",
        shows("shares.paging_s", 100),
        "bars",
    ),
    PaperFigure(
        "8", "Slowdowns on all traces, mean 1 MB", _traces(1), STYLES, _SLOWDOWN, form="bars"
    ),
    PaperFigure(
        "9", "Slowdowns on all traces, mean 4 MB", _traces(4), STYLES, _SLOWDOWN, form="bars"
    ),
    PaperFigure(
        "10",
        "Slowdowns on trace 0 by the CPU threshold CT, which the paper does not state (ours)",
        tuple(
            Panel(tuple(map(at, THRESHOLDS)), tuple(f"{ct:g}" for ct in THRESHOLDS), "CT", heading)
            for at, heading in (
                (cpu_bound, "CPU-bound: without faults"),
                (memory_bound, "Memory-bound: 4 MB, highest rate"),
            )
        ),
        {name: STYLES[name] for name in ("CPU_RE", "CPU_PM", "CPU_MEM_HP_RE", "CPU_MEM_HT_RE")},
        _SLOWDOWN,
    ),
)
