"""What the designs gain under each reading of a page on the network, and CLI whatever is tried."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from model.papers.cases import Case
from model.papers.measurements import Measurements, Value
from model.papers.tables import columns, with_interval
from model.papers.thesis.cases import (
    BARE,
    CASES,
    H64,
    OTHER_LOADS,
    base_case_readings,
    distinct_cases,
    load,
    other_readings,
    slower,
)
from model.papers.thesis.claims import TELLING_PCT
from model.papers.thesis.cliff import STATED
from model.papers.thesis.sensitivities import READINGS, in_words
from model.papers.thesis.single_runs import optimization_ratio
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate

_DESIGNS = ("CLI", "BB16", "MAN")


def _gain_where(moved: Mapping[str, object]) -> Value:
    """Gives the optimization ratio where cases have these parameters instead of theirs."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        return optimization_ratio(measured.elsewhere(**moved), case, design)

    return value


#: Optimization ratios, %, of the base cases: a column for each reading.
GAINS = columns(
    ("",),
    {f"{case}: {design}": (case, design) for case in CASES for design in _DESIGNS},
    {name: _gain_where(moved) for name, moved in base_case_readings().items()},
)


def shaken_gains(measured: Measurements) -> list[str]:
    """What MAN gains in the base cases if submissions are shaken, and over seeds, in words."""
    readings = base_case_readings()
    over_seeds, over_arrivals = (_gain_where(readings[name]) for name in (BARE, "shaken"))
    found = (
        (case, over_arrivals(measured, case, "MAN"), over_seeds(measured, case, "MAN"))
        for case in CASES
    )
    return [
        f"{with_interval(shaken)} % instead of {with_interval(seeds)} ({case})"
        for case, shaken, seeds in found
        if shaken is not None and seeds is not None
    ]


def gains_by_seed(measured: Measurements, case: Case, design: str) -> list[float]:
    """The optimization ratios of single runs, %, with the seeds that disk paging has, too."""
    own, paging = measured.in_common([(case, design), (case, PAGING)])
    return [100 * (1 - s / paging_s) for s, paging_s in zip(own, paging, strict=True)]


def single_shaken_runs(measured: Measurements) -> list[str]:
    """What single runs gain in the base cases if submissions are shaken, beside what is stated.

    The thesis's numbers are of single runs; so each run is one that it might have made.
    """
    there = measured.elsewhere(**base_case_readings()["shaken"])
    found = []
    for stated in STATED:
        gains = [
            gain for design in stated.designs for gain in gains_by_seed(there, stated.case, design)
        ]
        if not gains:
            continue
        least, most = min(stated.ratios), max(stated.ratios)
        within = sum(least <= gain <= most for gain in gains)
        runs = f"{len(gains)} runs gain {min(gains):.1f} to {max(gains):.1f} %"
        inside = f", {within} of them as much as is stated" if least < most else ""
        found.append(f"{stated.percents} ({stated.words}): {runs}{inside}")
    return found


def _tried() -> dict[str | tuple[str, ...], tuple[object, ...]]:
    """Whatever was tried to see CLI behind the disk: the parameters of each, by their words."""
    readings = base_case_readings()
    tried: dict[str, Mapping[str, Any]] = {
        "as judged": readings.pop(BARE),
        **readings,
        **{f"{mbps:g} Mbps": {"bandwidth_mbps": mbps} for mbps in slower()},
        **{f"{name} load": load(name) for name in OTHER_LOADS},
        **{in_words(setting): setting for setting in READINGS.values()},
    }
    return {words: (moved,) for words, moved in tried.items()}


def _tried_gain(
    measured: Measurements, moved: Mapping[str, object], design: str
) -> Estimate | None:
    return _gain_where(moved)(measured, H64, design)


#: Optimization ratios, %, of the heavy load on 64 nodes in whatever was tried.
CLI_TRIED = columns(
    ("",), _tried(), {name: partial(_tried_gain, design=name) for name in ("CLI", "MAN")}
)


def cli_alone_behind(measured: Measurements) -> list[str]:
    """The cases of table 3.1 in which CLI is behind disk paging, and MAN is not, in words."""
    found = []
    for name, moved in {"": {}, **other_readings()}.items():
        there = measured.elsewhere(**moved)
        for case in distinct_cases():
            cli, man = (optimization_ratio(there, case, design) for design in ("CLI", "MAN"))
            if cli and man and _is_behind(cli) and not _is_behind(man):
                words = f"{case}, `{name}`" if name else f"{case}"
                found.append(f"{words} (CLI {cli.mean:.1f} %, MAN {man.mean:.1f} %)")
    return found


def _is_behind(ratio: Estimate) -> bool:
    return ratio.mean < -TELLING_PCT
