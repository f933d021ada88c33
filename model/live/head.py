"""The head of a live run: jobs, scheduler and faults of the emulation, on nodes that are processes.

It starts the nodes, tells them what its scheduler does, hears what becomes of processes, and
gathers what the nodes have journaled and counted.
"""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from time import monotonic_ns, perf_counter

from agents.messages import Content
from agents.pnr.process import COMPUTING, DISK_FAULT, READY
from model.core.emulation import Loaded, Progress, Readers
from model.core.journal.kinds import PROCESS_STEP, Record, identity
from model.ground.errors import InputError, ProtocolMistake
from model.ground.units import NS_PER_S, seconds
from model.live import telling
from model.live.clock import WallClock
from model.live.frames import BACKLOG, Connection
from model.live.journal import merged
from model.live.node_process import boot, in_a_loop, main_of_head
from model.live.remote import RemoteJob, RemoteMemory, RemoteNode, RemoteProcess, RemoteServent
from model.pnr.cluster import Cluster
from model.pnr.design import Design
from model.pnr.faults import Faults
from model.pnr.scenario import Scenario

_STARTS_WITHIN_S = 60.0  # a process that the head starts, unless the patience is longer
_STARTED_WITHIN_S = 600.0  # all nodes, where somebody starts them
_LOOKS_EVERY_S = 0.1
_RESTARTS_AFTER_NS = NS_PER_S  # a node whose process has died unasked
_MOST_DEATHS = 5  # of one node, unasked
_CLOCK_READINGS = 10


@dataclass(frozen=True)
class LiveSettings:
    """How a scenario is run for real."""

    time_scale: float = 1
    patience_s: float = 30  # for which nothing may come of anything
    spins: bool = False
    host: str = "127.0.0.1"  # at which head and nodes listen
    port: int = 0  # of the head; 0: any
    starts_nodes: bool = True  # or somebody starts each with `live --node`
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    @property
    def starts_within_s(self) -> float:
        """For how long nothing may come of starting nodes."""
        return max(_STARTS_WITHIN_S if self.starts_nodes else _STARTED_WITHIN_S, self.patience_s)


@dataclass
class _Link:
    """What the head knows of a node's process."""

    process: BaseProcess | None = None
    pid: int | None = None
    connection: Connection | None = None
    offset_ns: int = 0  # of its clock from ours
    readings: int = 0  # of its clock, still to be taken
    asked_ns: int = 0  # when the last was asked for
    shortest_ns: int = 2**62  # the shortest time that one has taken
    address: tuple[str, int] | None = None  # where it listens
    ready: bool = False  # connected with the others, and in the run told to begin
    waiting: list[telling.Told] = field(default_factory=list)  # to be told when it begins
    incarnation: int = 0
    deaths: int = 0
    stopped: bool = False
    heard_s: float = 0.0  # when
    quiet_since_end: bool = False
    progress: int = 0
    stored: str = ""
    totals: list[telling.Totals] = field(default_factory=list)


