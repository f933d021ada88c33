"""The head of a live run: jobs, scheduler and faults of the emulation, on nodes that are processes.

It starts the nodes, tells them what its scheduler does, hears what becomes of processes, and
gathers what the nodes have journaled and counted.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from time import monotonic_ns, perf_counter
from typing import cast

from agents.pnr.process import COMPUTING, DISK_FAULT, READY
from model.core.emulation import Loaded, Progress, Readers
from model.core.journal.kinds import PROCESS_STEP, identity
from model.core.network import Tally
from model.ground.errors import InputError, ProtocolMistake
from model.ground.units import NS_PER_S, seconds
from model.live import wire
from model.live.clock import WallClock
from model.live.frames import Connection, tcp_pair
from model.live.journal import Merger
from model.live.node_process import in_a_loop, main
from model.live.remote import RemoteJob, RemoteMemory, RemoteNode, RemoteProcess, RemoteServent
from model.pnr.cluster import Cluster
from model.pnr.design import Design
from model.pnr.faults import Faults
from model.pnr.scenario import Scenario

_STARTS_WITHIN_S = 60.0  # nodes, unless the timeout is longer
_LOOKS_EVERY_S = 0.1
_RESTARTS_AFTER_NS = NS_PER_S  # a node whose process has died unasked
_NO_TABLE = -2  # of faults


@dataclass(frozen=True)
class LiveSettings:
    """How a scenario is run for real."""

    time_scale: float = 1
    timeout_s: float = 30  # for which nothing may come of anything


@dataclass
class _Link:
    """What the head knows of a node's process."""

    process: BaseProcess | None = None
    connection: Connection | None = None
    channel: socket.socket | None = None  # for ends of its connections to other nodes
    is_set_up: bool = False
    ready: bool = False  # told to begin
    waiting: list[wire.Packet] = field(default_factory=list)  # to be told when it begins
    incarnation: int = 0
    stopped: bool = False
    heard_s: float = 0.0  # when
    told_ns: int = 0  # the time up to which it has told what it has journaled
    open: int = 0  # its connections of which the end was not heard yet
    quiet_since_end: bool = False  # whether it has lent, borrowed and asked nothing since
    progress: int = 0
    stored: str | None = None
    totals: wire.Totals | None = None


class HeadClock(WallClock):
    """The head's clock: nodes may do something at any time, of which no event here knows."""

    def next_ns(self, *passing: int) -> int | None:
        return self.now_ns if passing else super().next_ns()


