"""Runs the policies of a load sharing scenario one after another."""

from collections.abc import Callable, Iterable, Iterator

from agents.sharing.job import SequentialSpec
from model.core.journal import Record
from model.core.network import load_network
from model.ground.errors import InputError
from model.sharing.checks import SharingChecker
from model.sharing.cluster import Progress, SharingCluster
from model.sharing.metrics import SharingResult, label, measure
from model.sharing.scenario import SharingScenario
from model.sharing.system import load_policy, system_of
from model.sharing.workload import load_jobs


def run(
    scenario: SharingScenario,
    policy: str,
    *,
    readers: tuple[Callable[[Record], None], ...] = (),
    journal_level: str = "all",
    check: bool = False,
    progress: Progress | None = None,
    workload: list[SequentialSpec] | None = None,
) -> SharingCluster:
    """Run one policy to its end; `check` verifies the rules of the emulation on the way."""
    checker = SharingChecker()
    if check:
        readers = (*readers, checker.read)
    cluster = SharingCluster(scenario, policy, readers, journal_level, workload)
    checker.cluster = cluster
    cluster.run(progress)
    if check:
        checker.finish()
    return cluster


def validate(scenario: SharingScenario) -> list[SequentialSpec]:
    """The workload; raises InputError, before anything runs, if any of the scenario does not do."""
    workload = load_jobs(scenario)
    validate_policies(scenario)
    load_network(scenario, system_of(scenario).constants(scenario))
    return workload


def validate_policies(scenario: SharingScenario) -> None:
    """Raise InputError if one of them does not do."""
    system = system_of(scenario)
    constants = system.constants(scenario)
    for name in scenario.policies:
        load_policy(name, system, constants)
    labels = [label(name) for name in scenario.policies]
    for name in labels:
        if labels.count(name) > 1:
            raise InputError(f"--policies: {name} is listed twice; list each policy once")


def compare(
    scenario: SharingScenario,
    workload: list[SequentialSpec],
    *,
    readers: Callable[[str], Iterable[Callable[[Record], None]]] = lambda policy: (),
    journal_level: str = "all",
    check: bool = False,
    progress: Progress | None = None,
) -> Iterator[SharingResult]:
    """Run the policies on the same jobs, those that `validate` gave.

    Each result comes as soon as its run has ended.
    """
    for policy in scenario.policies:
        yield measure(
            run(
                scenario,
                policy,
                readers=tuple(readers(label(policy))),
                journal_level=journal_level,
                check=check,
                progress=progress,
                workload=workload,
            )
        )
