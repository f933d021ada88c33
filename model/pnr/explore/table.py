"""What a compiled search knows: its arrays, and Python's answers to what they do not hold.

`compiled.py` says how a state is written as a row of words. Here rows become states of `world.py`
again, and the world is asked what follows.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from model.pnr.explore import compiled as c
from model.pnr.explore.host import Summary
from model.pnr.explore.instants import LATEST, ORIGIN_BITS, STEP_BITS
from model.pnr.explore.setting import Slots
from model.pnr.explore.world import InFlight, Node, Outcome, State, Step, Transition, World

if TYPE_CHECKING:
    from model.pnr.explore.graph import Graph

_PRESENT_NS = 1 << 40  # later than all that is over, of nodes apart
_WHAT = {c.CRASHED: "crash", c.RESTARTED: "restart", c.LEAVING: "leave", c.GONE: "go"}
_FEW = 1 << 10  # states and shapes for which there is room at first

Matrix = tuple[Slots, int, tuple[int, ...]]  # jobs by slot, how many are placed, absent nodes


class Table:
    """The arrays of one search of a world, which grow, and what the numbers in them stand for."""

    def __init__(self, world: World, each_step: bool, most_states: int) -> None:
        setting = world.setting
        self.world = world
        self.jobs = sorted(job.number for job in setting.workload)
        self.nodes = setting.scenario.nodes
        self.matrices: list[Matrix] = []
        self.placements: list[Any] = []  # inputs of processes that are placed
        self.timers: list[tuple[str, str]] = []  # role and name
        self.debts: list[tuple[tuple[str, ...], int]] = []  # of a node: who waits, bytes lent
        self.owed: list[tuple[int, ...]] = []  # of a state: debts by node
        self._numbers: dict[Any, int] = {}  # in the lists above, by what stands there
        self._known_shapes = 0
        self._answers = 0
        self._pool_used = c.FIRST_PLACE
        count, jobs = self.nodes, len(self.jobs)
        at = np.zeros(c.ITEMS, np.int64)
        at[c.NODES], at[c.JOBS] = count, jobs
        at[c.ANY_ORDER], at[c.LATE_TIMERS] = setting.order == "any", setting.late_timers
        at[c.LOSSES], at[c.DUPLICATES] = setting.losses, setting.duplicates
        at[c.CRASHES], at[c.LEAVES] = setting.crashes, setting.most_leaves
        at[c.EARLY], at[c.FOR_EVER] = setting.early, setting.for_ever
        at[c.APART], at[c.EACH_STEP] = world.watch.apart, each_step
        at[c.MOST_STATES] = most_states
        self.search = c.Search(
            at,
            _ints(c.LOANS + 2 * count + 2 * jobs, _FEW),
            np.zeros(_FEW, np.int64),
            _ints(c.BUSY + 2 * count, _FEW),
            np.array(self.jobs, np.int64),
            np.isin(np.arange(count), setting.leavers).astype(np.int64),
            _open_table(4 * _FEW),
            np.zeros(4 * _FEW, np.int64),
            _open_table(4 * _FEW),
            _ints(c.STATE_EDGES + 1, _FEW),
            _ints(c.EDGE_SUBJECTS + 1, 4 * c.ROOM),
            np.zeros(4 * c.ROOM, np.int32),
            np.zeros(c.ROOM, np.int32),
            _ints(c.LISTS, c.ROOM),
        )
        self._number(self.debts, ((), 0))  # nothing has number 0
        self._write(world.beginning().state)

    @property
    def found(self) -> int:
        """How many states are known."""
        return int(self.search.at[c.FOUND]) or 1

    @property
    def taken(self) -> int:
        """How many steps were taken."""
        return int(self.search.at[c.TAKEN])

    @property
    def seen(self) -> int:
        """What was seen of requests, as bits."""
        return int(self.search.at[c.SEEN])

    def advance(self, end: int) -> bool:
        """Take steps from the states before number `end`, up to one that is to be looked at;
        returns whether there is one."""
        at = self.search.at
        at[c.END_STATE] = end
        while (why := c.advance(self.search)) in (c.ASK, c.FULL):
            if why == c.ASK:
                self._answer(int(at[c.ASKED]), int(at[c.ASKED_A]), int(at[c.ASKED_B]))
            else:
                self._make_room()
        return bool(why == c.LOOK)

    def look(self) -> Transition:
        """The step that is to be looked at."""
        at, states = self.search.at, self.search.states
        number = int(at[c.STATE])
        begin, end = states[c.STATE_BEGINS, number : number + 2]
        before = self.state(self.search.rows[begin:end])
        step = Step.of_number(int(self.search.edges[c.EDGE_LABELS, at[c.USED_EDGES] - 1]))
        if at[c.FLAGS] & c.BROKEN:
            after, broken, _ = self.world.take(before, step)
        else:
            after, broken = self.state(self.search.row[: at[c.LENGTH]]), None
        return Transition(number, before, step, after, broken)

    def path(self, number: int) -> tuple[Step, ...]:
        """The steps that first led to a state."""
        states = self.search.states
        path = []
        while number:
            path.append(Step.of_number(int(states[c.STATE_STEPS, number])))
            number = int(states[c.STATE_PARENTS, number])
        return tuple(reversed(path))

    def leave(self) -> None:
        """Take no steps from where the step led if that is new, since a rule is broken there."""
        if self.search.at[c.IS_NEW]:
            self.search.states[c.STATE_FLAGS, self.search.at[c.AFTER]] |= c.BROKEN

    def go_on(self) -> None:
        """Take steps from where the step led although another has broken a rule there."""
        if self.search.states[c.STATE_FLAGS, self.search.at[c.AFTER]] & c.BROKEN:
            c.keep_again(self.search)

    def graph(self) -> "Graph":
        """All states and steps that are known."""
        from model.pnr.explore.graph import Graph  # with SciPy, for which not every search waits

        at, states = self.search.at, self.search.states
        found, done = int(at[c.FOUND]), int(at[c.STATE])
        edges = self.search.edges[:, : at[c.USED_EDGES]]
        per_state = np.diff(states[c.STATE_EDGES, : done + 1])
        begins = np.repeat(np.arange(done), per_state)
        edges = edges[:, : len(begins)]
        flags = states[c.STATE_FLAGS, :found]
        debts = [tuple(self.debts[debt] for debt in of_nodes) for of_nodes in self.owed]
        return Graph(
            begins,
            edges[c.EDGE_ENDS],
            edges[c.EDGE_LABELS],
            edges[c.EDGE_SUBJECTS],
            (flags & (c.DONE_ALL | c.BROKEN)) == c.DONE_ALL,
            flags & c.BROKEN != 0,
            states[c.STATE_DEBTS, :found],
            debts,
            bool(at[c.ANY_ORDER]),
        )

    @property
    def misses(self) -> int:
        """How many questions the arrays could not answer."""
        return self._answers

    def forget_states(self) -> None:
        """Begin anew, with all answers that are known."""
        at = self.search.at
        at[c.STATE : c.ITEMS] = 0
        self.search.known[:] = 0
        self._write(self.world.beginning().state)

    @property
    def bytes_held(self) -> int:
        """The memory that its arrays take."""
        return sum(array.nbytes for array in self.search)

    # Rows and states

    def state(self, row: npt.NDArray[np.int32]) -> State:
        """The state that a row stands for; of instants that are over it has only the order."""
        instants, words = self.world.instants, row.tolist()
        ahead, now_ns = self._times(row)

        def times(begin: int, shape: int) -> tuple[int, ...]:
            codes = words[begin : begin + instants[shape]]
            return tuple([self._stamp(code, ahead, now_ns) for code in codes])

        nodes: list[Node] = []
        place = c.HEADER
        for _ in range(self.nodes):
            shape, count = words[place : place + 2]
            own = times(place + 2, shape)
            place += 2 + len(own)
            due = []
            for _ in range(count):
                which, low, high = words[place : place + 3]
                due.append((self.timers[which], now_ns + c.whole(low, high)))
                place += 3
            nodes.append((shape, own, tuple(due)))
        channels: dict[tuple[int, int], tuple[InFlight, ...]] = {}
        for _ in range(words[c.MESSAGES]):
            pair, shape = words[place : place + 2]
            own = times(place + 2, shape)
            place += 2 + len(own)
            ends = divmod(pair, self.nodes)
            channels[ends] = (*channels.get(ends, ()), (shape, own))
        slots, placed, absent = self.matrices[words[c.MATRIX]]
        faults = words[c.FAULTS]
        so_far = faults & 0xFF, faults >> 8 & 0xFF, faults >> 16 & 0xFF, faults >> 24
        now = now_ns << STEP_BITS | len(ahead) + 1
        in_order = tuple(channels.items())
        return State(tuple(nodes), in_order, slots, placed, so_far, absent, now)

    def _times(self, row: npt.NDArray[np.int32]) -> tuple[list[int], int]:
        """By rank, how far instants are ahead, and the time, if all instants are in one order."""
        if self.world.watch.apart:
            return [], _PRESENT_NS
        words = row[len(row) - 2 - 2 * int(row[c.RANKS]) :].tolist()
        pairs = zip(words[::2], words[1::2], strict=True)
        *ahead, now_ns = [c.whole(low, high) for low, high in pairs]
        return ahead, now_ns

    def _stamp(self, code: int, ahead: list[int], now_ns: int) -> int:
        """The stamp of an instant; `ahead` is how far each is ahead, if all are in one order."""
        if self.world.watch.apart:
            origin, rank = divmod(code, c.ORIGIN)
            return origin << ORIGIN_BITS | (LATEST if rank == c.LATEST else rank + 1 << STEP_BITS)
        rank, place = divmod(code, c.RANK)
        if code == c.FAR:
            return LATEST
        if place != c.HALF:  # in the middle of a step that has given inputs to other nodes
            return now_ns << STEP_BITS | len(ahead) + 1
        if ahead[rank] == c.FAR_NS:
            return LATEST
        order = rank + 1 if ahead[rank] <= 0 else 0  # what is ahead was calculated
        return now_ns + ahead[rank] << STEP_BITS | order

    def _write(self, state: State) -> None:
        """Write a state to the row; in the beginning it has no instants but the present."""
        now = state.now
        stamps = {stamp for _, own, _ in state.nodes for stamp in own}
        held = [message for _, messages in state.channels for message in messages]
        stamps.update(stamp for _, own in held for stamp in own)
        apart = self.world.watch.apart
        order = sorted(stamps)
        codes = {stamp: rank * c.RANK + c.HALF for rank, stamp in enumerate(order)}
        if apart:
            codes = {stamp: (stamp >> ORIGIN_BITS) * c.ORIGIN for stamp in order}
        matrix = self._matrix((state.slots, state.placed, state.absent))
        self._know_shapes()
        words = [matrix, 0, len(held), 0 if apart else len(order)]
        for shape, own, timers in state.nodes:
            words += [shape, len(timers), *(codes[stamp] for stamp in own)]
            for name, due in timers:
                words += [self._timer(*name), *_two_words(due - (now >> STEP_BITS))]
        for (source, target), messages in state.channels:
            for shape, own in messages:
                words += [source * self.nodes + target, shape, *(codes[stamp] for stamp in own)]
        if not apart:
            for stamp in order:
                words += _two_words((stamp >> STEP_BITS) - (now >> STEP_BITS))
            words += _two_words(now >> STEP_BITS)
        self.search.row[: len(words)] = words
        self.search.at[c.LENGTH] = len(words)

    # Answers

    def _answer(self, asked: int, a: int, b: int) -> None:
        """Let the world answer what the arrays do not hold."""
        at, world = self.search.at, self.world
        questions = int(at[c.HASH_1]), int(at[c.HASH_2])
        if asked >= c.RECEIVED:
            answer = self._outcome(asked, a, b)
        else:
            row = self.search.row[: at[c.LENGTH]]
            match asked:
                case c.FIT:
                    answer = self._fit(a, row)
                case c.WITHOUT_JOB:
                    slots, placed, absent = self.matrices[a]
                    without = world.setting.without_job(slots, b)
                    answer = self._keep([self._matrix((without, placed, absent))])
                case c.JOINED:
                    slots, placed, absent = self.matrices[a]
                    left = tuple(node for node in absent if node != b)
                    answer = self._keep([self._matrix((slots, placed, left))])
                case c.CARRIED:
                    carried = world.carried(divmod(a, self.nodes), (b, self._some_times(b)))
                    flat = [number for pair in carried or () for number in pair]
                    answer = c.NONE if carried is None else self._keep([len(flat) // 2, *flat])
                case _:
                    shapes = [shape for shape, *_ in self.state(row).nodes]
                    numbers = tuple(int(self.search.shapes[c.OWED, shape]) for shape in shapes)
                    answer = self._keep([self._number(self.owed, numbers)])
        self._know_shapes()
        self._remember(*questions, answer)

    def _some_times(self, shape: int) -> tuple[int, ...]:
        """Any instants that a message of this shape might have."""
        return tuple(rank + 1 << STEP_BITS for rank in range(self.world.instants[shape]))

    def _fit(self, matrix: int, row: npt.NDArray[np.int32]) -> int:
        """The place of the ways to place the next job: of each its new matrix, nodes and inputs."""
        world, state = self.world, self.state(row)
        placed, absent = self.matrices[matrix][1:]
        ways = []
        for way, (slots, nodes) in enumerate(world.fits(state)):
            found = [self._matrix((slots, placed + 1, absent)), len(nodes)]
            for node, what in world.placements(state, way).items():
                found += [node, self._number(self.placements, what)]
            ways.append(self._keep(found))
        return self._keep([len(ways), *ways]) if ways else c.NONE

    def _outcome(self, asked: int, a: int, b: int) -> int:
        """The place of what a node makes of an input, or whether that depends on times."""
        at, world = self.search.at, self.world
        state = self.state(self.search.row[: at[c.LENGTH]])
        number = int(at[c.ASKED_NODE])
        stamp = world.stamp_of(number, state.now)
        what: Any
        times: tuple[int, ...] = ()
        match asked:
            case c.RECEIVED:
                what = "receive", a, b
                times = self._times_of_input(b)
            case c.FIRED:
                what = "fire", *self.timers[a]
            case c.PLACED:
                what = self.placements[a]
            case c.ENDED:
                what = "end", a
            case c.LENDER_GONE:
                what = "lender gone", a
            case _:
                what = (_WHAT[asked],)
                if asked == c.LEAVING:
                    times = (world.stamp_of(number, LATEST),)
        outcome, values = world.outcome(state.nodes[number], what, times, stamp)
        depth = int(at[c.DEPTH])
        if outcome.by_time and depth != c.BY_TIME:
            return c.BY_TIME if depth == c.BY_TIMES else c.BY_TIMES
        if outcome.by_times and depth == c.UNKNOWN:
            return c.BY_TIMES
        assert len(values) == at[c.PLACES]
        return self._keep(self._as_numbers(outcome))

    def _times_of_input(self, shape: int) -> tuple[int, ...]:
        """The instants of the message that was just taken out of its channel."""
        codes = self.search.scratch[c.IN_TIMES][: self.world.instants[shape]].tolist()
        ahead, now_ns = self._times(self.search.row[: self.search.at[c.LENGTH]])
        return tuple([self._stamp(code, ahead, now_ns) for code in codes])

    def _as_numbers(self, outcome: Outcome) -> list[int]:
        """An outcome as it stands in the pool."""
        new, places = outcome.new, outcome.places
        found = [outcome.shape, c.BROKEN if outcome.broken else 0, outcome.seen, len(new), *new]
        found += [len(places), *places, len(outcome.sends)]
        for target, shape, own in outcome.sends:
            found += [target, shape, len(own), *own]
        found.append(len(outcome.timers))
        for role, name, after_ns in outcome.timers:
            found += [self._timer(role, name), -1 if after_ns is None else max(after_ns, 0)]
        return found

    def _keep(self, numbers: list[int]) -> int:
        """Keep an answer in the pool; returns its place."""
        place = self._pool_used
        end = place + len(numbers)
        if end > len(self.search.pool):
            self.search = self.search._replace(pool=_grown(self.search.pool, 2 * end))
        self.search.pool[place:end] = numbers
        self._pool_used = end
        return place

    def _remember(self, first: int, second: int, answer: int) -> None:
        """Write an answer down."""
        if 2 * self._answers > self.search.memo.shape[1]:
            self.search = self.search._replace(memo=_moved(self.search.memo))
        memo, bits = self.search.memo, (1 << 64) - 1
        mask, first, second = memo.shape[1] - 1, first & bits, second & bits
        place = (first ^ first >> 32) & mask
        while memo[2, place]:
            place = place + 1 & mask
        memo[:, place] = first, second, answer
        self._answers += 1

    # Numbers

    def _number(self, held: list[Any], what: Any) -> int:
        """The number of something in one of the lists, in which it stands from now on."""
        key = id(held), what
        number = self._numbers.setdefault(key, len(held))
        if number == len(held):
            held.append(what)
        return number

    def _matrix(self, matrix: Matrix) -> int:
        """The number of what the scheduler knows."""
        number = self._number(self.matrices, matrix)
        if number == self.search.matrices.shape[1]:
            self.search = self.search._replace(matrices=_grown(self.search.matrices, 2 * number))
        slots, placed, absent = matrix
        column = self.search.matrices[:, number]
        column[c.LEFT] = len(self.jobs) - placed
        for node in (node for slot in slots for _, held in slot for node in held):
            column[c.BUSY + node] = True
        for node in absent:
            column[c.BUSY + self.nodes + node] = True
        return number

    def _timer(self, role: str, name: str) -> int:
        """The number of a timer."""
        number = self._number(self.timers, (role, name))
        if number == len(self.search.timers):
            self.search = self.search._replace(timers=_grown(self.search.timers, 2 * number))
        order = sorted(range(len(self.timers)), key=self.timers.__getitem__)
        self.search.timers[order] = np.arange(len(order))
        return number

    def _know_shapes(self) -> None:
        """Let the arrays know all shapes that the world knows."""
        world = self.world
        for shape in range(self._known_shapes, len(world.instants)):
            if shape == self.search.shapes.shape[1]:
                self.search = self.search._replace(shapes=_grown(self.search.shapes, 2 * shape))
            column = self.search.shapes[:, shape]
            column[c.INSTANTS], column[c.ORDERS] = world.instants[shape], world.order_of(shape)
            if world.summaries[shape] is not None:
                self._know_node(column, world.summaries[shape])
        self._known_shapes = len(world.instants)

    def _know_node(self, column: c.Ints, summary: Summary) -> None:
        """Write down what a search must know of nodes of one shape."""
        column[c.SHAPE_FLAGS] = (
            c.IS_DOWN * summary.is_down
            | c.IS_LEAVING * summary.is_leaving
            | c.IS_GONE * summary.is_gone
        )
        column[c.OWED] = self._number(self.debts, self.world.owed_by(summary))
        column[c.LENDS], column[c.HAS_BALANCE] = summary.lent, summary.balance is not None
        by_server = column[c.LOANS : c.LOANS + 2 * self.nodes].reshape(2, self.nodes)
        for server, amount in summary.loans:
            by_server[0, server] = amount
        for server, amount in summary.balance or ():
            by_server[1, server] += amount
        by_job = column[c.LOANS + 2 * self.nodes :].reshape(2, len(self.jobs))
        by_job[0] = np.isin(self.jobs, summary.running)
        by_job[1] = np.isin(self.jobs, summary.resident)

    # Room

    def _make_room(self) -> None:
        """Make room for more states, and forget rows from which all steps were taken."""
        at, states, rows = self.search.at, self.search.states, self.search.rows
        found, begin = int(at[c.FOUND]), int(at[c.STATE])
        dead, used = int(states[c.STATE_BEGINS, begin]), int(at[c.USED_WORDS])
        if 2 * dead > used:
            rows[: used - dead] = rows[dead:used]
            states[c.STATE_BEGINS, begin : found + 1] -= dead
            at[c.USED_WORDS] -= dead
        elif used + c.ROOM >= len(rows):
            rows = _grown(rows, 2 * len(rows))
        if found + 2 >= states.shape[1]:
            states = _grown(states, 2 * found)
        known, edges = self.search.known, self.search.edges
        if 2 * found + 2 >= known.shape[1]:
            known = _moved(known)
        if at[c.USED_EDGES] + c.ROOM >= edges.shape[1]:
            edges = _grown(edges, 2 * edges.shape[1])
        self.search = self.search._replace(states=states, rows=rows, known=known, edges=edges)


def _ints(rows: int, columns: int) -> c.Ints:
    return np.zeros((rows, columns), np.int64)


def _grown(array: Any, size: int) -> Any:
    """A longer array that begins with this one."""
    larger = np.zeros((*array.shape[:-1], size), array.dtype)
    larger[..., : array.shape[-1]] = array
    return larger


def _open_table(size: int) -> c.Hashes:
    return np.zeros((3, size), np.uint64)


def _moved(table: c.Hashes) -> c.Hashes:
    """What an open table holds, in one of twice the size."""
    larger = _open_table(2 * table.shape[1])
    c.move(table, larger)
    return larger


def _two_words(value: int) -> tuple[int, int]:
    low = value & 0xFFFFFFFF
    return low - (low >> 31 << 32), value >> 32