class LiveCluster(Cluster):
    """A cluster whose nodes are processes; `run` runs it for real. Raises InputError.

    `pages_checked` is how many pages came back byte for byte as they had left, `pages_from_copy`
    how many of them a lender did not have any more.
    """

    clock: HeadClock
    clock_type = HeadClock
    node_type = RemoteNode
    servent_type = RemoteServent
    job_type = RemoteJob
    jobs: Sequence[RemoteJob]
    _over: "asyncio.Future[None]"  # in `run`

    def __init__(
        self,
        scenario: Scenario,
        design: Design,
        declared: str,
        settings: LiveSettings,
        loaded: Loaded,
        readers: Readers = (),
        journal_level: str = "all",
        checks: bool = False,
    ) -> None:
        self.settings, self.declared, self.checks = settings, declared, checks
        self._links = [_Link() for _ in range(scenario.nodes)]
        self._merger = Merger(loaded.constants.rams)
        self._readers = tuple(readers)
        self._level = journal_level if self._readers else None
        self.pages_checked = self.pages_from_copy = 0
        self._epoch_ns: int | None = None  # when the run began, on the machine's clock
        self._progressed_s = perf_counter()
        self._ended_s: float | None = None  # when all jobs had
        heard: Readers = [lambda record: self._merger.add([record])] if self._readers else []
        super().__init__(scenario, design, heard, journal_level, loaded)
        self.faults = self._faults = self.faults or Faults(self, (), None)
        self.clock.wake = self._guarded

    # The run

    def run(self, progress: Progress | None = None) -> "LiveCluster":
        """Run for real, to the end. Jobs that never end are `stuck`."""
        began = perf_counter()
        try:
            in_a_loop(self._run(progress))
        finally:
            self.wall_s += perf_counter() - began
            self._hand_on(inf)
        return self

    def _hand_on(self, until_ns: float) -> None:
        """Let the readers of the journal read what happened before a time."""
        readers, self._readers = self._readers, ()  # none reads on once one has failed
        for record in self._merger.until(until_ns):
            for read in readers:
                read(record)
        self._readers = readers

    async def _run(self, progress: Progress | None) -> None:
        self._over = asyncio.get_running_loop().create_future()
        try:
            for node in range(len(self.nodes)):
                self.start_node(node)
            while not self._over.done():
                await asyncio.wait([self._over], timeout=_LOOKS_EVERY_S)
                self._guarded(self._look)
                if progress is not None:
                    progress(self)
            self._over.result()
            await self._gather()
        finally:
            self.clock.stop()
            for node in range(len(self.nodes)):
                self._drop(node)

    def _begin(self) -> None:
        """Let time pass: all nodes have started."""
        self._epoch_ns = monotonic_ns()
        self.clock.begin(self._epoch_ns)
        for node in range(len(self._links)):
            self._have_begin(node, self._epoch_ns)

    def _have_begin(self, node: int, epoch_ns: int) -> None:
        """Have a node begin, and tell it what has waited for that."""
        link = self._links[node]
        waiting, link.waiting, link.ready = link.waiting, [], True
        self._progressed_s = perf_counter()
        for packet in (wire.Begin(epoch_ns), *waiting):
            self._send(node, packet)

    async def _gather(self) -> None:
        """Have all nodes tell what they have counted."""
        for node in range(len(self._links)):
            self.continue_node(node)
            self._send(node, wire.Stop())
        deadline_s = perf_counter() + self.settings.timeout_s
        while perf_counter() < deadline_s and any(
            link.totals is None and link.connection is not None for link in self._links
        ):
            await asyncio.sleep(0.01)
        for node, link in enumerate(self._links):
            if link.totals is None and link.process is not None:
                told = f"node {node} has not reported its counts; tables lack them"
                print(f"warning: {told}", file=sys.stderr)
        self._add_up()

    def _guarded(self, act: Callable[[], None] = lambda: None) -> None:
        """Do something of the head's, and what is due; what goes wrong ends the run."""
        try:
            self.clock.look()
            act()
            self.clock.go_on()
        except Exception as error:
            if not self._over.done():
                self._over.set_exception(error)

    # What is done to nodes (`remote.py`)

    def start_node(self, node: int) -> None:
        """Start a node's process, connected with all that are there; raises InputError."""
        context = get_context("forkserver")
        context.set_forkserver_preload(["model.live.node_process"])
        link = self._links[node]
        try:
            ours, its = tcp_pair()
            link.channel, its_channel = socket.socketpair()
            with its, its_channel:
                process = context.Process(target=main, args=(its, its_channel), daemon=True)
                process.start()
        except OSError as error:
            raise InputError(f"no process can be started for node {node}: {error}") from None
        link.process, link.heard_s = process, perf_counter()
        hears, ended = partial(self._hears, node), partial(self._link_ends, node)
        link.connection = Connection(ours, hears, ended)
        link.told_ns = 0
        link.open += 1
        self._send(node, self._setup(node))
        for other in range(len(self._links)):
            if other != node and self._links[other].process is not None:
                self._connect(node, other)
        if self._epoch_ns is not None:
            self._have_begin(node, self._epoch_ns)

    def _setup(self, node: int) -> wire.Setup:
        return wire.Setup(
            node,
            self.parameters.model_dump_json(),
            self.declared,
            [*self.by_number],
            self.settings.time_scale,
            self._level,
            self.checks,
            self._links[node].incarnation,
            self._links[node].stored,
        )

    def _connect(self, one: int, other: int) -> None:
        ends = tcp_pair()
        for node, peer, end in (one, other, ends[0]), (other, one, ends[1]):
            channel = self._links[node].channel
            with end, suppress(BrokenPipeError):  # it has just died
                assert channel is not None
                socket.send_fds(channel, [b"."], [end.fileno()])
                self._send(node, wire.Peer(peer))

    def kill_node(self, node: int) -> None:
        """Kill a node's process, and let the others know that it is gone.

        What it has stored and journaled before its death is still to be read, and counts.
        """
        self._drop(node)
        link = self._links[node]
        link.waiting.clear()
        link.incarnation += 1
        for other in range(len(self._links)):
            if other != node:
                self.tell(other, wire.NodeGone(node))

    def _drop(self, node: int) -> None:
        link = self._links[node]
        if link.process is not None:
            link.process.kill()
            link.process.join()
        link.process = link.connection = link.channel = None
        link.ready = link.stopped = False

    def stop_node(self, node: int) -> None:
        self._signal(node, signal.SIGSTOP)
        self._links[node].stopped = True

    def continue_node(self, node: int) -> None:
        self._signal(node, signal.SIGCONT)
        self._links[node].stopped, self._links[node].heard_s = False, perf_counter()

    def _signal(self, node: int, number: signal.Signals) -> None:
        process = self._links[node].process
        if process is not None and process.pid is not None:
            os.kill(process.pid, number)

    def tell(self, node: int, packet: wire.Packet) -> None:
        """Tell a node something, as soon as it has begun."""
        link = self._links[node]
        if link.ready:
            self._send(node, packet)
        else:
            link.waiting.append(packet)

    def _send(self, node: int, packet: wire.Packet) -> None:
        connection = self._links[node].connection
        if connection is not None:
            connection.send(wire.encode(packet))

    # What nodes say

    def _hears(self, node: int, connection: Connection, frame: bytes) -> None:
        packet, link = wire.decode(frame), self._links[node]
        if isinstance(packet, wire.Report):  # that of a process that was killed counts, too
            self._merger.add(packet.records)
            link.stored = packet.stored or link.stored
        elif link.connection is connection:
            link.heard_s = perf_counter()
            self._guarded(lambda: self._heard(node, packet))

    def _heard(self, node: int, packet: wire.Packet) -> None:
        link = self._links[node]
        match packet:
            case wire.NodeState():
                self._becomes(node, packet)
            case wire.Finished():
                self._finished(packet)
            case wire.Totals():
                link.totals = packet
            case wire.Failed(text, mistake):
                if mistake:
                    raise ProtocolMistake(text)
                raise RuntimeError(f"node {node} has failed:\n{text}")

    def _becomes(self, node: int, state: wire.NodeState) -> None:
        memory = cast(RemoteMemory, self.nodes[node].memory)
        memory.becomes(state)
        for one in state.processes:
            for process in self._processes(one.job):
                if process.node.index == node:
                    process.becomes(one)
        link = self._links[node]
        link.is_set_up, link.told_ns = True, state.time_ns
        if self._epoch_ns is None and all(link.is_set_up for link in self._links):
            self._begin()
        if state.progress != link.progress:
            link.progress, self._progressed_s = state.progress, perf_counter()
        quiet = not (memory.lent or memory.borrowed or memory.asked)
        link.quiet_since_end = quiet and self._ended_s is not None

    def _finished(self, end: wire.Finished) -> None:
        self._progressed_s = perf_counter()
        job = self.by_number[end.job]
        if job.attempt != end.attempt or not job.processes:
            return  # it was killed meanwhile
        if self.journal is not None:
            step = identity(PROCESS_STEP, job.first_process + end.rank, end.steps)
            self.journal.because(step, end.job)
        self._processes(end.job)[end.rank].has_finished(end)

    def _processes(self, job: int) -> list[RemoteProcess]:
        return [cast(RemoteProcess, process) for process in self.by_number[job].processes]

    def _link_ends(self, node: int, connection: Connection) -> None:
        self._links[node].open -= 1
        if self._links[node].connection is connection:
            self._links[node].connection = None

    # How it goes

    def _look(self) -> None:
        """See whether the run is over, or nothing comes of anything any more."""
        self._see_who_died()
        told_ns = [link.told_ns for link in self._links if link.open]
        self._hand_on(min([self.clock.now_ns, *told_ns]))
        now_s, timeout_s = perf_counter(), self.settings.timeout_s
        if self._ended_s is not None:
            there = [link for link in self._links if link.ready]
            waits_s = min(timeout_s, seconds(self.constants.drain_ns))
            if all(link.quiet_since_end for link in there) or now_s - self._ended_s > waits_s:
                self._over.set_result(None)
        elif now_s - self._progressed_s > timeout_s and not self._something_is_due():
            self.stuck = True
            self._over.set_result(None)

    def _see_who_died(self) -> None:
        for node, link in enumerate(self._links):
            if link.process is None or link.stopped:
                continue
            timeout_s = self.settings.timeout_s
            within_s = timeout_s if link.ready else max(_STARTS_WITHIN_S, timeout_s)
            status = link.process.exitcode
            if status is not None:
                self._died_unasked(node, f"has ended with status {status}")
            elif perf_counter() - link.heard_s > within_s:
                self._died_unasked(node, f"has said nothing for {within_s:g} s")

    def _died_unasked(self, node: int, how: str) -> None:
        """Take a death that the scenario does not know for a crash of the node."""
        if self._epoch_ns is None:
            raise InputError(f"the process of node {node} {how} before the run has begun")
        if self._ended_s is not None:
            self._drop(node)
            return
        print(f"the process of node {node} {how}; it is started again", file=sys.stderr)
        self.node_crashes.crash(node, for_ever=False)
        when, restart = self.clock.now_ns + _RESTARTS_AFTER_NS, self.node_crashes.restart
        self._faults.at(when, node, _NO_TABLE, restart, node, ends=True)

    def _something_is_due(self) -> bool:
        arrives = any(job.submit_ns > self.clock.now_ns for job in self.jobs)
        comes_back = any(link.process is not None and not link.ready for link in self._links)
        goes_on = any(
            process.state in (READY, COMPUTING, DISK_FAULT)
            for job in self.jobs
            for process in job.processes
        )
        return arrives or comes_back or goes_on or self._faults.ends_are_pending

    def data_plane_pending(self) -> bool:
        """Nodes may do something at any time; if nothing comes of it, the timeout ends the run."""
        return True

    def job_ended(self) -> None:
        """Count one more job as done; after the last, wait until all memory is back."""
        super().job_ended()
        self._progressed_s = perf_counter()
        if not self.unfinished:
            self._ended_s = perf_counter()

    # What was counted

    def _add_up(self) -> None:
        """Put what the nodes have counted where the emulation's measures look for it."""
        kinds = {kind.__name__: kind for kind in wire.kinds_of(self.design)}
        for index, link in enumerate(self._links):
            totals = link.totals
            if totals is None:
                continue
            for name, counts in totals.tallies.items():
                tally = self.network.tallies[kinds[name]]
                for counter, count in zip(Tally.__slots__, counts, strict=True):
                    setattr(tally, counter, getattr(tally, counter) + count)
            for target, (messages, size_bytes) in totals.to.items():
                between = self.network.between[index, target]
                between.served, between.bytes = messages, size_bytes
            node = self.nodes[index]
            node.faults_disk, node.faults_network = totals.page_faults
            disk = node.disk
            disk.served, disk.bytes, disk.busy_ns, disk.wait_ns, disk.max_wait_ns = totals.disk
            vars(self.servents[index].host.metrics).update(vars(totals.metrics))
            if totals.lost:
                self._faults.lost["crash"] = self._faults.lost.get("crash", 0) + totals.lost
            self.pages_checked += totals.pages_checked
            self.pages_from_copy += totals.pages_from_copy
            self.clock.executed += totals.events
