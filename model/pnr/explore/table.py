"""What a compiled search knows: its arrays, and Python's answers to what they do not hold.

`compiled.py` says how a state is written as a row of words. Here rows become states of `world.py`
again, and the world is asked what follows.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from model.pnr.explore import compiled as c
from model.pnr.explore.host import Summary
from model.pnr.explore.instants import LATEST, ORIGIN_BITS, STEP_BITS
from model.pnr.explore.setting import Slots
from model.pnr.explore.world import InFlight, Node, Outcome, State, World

_PRESENT = 1 << ORIGIN_BITS - 2  # a moment that is later than all that is over, of nodes apart
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
        self.leavers = np.isin(np.arange(self.nodes), setting.leavers)
        self._numbers: dict[Any, int] = {}  # in the lists above, by what stands there
        self._known_shapes = 0
        self._answers = 0
        self._pool_used = c.FIRST_PLACE
        settings = np.zeros(c.SETTINGS, np.int64)
        settings[c.NODES], settings[c.JOBS] = self.nodes, len(self.jobs)
        settings[c.ANY_ORDER] = setting.order == "any"
        settings[c.LATE_TIMERS], settings[c.LOSSES] = setting.late_timers, setting.losses
        settings[c.DUPLICATES], settings[c.CRASHES] = setting.duplicates, setting.crashes
        settings[c.LEAVES], settings[c.APART] = setting.most_leaves, world.watch.apart
        settings[c.EACH_STEP], settings[c.MOST_STATES] = each_step, most_states
        self.search = c.Search(
            settings,
            np.zeros(c.DEPTH + 1, np.int64),
            _shapes(self.nodes, len(self.jobs)),
            _matrices(self.nodes, self.jobs),
            c.Memo(*_open_table(4 * _FEW), np.zeros(4 * _FEW, np.int64)),
            _states(),
            _scratch(),
        )
        self._write(world.beginning().state)

    def advance(self, end: int) -> int:
        """Take all steps from the states before number `end`; returns why it stops: DONE, LOOK or
        ENOUGH."""
        at = self.search.at
        at[c.END_STATE] = end
        while True:
            why = c.advance(self.search, self.leavers)
            if why == c.ASK:
                self._answer(int(at[c.ASKED]), int(at[c.ASKED_A]), int(at[c.ASKED_B]))
            elif why == c.FULL:
                self._make_room()
            else:
                return why

    @property
    def bytes_held(self) -> int:
        """The memory that its arrays take."""
        parts = (self.search.states, self.search.memo, self.search.shapes)
        return sum(array.nbytes for part in parts for array in part)

    # Rows and states

    def state(self, row: npt.NDArray[np.int32]) -> State:
        """The state that a row stands for; of instants that are over it has only the order."""
        apart, instants = self.world.watch.apart, self.world.instants
        words = row.tolist()
        ahead: list[int] = []
        now_ns = 0
        if not apart:
            begin = len(words) - 2 - 2 * words[c.RANKS]
            pairs = zip(words[begin::2], words[begin + 1 :: 2], strict=True)
            *ahead, now_ns = [c.whole(low, high) for low, high in pairs]

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
        so_far = faults & 0xFF, faults >> 8 & 0xFF, faults >> 16
        now = self._now(now_ns, len(ahead))
        in_order = tuple(channels.items())
        return State(tuple(nodes), in_order, slots, placed, so_far, absent, now)

    def _now(self, now_ns: int, ranks: int) -> int:
        return _PRESENT if self.world.watch.apart else now_ns << STEP_BITS | ranks + 1

    def _stamp(self, code: int, ahead: list[int], now_ns: int) -> int:
        """The stamp of an instant; `ahead` is how far each is ahead, if all are in one order."""
        if self.world.watch.apart:
            origin, rank = divmod(code, c.ORIGIN)
            return origin << ORIGIN_BITS | (LATEST if rank == c.LATEST else rank + 1 << STEP_BITS)
        rank = code // c.RANK
        far = ahead[rank] == c.FAR_NS
        return LATEST if far else now_ns + ahead[rank] << STEP_BITS | rank + 1

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
        self.search.scratch.row[: len(words)] = words
        self.search.at[c.LENGTH] = len(words)

    # Answers

    def _answer(self, asked: int, a: int, b: int) -> None:
        """Let the world answer what the arrays do not hold."""
        at, world = self.search.at, self.world
        questions = int(at[c.HASH_1]), int(at[c.HASH_2])
        if asked >= c.RECEIVED:
            answer = self._outcome(asked, a, b)
        else:
            row = self.search.scratch.row[: at[c.LENGTH]]
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
                    numbers = tuple(int(self.search.shapes.debts[shape]) for shape in shapes)
                    answer = self._keep([self._number(self.owed, numbers)])
        self._know_shapes()
        self._remember(*questions, answer)

    def _some_times(self, shape: int) -> tuple[int, ...]:
        """Any instants that a message of this shape might have."""
        return tuple(rank + 1 << STEP_BITS for rank in range(self.world.instants[shape]))

    def _fit(self, matrix: int, row: npt.NDArray[np.int32]) -> int:
        """The place of the next job's new matrix, nodes and inputs."""
        world, state = self.world, self.state(row)
        fit = world.fit(state)
        if fit is None:
            return c.NONE
        slots, nodes = fit
        placed, absent = self.matrices[matrix][1:]
        found = [self._matrix((slots, placed + 1, absent)), len(nodes)]
        for node, what in world.placements(state).items():
            found += [node, self._number(self.placements, what)]
        return self._keep(found)

    def _outcome(self, asked: int, a: int, b: int) -> int:
        """The place of what a node makes of an input, or whether that depends on times."""
        at, scratch, world = self.search.at, self.search.scratch, self.world
        state = self.state(scratch.row[: at[c.LENGTH]])
        number = int(at[c.ASKED_NODE])
        stamp = world.stamp_of(number, state.now)
        what: Any
        times: tuple[int, ...] = ()
        match asked:
            case c.RECEIVED:
                what = "receive", a, b
                times = self._times_of_input(state, b)
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
        return self._keep(self._as_numbers(outcome, stamp))

    def _times_of_input(self, state: State, shape: int) -> tuple[int, ...]:
        """The instants of the message that was just taken out of its channel."""
        row, at = self.search.scratch.row, self.search.at
        codes = self.search.scratch.times[: self.world.instants[shape]].tolist()
        ahead: list[int] = []
        now_ns = 0
        if not self.world.watch.apart:
            end = int(at[c.LENGTH])
            words = row[end - 2 - 2 * int(row[c.RANKS]) : end].tolist()
            pairs = zip(words[::2], words[1::2], strict=True)
            *ahead, now_ns = [c.whole(low, high) for low, high in pairs]
        return tuple([self._stamp(code, ahead, now_ns) for code in codes])

    def _as_numbers(self, outcome: Outcome, stamp: int) -> list[int]:
        """An outcome as it stands in the pool."""
        now_ns = stamp >> STEP_BITS
        new = [(stamp + more >> STEP_BITS) - now_ns for more in outcome.new]
        places = outcome.places
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
        memo = self.search.memo
        if end > len(memo.pool):
            pool = _grown(memo.pool, 2 * end)
            self.search = self.search._replace(memo=memo._replace(pool=pool))
        self.search.memo.pool[place:end] = numbers
        self._pool_used = end
        return place

    def _remember(self, first: int, second: int, answer: int) -> None:
        """Write an answer down."""
        memo = self.search.memo
        if 2 * self._answers > len(memo.first):
            larger = _open_table(2 * len(memo.first))
            c.move(memo.first, memo.second, memo.answers, *larger)
            memo = c.Memo(*larger, memo.pool)
            self.search = self.search._replace(memo=memo)
        bits = (1 << 64) - 1
        mask, first, second = len(memo.first) - 1, first & bits, second & bits
        place = (first ^ first >> 32) & mask
        while memo.answers[place]:
            place = place + 1 & mask
        memo.first[place], memo.second[place], memo.answers[place] = first, second, answer
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
        arrays = self.search.matrices
        if number == len(arrays.left):
            arrays = c.Matrices(*[_grown(a, 2 * number) for a in arrays[:3]], arrays.jobs)
            self.search = self.search._replace(matrices=arrays)
        slots, placed, absent = matrix
        for node in (node for slot in slots for _, held in slot for node in held):
            arrays.busy[number, node] = True
        arrays.absent[number, list(absent)] = True
        arrays.left[number] = len(self.jobs) - placed
        return number

    def _timer(self, role: str, name: str) -> int:
        """The number of a timer."""
        number = self._number(self.timers, (role, name))
        arrays = self.search.shapes
        if number == len(arrays.timers):
            arrays = arrays._replace(timers=_grown(arrays.timers, 2 * number))
            self.search = self.search._replace(shapes=arrays)
        order = sorted(range(len(self.timers)), key=self.timers.__getitem__)
        arrays.timers[order] = np.arange(len(order))
        return number

    def _know_shapes(self) -> None:
        """Let the arrays know all shapes that the world knows."""
        world = self.world
        for shape in range(self._known_shapes, len(world.instants)):
            arrays = self.search.shapes
            if shape == len(arrays.instants):
                larger = [_grown(array, 2 * shape) for array in arrays[:-1]]
                arrays = c.Shapes(*larger, arrays.timers)
                self.search = self.search._replace(shapes=arrays)
            arrays.instants[shape] = world.instants[shape]
            arrays.orders[shape] = world.order_of(shape)
            if world.summaries[shape] is not None:
                self._know_node(arrays, shape, world.summaries[shape])
        self._known_shapes = len(world.instants)

    def _know_node(self, arrays: c.Shapes, shape: int, summary: Summary) -> None:
        flags = c.IS_DOWN * summary.is_down | c.IS_LEAVING * summary.is_leaving
        flags |= c.IS_GONE * summary.is_gone | c.IS_WAITING * bool(summary.waits)
        arrays.flags[shape], arrays.lent[shape] = flags, summary.lent
        arrays.debts[shape] = self._number(self.debts, (summary.waiting, summary.lent))
        for server, amount in summary.loans:
            arrays.loans[shape, server] = amount
        arrays.running[shape] = np.isin(self.jobs, summary.running)
        arrays.resident[shape] = np.isin(self.jobs, summary.resident)
        arrays.has_balance[shape] = summary.balance is not None
        for server, amount in summary.balance or ():
            arrays.balance[shape, server] += amount

    # Room

    def _make_room(self) -> None:
        """Make room for more states, and forget rows from which all steps were taken."""
        at, states = self.search.at, self.search.states
        found, begin = int(at[c.FOUND]), int(at[c.STATE])
        dead, used = int(states.begins[begin]), int(at[c.USED_WORDS])
        rows = states.rows
        if 2 * dead > used:
            rows[: used - dead] = rows[dead:used]
            states.begins[begin : found + 1] -= dead
            at[c.USED_WORDS] -= dead
        elif used + c.ROOM >= len(rows):
            states = states._replace(rows=_grown(rows, 2 * len(rows)))
        if found + 2 >= len(states.parents):
            per_state = ("begins", "parents", "steps", "flags", "debts", "edges")
            larger = {name: _grown(getattr(states, name), 2 * found) for name in per_state}
            states = states._replace(**larger)
        if 2 * found + 2 >= len(states.first):
            known = _open_table(2 * len(states.first))
            c.move(states.first, states.second, states.numbers, *known)
            first, second, numbers = known
            states = states._replace(first=first, second=second, numbers=numbers)
        if at[c.USED_EDGES] + c.ROOM >= len(states.ends):
            size = 2 * len(states.ends)
            larger = {name: _grown(getattr(states, name), size) for name in _OF_EDGES}
            states = states._replace(**larger)
        self.search = self.search._replace(states=states)


