"""How many seeds a sweep runs if that is chosen by the width of an interval."""

from collections.abc import Mapping
from itertools import count, islice

from model.ground.errors import InputError
from model.pnr.measures import PAGING
from model.sweeps.results import over_the_same_jobs
from model.sweeps.statistics import reduction_pct, replications_needed
from model.sweeps.store import Result
from model.sweeps.sweep import Run

_Seeds = dict[int, Run]  # the runs of one design under the same conditions, by seed


def check_half_width(runs: list[Run], half_width_pct: float) -> None:
    """Raise InputError if there is no interval that further runs could make narrow enough."""
    if not half_width_pct > 0:
        raise InputError(f"--half-width {half_width_pct:g}: give a positive number of percent")
    if not any(len(designs) > 1 and PAGING in designs for designs in _by_conditions(runs)):
        raise InputError(f"--half-width: declare {PAGING}, and another design to compare with it")


def further_runs(
    runs: list[Run], stored: Mapping[str, Result], half_width_pct: float, most: int
) -> list[Run]:
    """Runs of further seeds where the difference from DP is less sure than wanted.

    Under the same conditions, every design runs as many seeds as the one with the widest interval
    needs according to the seeds so far; but at most twice as many as so far, since a few seeds say
    little about how many are needed, and at most `most`. There are no further runs where a run has
    failed or DP is not declared.
    """
    further = []
    for designs in _by_conditions(runs):
        keys = [run.key for own in designs.values() for run in own.values()]
        if PAGING not in designs or any(key not in stored for key in keys):
            continue
        wanted = 0
        for own in designs.values():
            common = own.keys() & designs[PAGING].keys()
            needed = _seeds_needed(designs, own, sorted(common), stored, half_width_pct)
            wanted = max(wanted, min(needed, max(2, 2 * len(common))))
        declared = sorted({seed for own in designs.values() for seed in own})
        unused = (seed for seed in count(1) if seed not in declared)
        wanted = min(wanted, most)
        seeds = [*declared, *islice(unused, wanted)][:wanted]
        for seed in seeds:
            for own in designs.values():
                if seed not in own:
                    some = next(iter(own.values()))
                    scenario = some.scenario.model_copy(update={"seed": seed})
                    further.append(Run(scenario, some.observer))
    return further


def _seeds_needed(
    designs: dict[str, _Seeds],
    own: _Seeds,
    seeds: list[int],
    stored: Mapping[str, Result],
    half_width_pct: float,
) -> int:
    """How many seeds one of the designs needs, by its means over the same jobs as disk paging's."""
    pairs = []
    for seed in seeds:
        of_seed = [stored[runs[seed].key] for runs in designs.values() if seed in runs]
        by_key = {result["key"]: result for result in over_the_same_jobs(of_seed)}
        pair = [by_key[runs[seed].key]["summary"] for runs in (designs[PAGING], own)]
        means = [summary["mean_response_s"] for summary in pair]
        if None not in means:
            pairs.append(means)
    found = reduction_pct([paging_s for paging_s, _ in pairs], [own_s for _, own_s in pairs])
    given_up = len(seeds) - found.n  # what they are of is not known
    if found.n < 2:
        return given_up + 2
    if found.half_width <= half_width_pct:
        return len(seeds)
    return given_up + replications_needed(found, half_width_pct)


def _by_conditions(runs: list[Run]) -> list[dict[str, _Seeds]]:
    """Groups of runs that differ only in design and seed: by design, then by seed."""
    found: dict[object, dict[str, _Seeds]] = {}
    for run in runs:
        conditions = run.scenario.model_copy(update={"designs": (), "seed": 0})
        designs = found.setdefault(conditions, {})
        designs.setdefault(run.design.upper(), {})[run.scenario.seed] = run
    return list(found.values())
