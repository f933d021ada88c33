"""What is explored: a design, a small workload, how messages travel, and what may go wrong."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict
from pydantic.dataclasses import dataclass

from agents.pnr.beliefs import Beliefs, Shares
from agents.pnr.hosting import Host
from agents.pnr.messages import Placed, Request
from agents.pnr.role import Metrics, Site
from model.core.journal.monitors import Rule, rules_in, rules_of
from model.core.names import file_of, is_file_name
from model.core.users_code import module_of
from model.ground.errors import InputError
from model.ground.memory import Memory
from model.pnr.constants import Constants
from model.pnr.design import Design, load_design
from model.pnr.explore.limits import Faults, Jobs, Nodes, Order, Placements, Seed
from model.pnr.job_spec import JobSpec
from model.pnr.ousterhout import OusterhoutMatrix
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload

Slots = tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]  # by slot: jobs and their seats
Fit = tuple[Slots, tuple[int, ...]]  # the slots with one more job, and its nodes

_NO_BARRIERS = "explore has no CPU time, so no barriers; leave it out"
_SCHEDULERS = ("gang", "space")  # whose places the search works out for itself
#: In MB. Jobs are larger than the RAM, and two of them leave nobody enough to lend.
_RAM_MB, _THRESHOLD_MB, _ODD_MB, _EVEN_MB = 8, 1, 10, 12
_MOST_WAYS = 10_000  # to place a job


def _text_of_path(file: object) -> object:
    return str(file) if isinstance(file, Path) else file


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Setting:
    """What a search is about. `declared` is the design's name or file, as for `compare`.

    Without a scenario file the workload is small, and memory is scarce: nodes of 8 MB, and in turn
    jobs of two processes of 10 MB and of one of 12 MB.
    """

    declared: str
    nodes: Nodes = 3
    jobs: Jobs = 2
    order: Order = "fifo"  # of the messages from one node to another
    losses: Faults = 0
    duplicates: Faults = 0
    crashes: Faults = 0
    for_ever: bool = False  # whether no servent that has crashed restarts
    joins: Faults = 0  # nodes, the last ones, that are not there at first
    leaves: Faults = 0  # nodes, any of them, that are told to leave
    late_timers: bool = False  # whether timers fire only when no message is on its way
    early: Faults = 0  # late timers that fire all the same while one is
    seed: Seed = 1
    scenario_file: Annotated[str | None, BeforeValidator(_text_of_path)] = None
    placements: Placements = "lowest"  # on which free nodes a job may be placed
    left_out: tuple[str, ...] = ()  # rules that need not hold
    rules_file: Annotated[str | None, BeforeValidator(_text_of_path)] = None  # of monitors

    @cached_property
    def scenario(self) -> Scenario:
        """The same as a scenario; raises InputError for one that is invalid."""
        if self.scenario_file is not None:
            file = Path(self.scenario_file)
            scenario = make_scenario(file, designs=(self.declared,), seed=self.seed)
            for name, problem in _unexplored(scenario):
                raise InputError(f"{file}: {name}: {problem}")
            return scenario
        jobs = [
            {"processes": min(2, self.nodes), "memory_mb": _ODD_MB, "demand_s": 1}
            if number % 2
            else {"processes": 1, "memory_mb": _EVEN_MB, "demand_s": 1}
            for number in range(1, self.jobs + 1)
        ]
        return make_scenario(
            designs=(self.declared,),
            nodes=self.nodes,
            ram_mb=_RAM_MB,
            threshold_mb=_THRESHOLD_MB,
            seed=self.seed,
            job=jobs,
        )

    @cached_property
    def constants(self) -> Constants:
        """The scenario's constants, in bytes and ns."""
        return Constants.of(self.scenario)

    @cached_property
    def workload(self) -> list[JobSpec]:
        """The jobs, in the order in which they are placed; raises InputError."""
        return load_workload(self.scenario)

    @cached_property
    def absent(self) -> list[int]:
        """The nodes that are not there at first, and may join: the last `joins`, and those with
        `joins_s` in the scenario. Raises InputError if no node is there."""
        nodes = self.scenario.nodes
        joins = enumerate(self.constants.joins_ns)
        absent = [node for node, when in joins if when or node >= nodes - self.joins]
        if len(absent) == nodes:
            raise InputError(f"of {nodes} nodes, {nodes} join later; let one be there at first")
        return absent

    @cached_property
    def leavers(self) -> list[int]:
        """The nodes that may be told to leave: all, or those with `leaves_s` in the scenario."""
        leaves = enumerate(self.constants.leaves_ns)
        return [node for node, when in leaves if self.leaves or when is not None]

    @property
    def most_leaves(self) -> int:
        """How many of the `leavers` are told to leave."""
        return self.leaves or len(self.leavers)

    @cached_property
    def design(self) -> Design:
        """The design on this cluster; raises InputError."""
        design = load_design(self.declared, self.scenario)
        if design.migrates:
            raise InputError(
                f"{self.declared}: explore suspends no jobs, so no process moves; take the design "
                "without MIGRATE(…)"
            )
        return design

    @cached_property
    def monitors(self) -> list[Rule]:
        """The rules that the design's file and that of rules have as monitors; InputError."""
        given = None if self.rules_file is None else Path(self.rules_file)
        found = [] if given is None else rules_of(given)
        if self.design and is_file_name(self.declared):  # which is loaded by now
            file = file_of(self.declared)
            module = module_of(file)
            if module is not None and (given is None or given.resolve() != file.resolve()):
                found = [*rules_in(module, file), *found]
        return found

    @property
    def rules(self) -> list[Rule]:
        """Those of the monitors that are to hold."""
        return [rule for rule in self.monitors if rule.name not in self.left_out]

    @cached_property
    def shares(self) -> Shares | None:
        """By what managers compare loads, if not by bytes."""
        return self.design.shares(self.constants)

    def host(
        self,
        node: int,
        memory: Memory[Request] | None = None,
        metrics: Metrics | None = None,
        state: tuple[object, ...] | None = None,
    ) -> Host:
        """The host of a node's roles, which begins; or that has this state, with this ledger."""
        constants, design = self.constants, self.design
        site = Site(
            memory=memory or Memory(constants.rams[node]),
            node=node,
            nodes=self.scenario.nodes,
            seed=self.seed,
            threshold=constants.threshold,
            skip_below=constants.skip_below,
            coordinated=design.coordinated,
            tells=design.tells(node),
            grant_timeout_ns=constants.grant_timeout_ns,
            absent=self.absent,
            explains=False,
            beliefs=Beliefs,
            shares=self.shares,
            parameters=design.parameters,
            metrics=metrics or Metrics(),
        )
        host = Host(design.protocol, site, design.manages, state)
        host.validates = True
        return host

    def placed(self, job: int, job_nodes: tuple[int, ...]) -> list[Placed]:
        """What the client of each of a job's nodes must know about its process, by rank."""
        nodes = list(job_nodes)
        return [
            Placed(
                job,
                rank,
                self.design.clients_of(job, nodes, node),
                self.design.manager_of(job, nodes, node),
            )
            for rank, node in enumerate(nodes)
        ]

    def with_job(self, slots: Slots, job: JobSpec, away: Collection[int]) -> list[Fit]:
        """Ways to place one more job: the slots then, and its nodes, which are not among those
        `away`; the first is the scheduler's own, on the lowest nodes. None if it does not fit now.
        """
        matrix = self._matrix(slots, away)
        fit = matrix.best_fit(job.processes)
        if fit is None:
            return []
        slot, lowest = fit
        ways: Iterable[Sequence[int]] = [lowest]
        if self.placements == "any":
            free = [seat for seat in matrix.up if seat not in matrix.rows[slot]]
            number = comb(len(free), job.processes)
            if number > _MOST_WAYS:
                raise InputError(
                    f"--placements any: there are {number:,} ways to place {job.processes} "
                    f"processes on {len(free)} seats, and at most {_MOST_WAYS:,} are tried; take "
                    "fewer nodes or processes, or --placements lowest"
                )
            ways = combinations(free, job.processes)
        found: dict[tuple[int, ...], Fit] = {}  # by nodes: it does not matter on which cores
        for seats in ways:
            nodes = tuple(seat % self.scenario.nodes for seat in seats)
            placed = (*slots[slot], (job.number, tuple(seats)))
            found.setdefault(nodes, ((*slots[:slot], placed, *slots[slot + 1 :]), nodes))
        return list(found.values())

    def without_job(self, slots: Slots, job: int) -> Slots:
        """The slots after the end of a job, which may let two of them become one."""
        left = tuple(tuple(held for held in slot if held[0] != job) for slot in slots)
        matrix = self._matrix(left)
        seats = {number: held for slot in left for number, held in slot}
        matrix.unify()
        return tuple(tuple((number, seats[number]) for number in slot) for slot in matrix.jobs)

    def _matrix(self, slots: Slots, away: Collection[int] = ()) -> OusterhoutMatrix[int]:
        seats = [it for it in self.constants.seats if it % self.scenario.nodes not in away]
        matrix: OusterhoutMatrix[int] = OusterhoutMatrix(len(slots), seats)
        for slot, jobs in enumerate(slots):
            for job, held in jobs:
                matrix.place(job, slot, list(held))
        return matrix


def _unexplored(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Parameters of a scenario that a search does not have, and what to do about it."""
    if scenario.memory_profile != "static":
        yield "memory_profile", "explore keeps memory as it is; leave it out"
    if scenario.synchronization != "central":
        yield "synchronization", _NO_BARRIERS
    if scenario.exchange_kb:
        yield "exchange_kb", _NO_BARRIERS
    if scenario.fault:
        yield (
            "fault",
            "explore tries faults at any time; give --loss, --duplicates or --crashes instead",
        )
    if scenario.scheduler not in _SCHEDULERS:
        yield "scheduler", f"explore knows no {scenario.scheduler}; take gang"