_OF_EDGES = ("ends", "labels", "subjects")


def _grown(array: Any, size: int) -> Any:
    """A longer array that begins with this one."""
    larger = np.zeros((size, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def _two_words(value: int) -> tuple[int, int]:
    low = value & 0xFFFFFFFF
    return low - (low >> 31 << 32), value >> 32


def _open_table(size: int) -> tuple[Any, Any, Any]:
    return np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.uint32)


def _shapes(nodes: int, jobs: int) -> c.Shapes:
    def ints() -> c.Ints:
        return np.zeros(_FEW, np.int64)

    def by(count: int, of: Any) -> Any:
        return np.zeros((_FEW, count), of)

    return c.Shapes(
        ints(),
        np.zeros(_FEW, np.uint64),
        ints(),
        ints(),
        ints(),
        by(nodes, np.int64),
        by(jobs, np.bool_),
        by(jobs, np.bool_),
        np.zeros(_FEW, np.bool_),
        by(nodes, np.int64),
        np.zeros(_FEW, np.int64),
    )


def _matrices(nodes: int, jobs: list[int]) -> c.Matrices:
    few = 64
    busy, absent = np.zeros((few, nodes), np.bool_), np.zeros((few, nodes), np.bool_)
    return c.Matrices(busy, absent, np.zeros(few, np.int64), np.array(jobs, np.int64))


def _states() -> c.States:
    words = 4 * c.ROOM
    return c.States(
        *_open_table(4 * _FEW),
        np.zeros(words, np.int32),
        np.zeros(_FEW, np.int64),
        np.zeros(_FEW, np.uint32),
        np.zeros(_FEW, np.int64),
        np.zeros(_FEW, np.uint8),
        np.zeros(_FEW, np.int32),
        np.zeros(_FEW, np.int64),
        np.zeros(words, np.uint32),
        np.zeros(words, np.int64),
        np.zeros(words, np.int32),
    )


def _scratch() -> c.Scratch:
    def ints() -> c.Ints:
        return np.zeros(c.ROOM, np.int64)

    def words() -> c.Words:
        return np.zeros(c.ROOM, np.int32)

    return c.Scratch(
        words(), ints(), ints(), ints(), ints(), ints(), words(), *[ints() for _ in range(6)]
    )
