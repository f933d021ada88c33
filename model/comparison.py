"""Runs the designs of a scenario one after another."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from model.checks import Checker
from model.cluster import Cluster, Progress
from model.constants import Constants
from model.design import load_design
from model.journal import JournalFile, Record
from model.metrics import RunResult, measure, optimization_ratio_pct
from model.network import load_network
from model.scenario import InputError, Scenario
from model.workload import load_workload


def run(
    scenario: Scenario,
    design: str,
    *,
    readers: tuple[Callable[[Record], None], ...] = (),
    journal_level: str = "all",
    check: bool = False,
    progress: Progress | None = None,
) -> Cluster:
    """Run one design to its end; `check` verifies the rules of the emulation on the way."""
    checker = Checker()
    cluster = Cluster(
        scenario, design, (*readers, *([checker.read] if check else [])), journal_level
    )
    checker.cluster = cluster
    cluster.run(progress)
    if check:
        checker.finish()
    return cluster


def validate(scenario: Scenario) -> None:
    """Raise InputError, before anything runs, if any part of the scenario does not do."""
    names = [load_design(name, scenario).name for name in scenario.designs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--designs: {name} is listed twice; list each design once")
    load_network(scenario, Constants.of(scenario))
    load_workload(scenario)


def compare(
    scenario: Scenario,
    *,
    journal: JournalFile | None = None,
    journal_level: str = "all",
    check: bool = False,
    progress: Progress | None = None,
) -> Iterator[RunResult]:
    """Run the designs; each result as soon as its run has ended, compared with DP's once known."""
    paging_s = None
    ordered = sorted(scenario.designs, key=lambda name: name.upper() != "DP")
    for design in ordered:
        readers = (journal.of(design),) if journal is not None else ()
        cluster = run(
            scenario,
            design,
            readers=readers,
            journal_level=journal_level,
            check=check,
            progress=progress,
        )
        result = measure(cluster)
        response_s = result.summary["mean_response_s"]
        if result.summary["design"] == "DP":
            paging_s = response_s
        ratio = optimization_ratio_pct(paging_s, response_s)
        yield replace(result, summary={**result.summary, "optimization_ratio_pct": ratio})
