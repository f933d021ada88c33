"""Runs the designs of a scenario one after another."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from model.core.checks import Checker
from model.core.journal import Record
from model.core.network import load_network
from model.ground.errors import InputError
from model.pnr.cluster import Cluster, Progress
from model.pnr.constants import Constants
from model.pnr.design import load_design
from model.pnr.metrics import RunResult, measure, optimization_ratio_pct
from model.pnr.scenario import Scenario
from model.pnr.workload import load_workload


def run(
    scenario: Scenario,
    design: str,
    *,
    readers: tuple[Callable[[Record], None], ...] = (),
    journal_level: str = "all",
    engine: str = "auto",
    check: bool = False,
    progress: Progress | None = None,
) -> Cluster:
    """Run one design to its end; `check` verifies the rules of the emulation on the way.

    The engines give the same journal and results: "actors", "compiled", or "auto", which takes the
    compiled one unless every hop is journaled (or checked), where it is no faster.
    """
    checker = Checker()
    if check:
        readers = (*readers, checker.read)
    every_hop = bool(readers) and journal_level == "all"
    cluster = cluster_type(engine, every_hop)(scenario, design, readers, journal_level)
    checker.cluster = cluster
    cluster.run(progress)
    if check:
        checker.finish()
    return cluster


def cluster_type(engine: str, every_hop: bool) -> type[Cluster]:
    """The class of cluster that runs on this engine."""
    if engine == "actors" or (engine == "auto" and every_hop):
        return Cluster
    from model.pnr.compiled.cluster import CompiledCluster  # compiles, the first time ever

    return CompiledCluster


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
    readers: Callable[[str], Iterable[Callable[[Record], None]]] = lambda design: (),
    journal_level: str = "all",
    engine: str = "auto",
    check: bool = False,
    progress: Progress | None = None,
) -> Iterator[RunResult]:
    """Run the designs; each result as soon as its run has ended, compared with DP's once known.

    `readers` gives the readers of a design's journal, when its run begins.
    """
    paging_s = None
    ordered = sorted(scenario.designs, key=lambda name: name.upper() != "DP")
    for design in ordered:
        cluster = run(
            scenario,
            design,
            readers=tuple(readers(design)),
            journal_level=journal_level,
            engine=engine,
            check=check,
            progress=progress,
        )
        result = measure(cluster)
        response_s = result.summary["mean_response_s"]
        if result.summary["design"] == "DP":
            paging_s = response_s
        ratio = optimization_ratio_pct(paging_s, response_s)
        yield replace(result, summary={**result.summary, "optimization_ratio_pct": ratio})