class HeadClock(WallClock):
    """The head's clock: nodes may do something at any time, of which no event here knows."""

    def next_ns(self, *passing: int) -> int | None:
        """When something else may happen than what only lets time pass: now."""
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
        self._records: list[Record] = []
        self._readers = tuple(readers)
        self.pages_checked = self.pages_from_copy = 0
        self._ended_s: float | None = None
        self._progressed_s = 0.0
        self._over: asyncio.Future[None] | None = None
        self._strangers: dict[Connection, None] = {}
        self._complaints: dict[str, None] = {}
        heard: Readers = [self._records.append] if self._readers else []
        super().__init__(scenario, design, heard, journal_level, loaded)
        if self.faults is None:
            self.faults = Faults(self, (), None)
        self.clock.wake = lambda: self._guarded(lambda: None)

    # The run

    def run(self, progress: Progress | None = None) -> "LiveCluster":
        """Run for real, to the end. Jobs that never end are `stuck`."""
        began = perf_counter()
        try:
            in_a_loop(self._run(progress))
        finally:
            self.wall_s += perf_counter() - began
            for record in merged(self._records, self.constants.rams):
                for read in self._readers:
                    read(record)
        return self

    async def _run(self, progress: Progress | None) -> None:
        loop = asyncio.get_running_loop()
        self._over = loop.create_future()
        try:
            host, port = self.settings.host, self.settings.port
            server = await loop.create_server(self._greets, host, port, backlog=BACKLOG)
        except (OSError, UnicodeError) as error:
            where = f"{self.settings.host}:{self.settings.port}"
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"the head cannot listen at {where}: {reason}") from None
        self._address = server.sockets[0].getsockname()[:2]
        if not self.settings.starts_nodes:
            self._say_how_to_start()
        try:
            for node in range(len(self.nodes)):
                self._start(node)
            await self._until(lambda: all(link.address for link in self._links), "started")
            self._introduce()
            await self._until(
                lambda: all(link.ready and not link.readings for link in self._links), "met"
            )
            self._begin()
            while not self._over.done():
                await asyncio.wait([self._over], timeout=_LOOKS_EVERY_S)
                self._guarded(self._look)
                if progress is not None:
                    progress(self)
            self._over.result()
            await self._gather()
        finally:
            self.clock.stop()
            self._end_processes()
            server.close()

    def _say_how_to_start(self) -> None:
        head = "{}:{}".format(*self._address)
        nodes = f"N from 0 to {len(self.nodes) - 1}, each on its host"
        print(
            f"start the nodes: run.py live --node N --head {head} --hosts ... --secret-file ... "
            f"({nodes})",
            file=sys.stderr,
            flush=True,
        )

    async def _until(self, ready: Callable[[], bool], what: str) -> None:
        """Wait for all nodes; raises InputError if none gets any further for too long."""
        assert self._over is not None
        within_s, began_s = self.settings.starts_within_s, perf_counter()
        while not ready():
            if self._over.done():
                self._over.result()
            heard_s = max(began_s, *(link.heard_s for link in self._links))
            if perf_counter() > heard_s + within_s:
                late = [node for node, link in enumerate(self._links) if not link.address]
                whose = f" (nodes {', '.join(map(str, late))})" if late else ""
                raise InputError(
                    f"not all nodes have {what} within {within_s:g} s{whose}; give --patience-s"
                )
            await asyncio.sleep(0.01)

    def _begin(self) -> None:
        epoch_ns = monotonic_ns()
        self._epoch_ns = epoch_ns
        self._progressed_s = perf_counter()
        for node in range(len(self._links)):
            self._have_begin(node)
        self.clock.begin(epoch_ns)
        self._guarded(lambda: None)

    def _have_begin(self, node: int) -> None:
        """Have a node begin, with a servent that is down if it is, and tell it what waited."""
        link, host = self._links[node], self.servents[node].host
        epoch_ns = self._epoch_ns + link.offset_ns
        self._say(node, telling.Begin(epoch_ns, host.crashes, host.for_ever))
        link.ready, link.heard_s = True, perf_counter()
        self._progressed_s = link.heard_s
        waiting, link.waiting = link.waiting, []
        for what in waiting:
            self._say(node, what)

    async def _gather(self) -> None:
        """Have all nodes tell what they have counted."""
        asked = [node for node, link in enumerate(self._links) if link.connection is not None]
        before = {node: len(self._links[node].totals) for node in asked}
        for node in asked:
            self.continue_node(node)
            self._say(node, telling.Stop())
        deadline_s = perf_counter() + self.settings.patience_s
        while perf_counter() < deadline_s and any(
            len(self._links[node].totals) == before[node] and self._links[node].connection
            for node in asked
        ):
            await asyncio.sleep(0.01)
        for node in asked:
            if len(self._links[node].totals) == before[node]:
                self._complain(f"node {node} has not told what it counted; tables have less of it")
        self._add_up()

    # Processes

    def _start(self, node: int) -> None:
        """Start the process of a node, if that is the head's matter."""
        link = self._links[node]
        if not self.settings.starts_nodes:
            return
        context = get_context("forkserver")
        context.set_forkserver_preload(["model.live.node_process"])
        settings = self.settings
        within_s = settings.starts_within_s
        arguments = (self._address, settings.secret, node, settings.host, within_s)
        process = context.Process(target=main_of_head, args=arguments, daemon=True)
        try:
            process.start()
        except OSError as error:
            raise InputError(f"no process can be started for node {node}: {error}") from None
        link.process, link.pid, link.heard_s = process, process.pid, perf_counter()
        asyncio.get_running_loop().add_reader(process.sentinel, self._has_died, node, process)

    def _has_died(self, node: int, process: BaseProcess) -> None:
        """A process of a node has ended: if nobody has killed it, that is a crash of the node."""
        asyncio.get_running_loop().remove_reader(process.sentinel)
        link = self._links[node]
        if link.process is not process:
            return
        process.join()
        if self._is_ending and link.connection is not None:
            link.process = None  # what it has said last may be unread: its connection ends later
            return
        code = process.exitcode
        self._guarded(lambda: self._died_unasked(node, f"has ended with status {code}"))

    def _died_unasked(self, node: int, how: str) -> None:
        link = self._links[node]
        if self._is_ending:
            self._drop(node)
            return
        if not self.clock.now_ns:
            raise InputError(f"the process of node {node} {how} before the run has begun")
        link.deaths += 1
        for_ever = link.deaths > _MOST_DEATHS or not self.settings.starts_nodes
        again = "it is not started again" if for_ever else "it is started again"
        print(f"the process of node {node} {how}; {again}", file=sys.stderr)
        restart: Callable[[int], None] = self.node_crashes.restart
        if self.membership.is_away(node):  # it has nothing to lose, and joins or not as it would
            self.kill_node(node, for_ever)
            restart = self._start_again
        else:
            self.node_crashes.crash(node, for_ever)
        if not for_ever:
            assert self.faults is not None
            when = self.clock.now_ns + _RESTARTS_AFTER_NS
            self.faults.at(when, node, -2, restart, node, ends=True)

    @property
    def _is_ending(self) -> bool:
        """Whether all jobs have ended, or the run is over: nodes may end then."""
        assert self._over is not None
        return self._over.done() or self._ended_s is not None

    @property
    def died(self) -> bool:
        """Whether a node has died of which the scenario says nothing."""
        return any(link.deaths for link in self._links)

    def _drop(self, node: int) -> None:
        """Forget the process of a node, and kill it if it is there."""
        link = self._links[node]
        process, link.process = link.process, None
        connection, link.connection = link.connection, None
        link.ready, link.stopped, link.address = False, False, None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()

    def _end_processes(self) -> None:
        processes = [link.process for link in self._links if link.process is not None]
        for node in range(len(self._links)):
            self._drop(node)
        for process in processes:
            process.join()

    # What is done to nodes (`remote.py`)

    def tell(self, node: int, what: telling.Told) -> None:
        """Tell a node something, as soon as it has begun; how its servent is then, `Begin` says."""
        link = self._links[node]
        if link.ready:
            self._say(node, what)
        elif not isinstance(what, telling.CrashServent | telling.RestartServent):
            link.waiting.append(what)

    def _say(self, node: int, what: telling.Told) -> None:
        connection = self._links[node].connection
        if connection is not None:
            connection.send(telling.frame_of(what))

    def kill_node(self, node: int, for_ever: bool) -> None:
        """Kill a node's process, and let the others know that it is gone."""
        link = self._links[node]
        link.waiting.clear()
        self._refuse_if_moving(node)
        if link.process is not None:
            link.process.kill()
            link.process.join()
        if link.connection is not None:
            self._hear_last_words(link, link.connection)
        self._drop(node)
        link.incarnation += 1
        for other in range(len(self._links)):
            if other != node:
                self.tell(other, telling.NodeGone(node))

    def _hear_last_words(self, link: _Link, connection: Connection) -> None:
        """What the node has stored and journaled before its death counts; nothing else does."""
        for frame in connection.rest():
            match telling.told(frame):
                case telling.Stored(values):
                    link.stored = values
                case telling.Records(records):
                    self._records += records

    def _refuse_if_moving(self, node: int) -> None:
        """End the run if a process is on its way to or from a node that dies: it would be lost."""
        for job in self.jobs:
            for process in job.processes:
                left = process.left
                if left is not None and node in (left.index, process.node.index):
                    raise InputError(
                        f"node {node} died while a process of job {job.number} moved; where "
                        "processes move, let no node die"
                    )

    def start_node(self, node: int) -> bool:
        """Start a node's process again; False if it runs."""
        if self._links[node].connection is not None or self._links[node].process is not None:
            return False
        self._start(node)
        return True

    def _start_again(self, node: int) -> None:
        self.start_node(node)

    def stop_node(self, node: int) -> None:
        """Have a node's process do nothing."""
        link = self._links[node]
        if link.pid is not None and link.process is not None:
            os.kill(link.pid, signal.SIGSTOP)
            link.stopped = True

    def continue_node(self, node: int) -> None:
        """Let it go on."""
        link = self._links[node]
        if link.stopped and link.pid is not None:
            os.kill(link.pid, signal.SIGCONT)
        link.stopped, link.heard_s = False, perf_counter()

    # What nodes say

    def _greets(self) -> Connection:
        return Connection(
            self.settings.secret,
            self.settings.starts_within_s,
            strangers=self._strangers,
            known=lambda _: None,
            hears=self._hears,
            ended=self._link_ends,
        )

    def _link_ends(self, connection: Connection, wrong: str | None) -> None:
        if wrong is not None:
            self._complain(wrong)
        for node, link in enumerate(self._links):
            if link.connection is connection:
                link.connection = None
                if link.process is None:  # else its end is seen
                    self._guarded(partial(self._died_unasked, node, "cannot be reached"))

    def _hears(self, connection: Connection, frame: bytes) -> None:
        try:
            said = telling.told(frame)
        except ValueError as error:
            connection.refuse(f"{connection.peer} says nothing that a node says: {error}")
            return
        if isinstance(said, telling.Hello):
            self._greeted(connection, said)
            return
        node = next(
            (n for n, link in enumerate(self._links) if link.connection is connection), None
        )
        if node is not None:
            self._links[node].heard_s = perf_counter()
            self._guarded(lambda: self._heard(node, said))

    def _greeted(self, connection: Connection, hello: telling.Hello) -> None:
        node = hello.node
        if not 0 <= node < len(self._links) or self._links[node].connection is not None:
            connection.refuse(f"{connection.peer} says that it is node {node}, which is there")
            return
        link = self._links[node]
        link.connection, link.heard_s = connection, perf_counter()
        link.readings = 0 if hello.boot == boot() else _CLOCK_READINGS
        self._read_clock(node)
        self._say(
            node,
            telling.Setup(
                self.parameters.model_dump_json(),
                self.declared,
                tuple(self.by_number),
                self.settings.time_scale,
                None if self.journal is None else "all" if self.journal.everything else "protocol",
                self.checks,
                self.settings.spins,
                link.incarnation,
                link.stored,
            ),
        )

    def _heard(self, node: int, said: telling.Told) -> None:
        link = self._links[node]
        match said:
            case telling.Listening(host, port):
                link.address = host, port
                if self.clock.now_ns:
                    self._introduce()
            case telling.ClockShows(time_ns):
                self._clock_shows(node, time_ns)
            case telling.Connected(complaints):
                if complaints and not self.clock.now_ns:
                    raise InputError(complaints[0])
                for complaint in complaints:
                    self._complain(complaint)
                if not link.ready and self.clock.now_ns:
                    self._have_begin(node)
                link.ready = True
            case telling.Ledger():
                self._stands(node, said)
            case telling.Finished():
                self._finished(said)
            case telling.Arrived(job, rank):
                process = self._process(job, rank)
                if process is not None and process.left is not None:
                    process.has_arrived()
            case telling.Records(records):
                self._records += records
            case telling.Stored(values):
                link.stored = values
            case telling.Totals():
                link.totals.append(said)
            case telling.Complaint(text):
                self._complain(text)
            case telling.Failed(text, mistake):
                raise _failure(node, text, mistake)

    def _read_clock(self, node: int) -> None:
        """Ask a node of another machine what its clock shows."""
        link = self._links[node]
        if link.readings:
            link.readings -= 1
            link.asked_ns = monotonic_ns()
            self._say(node, telling.ReadClock())

    def _clock_shows(self, node: int, time_ns: int) -> None:
        """Take the reading on whose way the least time has passed, as NTP does (RFC 5905, 10)."""
        link, now_ns = self._links[node], monotonic_ns()
        if now_ns - link.asked_ns < link.shortest_ns:
            link.shortest_ns = now_ns - link.asked_ns
            link.offset_ns = time_ns - (link.asked_ns + now_ns) // 2
        self._read_clock(node)

    def _introduce(self) -> None:
        """Tell all nodes where the others are."""
        addresses = [link.address for link in self._links]
        for node in range(len(self._links)):
            self._say(node, telling.Peers(addresses))

    def _stands(self, node: int, told: telling.Ledger) -> None:
        link = self._links[node]
        memory = self.nodes[node].memory
        assert isinstance(memory, RemoteMemory)
        memory.stands(told)
        for standing in told.processes:
            for process in self.by_number[standing.job].processes:
                if isinstance(process, RemoteProcess) and process.node.index == node:
                    process.stands(standing)
        if told.progress != link.progress:
            link.progress, self._progressed_s = told.progress, perf_counter()
        quiet = not (told.lent or told.borrowed or told.asked)
        link.quiet_since_end = quiet and self._ended_s is not None

    def _process(self, job: int, rank: int) -> RemoteProcess | None:
        processes = self.by_number[job].processes
        process = processes[rank] if rank < len(processes) else None
        return process if isinstance(process, RemoteProcess) else None

    def _finished(self, told: telling.Finished) -> None:
        self._progressed_s = perf_counter()
        job, process = self.by_number[told.job], self._process(told.job, told.rank)
        if process is None or job.attempt != told.attempt:
            return  # it was killed meanwhile
        if self.journal is not None:
            step = identity(PROCESS_STEP, job.first_process + told.rank, told.steps)
            self.journal.because(step, told.job)
        process.has_finished(told)

    # How it goes

    def _look(self) -> None:
        """See whether the run is over, or nothing comes of anything any more."""
        assert self._over is not None
        now_s, patience_s = perf_counter(), self.settings.patience_s
        if self._over.done():
            return
        for node, link in enumerate(self._links):
            within_s = patience_s if link.ready else self.settings.starts_within_s
            lives = (link.ready or link.process is not None) and not link.stopped
            if lives and now_s - link.heard_s > within_s:
                self._died_unasked(node, f"has said nothing for {within_s:g} s")
        if self._ended_s is not None:
            there = [link for link in self._links if link.ready]
            waits_s = min(patience_s, seconds(self.constants.drain_ns))
            if all(link.quiet_since_end for link in there) or now_s - self._ended_s > waits_s:
                self._over.set_result(None)
        elif now_s - self._progressed_s > patience_s and not self._something_is_due():
            self.stuck = True
            self._over.set_result(None)

    def _something_is_due(self) -> bool:
        assert self.faults is not None
        arrives = any(job.submit_ns > self.clock.now_ns for job in self.jobs)
        comes_back = any(link.process is not None and not link.ready for link in self._links)
        goes_on = any(
            process.state in (READY, COMPUTING, DISK_FAULT)
            for job in self.jobs
            for process in job.processes
        )
        return arrives or comes_back or goes_on or self.faults.ends_are_pending

    def data_plane_pending(self) -> bool:
        """Nodes may do something at any time; when nothing comes of it, patience ends the run."""
        return True

    def job_ended(self) -> None:
        """Count one more job as done; after the last, wait until all memory is back."""
        super().job_ended()
        self._progressed_s = perf_counter()
        if not self.unfinished:
            self._ended_s = perf_counter()

    def _guarded(self, do: Callable[[], None]) -> None:
        """Do something of the head's, and what is due; what goes wrong ends the run."""
        try:
            self.clock.look()
            do()
            self.clock.go_on()
        except Exception as error:
            if self._over is not None and not self._over.done():
                self._over.set_exception(error)

    def _complain(self, text: str) -> None:
        if text not in self._complaints:
            self._complaints[text] = None
            print(f"warning: {text}", file=sys.stderr)

    # What was counted

    def _add_up(self) -> None:
        """Put what the nodes have counted where the emulation's measures look for it."""
        faults, kinds = self.faults, {it.__name__: it for it in telling.kinds_of(self.design)}
        assert faults is not None
        for node, link in enumerate(self._links):
            for totals in link.totals:
                self._add(node, totals, kinds)
                self.pages_checked += totals.pages_checked
                self.pages_from_copy += totals.pages_from_copy
                self.clock.executed += totals.events
                faults.duplicated += totals.duplicated
                faults.delayed += totals.delayed
                for why, count in totals.lost.items():
                    faults.lost[why] = faults.lost.get(why, 0) + count

    def _add(self, index: int, totals: telling.Totals, kinds: dict[str, type[Content]]) -> None:
        node, metrics = self.nodes[index], self.servents[index].host.metrics
        for name, counted in totals.kinds.items():
            tally = self.network.tallies[kinds[name]]
            for what in telling.Counted.__struct_fields__:
                setattr(tally, what, getattr(tally, what) + getattr(counted, what))
        for target, (messages, size) in totals.to.items():
            link = self.network.between[index, target]
            link.served += messages
            link.bytes += size
        node.faults_disk += totals.faults_disk
        node.faults_network += totals.faults_network
        disk = node.disk
        served, size, busy_ns, wait_ns, most_ns = totals.disk
        disk.served, disk.bytes = disk.served + served, disk.bytes + size
        disk.busy_ns, disk.wait_ns = disk.busy_ns + busy_ns, disk.wait_ns + wait_ns
        disk.max_wait_ns = max(disk.max_wait_ns, most_ns)
        metrics.answers += totals.answers
        for counter, count in totals.counts.items():
            metrics.counts[counter] = metrics.counts.get(counter, 0) + count
        for counter, job, count in totals.job_counts:
            metrics.job_counts[counter, job] = metrics.job_counts.get((counter, job), 0) + count
        metrics.levels |= {(role, gauge): level for role, gauge, level in totals.levels}
        metrics.ignored += totals.ignored
        metrics.stored += totals.stored


def _failure(node: int, text: str, mistake: bool) -> Exception:
    if mistake:
        return ProtocolMistake(text)
    return RuntimeError(f"node {node} has failed:\n{text}")
