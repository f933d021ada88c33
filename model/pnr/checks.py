"""Checks of a run of Parallel Network RAM: memory is conserved, and every job does its work."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from agents.messages import Carried, Content, astray_in_words
from agents.pnr.role import Role
from model.core.checks import Checker
from model.core.emulation import Emulation
from model.core.journal import kinds
from model.core.journal.kinds import Record
from model.ground.errors import CheckFailed
from model.pnr.cluster import Cluster
from model.pnr.job_spec import Marks


class MemoryChecker(Checker):
    """Besides the rules of every run, this checks that:

    - a node's demand is what its processes may hold in RAM plus what it lends, the rest of their
      memory is beyond their limits, and nothing is negative;
    - what a server lends covers what all nodes borrow from it; what faults have lost stays under
      way, and has leaked at the end. As long as all messages say what they carry, and all roles
      what they hold, and there are no faults, these are the difference, byte by byte;
    - a scheduler that estimates memory places a job where RAM holds it, unless it is alone;
    - a process's memory changes at barriers alone, to what the profile of its job has there, and no
      change is missed;
    - a process moves while its job is suspended, from a node that keeps memory on its disk to one
      whose RAM holds all of it, and both hold it until it has arrived;
    - the roles of a servent keep their own rules (`validate`) whenever one has handled something;
    - each job ends once, its processes used the CPU for exactly their demand, and the parts of its
      response time add up.
    """

    emulation: Cluster

    def __init__(self) -> None:
        super().__init__()
        self._under_way: defaultdict[int, int] = defaultdict(int)  # by server
        #: By server, of what is under way: what no message carries and no role holds.
        self._astray: defaultdict[int, int] = defaultdict(int)
        self._holds: defaultdict[int, Carried] = defaultdict(tuple)  # by node
        self._borrowed_from: defaultdict[int, int] = defaultdict(int)  # by server
        self._ended: set[int] = set()
        self._held: dict[tuple[int, int], int] = {}  # job, rank -> bytes since its last change
        self._estimates: dict[int, int] = {}  # job -> what its scheduler believed of each process
        self._barrier_ns = 0
        self._forgets = False

    def watch(self, emulation: Emulation) -> None:
        """Check this one, and have its roles validate themselves."""
        super().watch(emulation)
        assert isinstance(emulation, Cluster)
        tables = emulation.parameters.fault or ()
        self._barrier_ns = emulation.constants.barrier_ns
        # A servent that is down or pauses may hear too late that a loan has ended.
        self._forgets = any(table.stops_servents for table in tables)
        self._forgets |= emulation.parameters.nodes_come_or_go
        for servent in emulation.servents:
            servent.host.validates = True
            if emulation.faults is None:
                servent.accounts = self

    def sent(self, sender: int, target: int, content: Content) -> None:
        self._account(content.carries(sender, target), -1)

    def heard(self, sender: int, target: int, content: Content) -> None:
        self._account(content.carries(sender, target), 1)

    def handled(self, node: int, roles: Iterable[Role]) -> None:
        """Check that what servers lend is somewhere, unless a role does not say what it holds."""
        self._account(self._holds.pop(node, ()), 1)
        held = [role.holds() for role in roles]
        for pairs in held:
            self._account(pairs, -1)
        if None in held:
            return
        self._holds[node] = [pair for pairs in held for pair in pairs or ()]
        for server, amount in self._astray.items():
            if amount:
                raise CheckFailed(astray_in_words(server, amount))
        self._astray.clear()

    def _account(self, carried: Carried | None, sign: int) -> None:
        """Count what a message carries, or a role holds; if that is not known, count no more."""
        if carried is None:
            for servent in self.emulation.servents:
                servent.accounts = None
        for server, amount in carried or ():
            self._astray[server] += sign * amount

    def check(self, record: Record) -> None:
        """Check a loan, a change of a process's memory, or the end of a job."""
        match record.kind:
            case kinds.Placed.name:
                self._placed(kinds.Placed.of(record))
            case kinds.Resized.name:
                self._resized(kinds.Resized.of(record))
            case kinds.Departed.name | kinds.Arrived.name:
                self._moved(kinds.Departed.of(record))
            case kinds.Lent.name | kinds.Returned.name as kind:
                lent = kinds.Lent.of(record)
                self._loan(lent, lent.node, 1 if kind == kinds.Lent.name else -1, 0)
            case kinds.Borrowed.name | kinds.GivenBack.name as kind:
                borrowed = kinds.Borrowed.of(record)
                sign = 1 if kind == kinds.Borrowed.name else -1
                self._loan(borrowed, borrowed.peer, -sign, sign)
            case kinds.Ended.name:
                job = kinds.Ended.of(record).job
                self.require(job not in self._ended, "ended twice", record)
                self._ended.add(job)

    def check_end(self) -> None:
        """Check that no memory is held or lent any longer, and that every job has done its work."""
        keeps = self.emulation.faults is not None or self.emulation.beyond
        for node in self.emulation.nodes if not keeps else ():
            memory = node.memory
            left = (memory.demand, memory.lent, memory.borrowed, len(memory.asked))
            self.require(left == (0, 0, 0, 0), f"node {node.index} keeps memory: {left}")
        for job in self.emulation.jobs:
            ended = job.number in self._ended
            self.require(
                ended or job.failed or self.emulation.stuck, f"job {job.number} did not end"
            )
            if not ended:
                continue
            for process in job.processes:
                name = f"job {job.number}, rank {process.rank}"
                last_ns = (job.demand_ns - 1) // self._barrier_ns * self._barrier_ns
                held = self._held[job.number, process.rank] == _size_at(job.marks, last_ns)
                self.require(held, f"{name}: at its end it holds other memory than its profile has")
                done = process.cpu_ns == job.demand_ns
                self.require(done, f"{name}: CPU time is not its demand")
                assert job.start_ns is not None
                assert job.end_ns is not None
                whole = sum(process.spent_ns) == job.end_ns - job.start_ns
                self.require(whole, f"{name}: its times do not add up")

    def _placed(self, record: kinds.Placed) -> None:
        assert record.amount_bytes is not None  # as of all that are placed in slots
        for rank in range(self.emulation.job(record.job).size):
            self._held[record.job, rank] = record.amount_bytes
        placement = kinds.Placed.contents(record.payload)
        if placement.estimate is None:
            return
        self._estimates[record.job] = placement.estimate
        alone = not any(node.memory.processes for node in self.emulation.nodes)
        for index, count in Counter(placement.nodes).items():
            node = self.emulation.nodes[index]
            others = sum(self._estimates[job] for job, _ in node.memory.processes)
            wanted = others + node.memory.lent + count * placement.estimate
            fits = wanted <= node.memory.ram
            self.require(alone or fits, f"node {index} has no room for it: {wanted}", record)

    def _resized(self, record: kinds.Resized) -> None:
        job, size = self.emulation.job(record.job), record.amount_bytes
        cpu_ns = job.processes[record.rank].cpu_ns
        self.require(cpu_ns % self._barrier_ns == 0, "memory changes at no barrier", record)
        self.require(size == _size_at(job.marks, cpu_ns), "not what its profile has", record)
        self.require(size != self._held[record.job, record.rank], "no change", record)
        self._held[record.job, record.rank] = size
        self._ledger(record)

    def _moved(self, record: kinds.Departed) -> None:
        size = self._held[record.job, record.rank]
        self.require(record.amount_bytes == size, f"moves with other memory than {size}", record)
        source, target = (self.emulation.nodes[it].memory for it in (record.node, record.peer))
        for memory in (source, target):
            held = memory.processes.get((record.job, record.rank))
            self.require(held == size, f"held at both nodes: {size}, not {held}", record)
        if record.kind == kinds.Departed.name:
            running = self.emulation.job(record.job).running
            self.require(not running, "moves while its job runs", record)
            self.require(source.unmet > 0, "moves though its node pages nothing", record)
            self.require(not target.beyond_ram, "moves to a node that has not the RAM", record)
        self._ledger(record)

    def _loan(self, record: kinds.Loan, server: int, under_way: int, borrowed: int) -> None:
        """Count the amount, with these signs, as under way from a server and as borrowed of it."""
        self._borrowed_from[server] += borrowed * record.amount_bytes
        self._under_way[server] += under_way * record.amount_bytes
        self._astray[server] += under_way * record.amount_bytes
        if not self._forgets:
            self.require(self._under_way[server] >= 0, "more borrowed than lent", record)
        self.require(self._borrowed_from[server] >= 0, "more given back than borrowed", record)
        nodes = self.emulation.nodes
        lent = nodes[server].memory.lent
        known = self._borrowed_from[server] + self._under_way[server]
        self.require(lent == known, f"lent {lent}, known of {known}", record)
        self._ledger(record)

    def _ledger(self, record: kinds.Resizing | kinds.Loan) -> None:
        memory = self.emulation.nodes[record.node].memory
        held = sum(memory.processes.values()) + memory.lent
        sizes = memory.processes.items()
        limits = ((self.emulation.job(job).limit, size) for (job, _), size in sizes)
        beyond = sum(max(0, size - limit) for limit, size in limits if limit is not None)
        of_limits = f"beyond limits {memory.beyond_limits}, but {beyond}"
        self.require(memory.beyond_limits == beyond, of_limits, record)
        demand, held = memory.demand, held - beyond
        self.require(demand == held, f"demand {demand}, held {held}", record)
        loans = sum(memory.loans.values())
        self.require(memory.borrowed == loans, f"borrowed {memory.borrowed}, loans {loans}", record)
        self.require(min(memory.loans.values(), default=1) > 0, "a loan of nothing", record)


def _size_at(marks: Marks, cpu_ns: int) -> int:
    return next(mark.size for mark in reversed(marks) if mark.cpu_ns <= cpu_ns)
