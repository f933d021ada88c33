"""The search, compiled: states as rows of words, and what nodes do looked up in tables.

It takes the steps of `world.py`, in the same order, and finds the same states; what it does not
find in its tables it asks Python for, once (`table.py`).

A state is a row of 32-bit words. First come MATRIX, the number of what the scheduler knows; FAULTS
so far; MESSAGES, how many are on their way; and RANKS, how many different instants there are if all
are in one order. Then node by node its shape, how many timers are set, its instants, and each
timer's number and the time left, low word and high; then each message's pair of ends, shape and
instants, in order. An instant is its node and its rank among the instants of that node; or, if all
instants are in one order, its rank alone, and behind the messages stands, by rank, how long it is
ahead of the present (or behind, below 0), in ns, low word and high, and then the time itself.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from model.core.jit import compiled, inner
from model.pnr.explore.world import (
    CRASH,
    DELIVER,
    DUPLICATE,
    END,
    FIRE,
    GO,
    JOIN,
    LEAVE,
    LOSE,
    PLACE,
    RESTART,
)

Words = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

MATRIX, FAULTS, MESSAGES, RANKS, HEADER = 0, 1, 2, 3, 4
#: In `at`: what is searched,
NODES, JOBS, ANY_ORDER, LATE_TIMERS, LOSSES, DUPLICATES, CRASHES, LEAVES, APART = range(9)
EACH_STEP, MOST_STATES, EARLY, FOR_EVER = range(9, 13)
#: how far it is: the state and step that are next, where it stops for a while, and what is used,
STATE, STEP, END_STATE, FOUND, USED_WORDS, USED_EDGES, SEEN, TAKEN = range(13, 21)
#: what is asked: the kind of question, what it is about, and its hash,
ASKED, ASKED_A, ASKED_B, ASKED_NODE, DEPTH, HASH_1, HASH_2 = range(21, 28)
#: and of one step: the words of the row, calculated instants, instants of an input, inputs, then
#: the state where it leads, whether that is new, and what is wrong there.
LENGTH, NEW, PLACES, INPUTS, AFTER, IS_NEW, FLAGS, ITEMS = range(28, 36)
#: Rows of `shapes`; from LOANS on by server what is borrowed, by server the balance, by job whether
#: its process runs here, and by job whether it is here at all.
INSTANTS, ORDERS, SHAPE_FLAGS, OWED, LENDS, HAS_BALANCE, LOANS = range(7)
#: Rows of `matrices`; from BUSY on by node whether it has jobs, and by node whether it is absent.
LEFT, BUSY = range(2)
#: Rows of `states` and of `edges`.
STATE_BEGINS, STATE_PARENTS, STATE_STEPS, STATE_FLAGS, STATE_DEBTS, STATE_EDGES = range(6)
EDGE_ENDS, EDGE_LABELS, EDGE_SUBJECTS = range(3)
#: Rows of `scratch`: where nodes and messages begin in the row; instants of a node, of an input,
#: and of both; a message; timers; steps; inputs; calculated instants, and how far they are ahead.
IN_NODES, IN_MESSAGES, IN_OWN, IN_TIMES, IN_MERGED, IN_SEGMENT, IN_TIMERS = range(7)
IN_STEPS, IN_INPUTS, IN_NEW, IN_AHEAD, IN_MARKS, LISTS = range(7, 13)
#: Why it stops: all states up to END_STATE are done; something is asked; an array is full; a step
#: is to be looked at; as many states as are wanted.
DONE, ASK, FULL, LOOK, ENOUGH = range(5)
#: What a table is asked for, and what a node is given; the first three are about the matrix.
FIT, WITHOUT_JOB, JOINED, CARRIED, DEBTS, RECEIVED, FIRED, PLACED, ENDED = range(9)
CRASHED, RESTARTED, LEAVING, GONE, LENDER_GONE = range(9, 14)
#: Answers of a table that are no places in its pool, which begin later.
UNKNOWN, NONE, BY_TIMES, BY_TIME = range(4)
FIRST_PLACE = 8
#: Of shapes and of states.
IS_DOWN, IS_LEAVING, IS_GONE = 1, 2, 4
BROKEN, LENT, ASTRAY, QUIET, DONE_ALL = 1, 2, 4, 8, 16

RANK = 1 << 12  # the distance of ranks in one order, so that new ones fit between
HALF = RANK // 2
ORIGIN = 1 << 16  # the distance of nodes in instants of nodes apart
PRESENT, LATEST = ORIGIN - 2, ORIGIN - 1  # ranks of these, of nodes apart
FAR, FAR_NS = (1 << 30) + 1, 1 << 60  # what is ahead for ever, in one order
ROOM = 1 << 14  # words of a row and items of a scratch list at most


class Search(NamedTuple):
    """All that a search has: arrays of few kinds, since each is an argument of every function."""

    at: Ints  # SETTINGS and where it stands
    shapes: Ints  # what is known of shapes of nodes and messages, by row and number
    timers: Ints  # by the number of a timer, its place in the order of their names
    matrices: Ints  # what the scheduler knows, by number and row
    jobs: Ints  # their numbers
    leavers: Ints  # by node, whether it may be told to leave
    memo: Hashes  # an open table: 128 bits of a question, and the place of its answer
    pool: Ints  # answers
    known: Hashes  # an open table: 128 bits of a state, and its number + 1
    states: Ints  # by row and number
    edges: Ints  # steps that were taken: where they lead, what they are, and what they are about
    rows: Words  # of states whose steps are not all taken
    row: Words  # the state that is worked on
    scratch: Ints  # lists of what it is worked with


# Words


@inner
def whole(low: int, high: int) -> int:
    """A number of 64 bits from its words."""
    return int(np.int64(high) << 32 | np.int64(low) & 0xFFFFFFFF)


@inner
def split(words: Words, at: int, value: int) -> None:
    """Write a number of 64 bits as two words."""
    words[at] = np.int32(np.uint32(value & 0xFFFFFFFF))
    words[at + 1] = np.int32(value >> 32)


@inner
def stir(hashed: np.uint64, word: int | np.int64) -> np.uint64:
    """A hash with one more word in it."""
    mixed = (hashed ^ np.uint64(np.uint32(word))) + np.uint64(0x2545F4914F6CDD1D)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))


@inner
def stir_again(hashed: np.uint64, word: int | np.int64) -> np.uint64:
    """Another hash with one more word in it."""
    mixed = (hashed + np.uint64(np.uint32(word))) * np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


@inner
def begin_question(search: Search, kind: int, a: int, b: int) -> None:
    """Begin to ask the tables."""
    at = search.at
    at[ASKED], at[ASKED_A], at[ASKED_B] = kind, a, b
    at[HASH_1], at[HASH_2] = np.int64(1), np.int64(2)
    add_to_question(search, kind)
    add_to_question(search, a)
    add_to_question(search, b)


@inner
def add_to_question(search: Search, number: int) -> None:
    """One more number of what is asked."""
    at, word = search.at, np.int64(number)
    low, high = word & 0xFFFFFFFF, word >> 32 & 0xFFFFFFFF
    first, second = np.uint64(at[HASH_1]), np.uint64(at[HASH_2])
    at[HASH_1] = np.int64(stir(stir(first, low), high))
    at[HASH_2] = np.int64(stir_again(stir_again(second, low), high))


@inner
def answer(search: Search) -> int:
    """What the tables know of what is asked."""
    memo, at = search.memo, search.at
    first, second = np.uint64(at[HASH_1]), np.uint64(at[HASH_2])
    mask = np.uint64(len(memo[0]) - 1)
    place = (first ^ (first >> np.uint64(32))) & mask
    while memo[2][place] != UNKNOWN:
        if memo[0][place] == first and memo[1][place] == second:
            return int(np.int64(memo[2][place]))
        place = (place + np.uint64(1)) & mask
    return UNKNOWN


@inner
def resize(search: Search, begin: int, end: int, size: int) -> None:
    """Make the words of the row from `begin` to `end` so many; what follows moves."""
    row, at = search.row, search.at
    length, by = at[LENGTH], size - (end - begin)
    if by > 0:
        for place in range(length - 1, end - 1, -1):
            row[place + by] = row[place]
    elif by < 0:
        for place in range(end, length):
            row[place + by] = row[place]
    at[LENGTH] = length + by


@inner
def find_parts(search: Search) -> None:
    """Find where the nodes and messages of the row begin, and where they end."""
    row, instants = search.row, search.shapes[INSTANTS]
    nodes, messages = search.scratch[IN_NODES], search.scratch[IN_MESSAGES]
    place = HEADER
    count = search.at[NODES]
    for node in range(count):
        nodes[node] = place
        place += 2 + instants[row[place]] + 3 * row[place + 1]
    nodes[count] = place
    for message in range(row[MESSAGES]):
        messages[message] = place
        place += 2 + instants[row[place + 1]]
    messages[row[MESSAGES]] = place


@inner
def ahead_of_present(search: Search, code: int) -> int:
    """How far an instant in one order is ahead of the present, ns."""
    row = search.row
    if code == FAR:
        return FAR_NS
    place = search.scratch[IN_MESSAGES][row[MESSAGES]] + 2 * (code // RANK)
    return whole(row[place], row[place + 1])


@inner
def passed(search: Search) -> int:
    """How many of the instants in one order are not ahead."""
    count = 0
    for rank in range(search.row[RANKS]):
        count += ahead_of_present(search, rank * RANK) <= 0
    return count


@inner
def let_pass(search: Search, time_ns: int) -> None:
    """So much time passes: timers have less left, and instants are less ahead."""
    row, nodes, instants = search.row, search.scratch[IN_NODES], search.shapes[INSTANTS]
    for node in range(search.at[NODES]):
        place = nodes[node] + 2 + instants[row[nodes[node]]]
        for _ in range(row[nodes[node] + 1]):
            split(row, place + 1, whole(row[place + 1], row[place + 2]) - time_ns)
            place += 3
    if not search.at[APART]:
        place = search.scratch[IN_MESSAGES][row[MESSAGES]]
        for _ in range(row[RANKS]):
            ahead_ns = whole(row[place], row[place + 1])
            if ahead_ns != FAR_NS:
                split(row, place, ahead_ns - time_ns)
            place += 2
        split(row, place, whole(row[place], row[place + 1]) + time_ns)


# What a node does


@inner
def present_of(search: Search, node: int) -> int:
    """The code of the present on a node."""
    if search.at[APART]:
        return node * ORIGIN + PRESENT
    return passed(search) * RANK


@inner
def code_of_new(search: Search, ahead_ns: int) -> int:
    """The code of an instant that was calculated."""
    new, ahead, at = search.scratch[IN_NEW], search.scratch[IN_AHEAD], search.at
    before = 0
    for rank in range(search.row[RANKS]):
        known_ns = ahead_of_present(search, rank * RANK)
        if known_ns == ahead_ns and ahead_ns > 0:  # what is ahead was calculated, too
            return rank * RANK + HALF
        before += known_ns < ahead_ns
    low, high = before * RANK - HALF, before * RANK + HALF
    if ahead_ns > 0:
        low = max(low, passed(search) * RANK)
    else:
        high = min(high, passed(search) * RANK)
    for place in range(at[NEW]):
        if ahead[place] == ahead_ns:
            return new[place]
        if ahead[place] < ahead_ns:
            low = max(low, new[place])
        else:
            high = min(high, new[place])
    new[at[NEW]], ahead[at[NEW]] = (low + high) // 2, ahead_ns
    at[NEW] += 1
    return new[at[NEW] - 1]


@inner
def ask_of_instants(search: Search, node: int, count: int) -> int:
    """Add to what is asked the order of a node's instants and of an input's `count`; returns how
    many different ones there are."""
    scratch = search.scratch
    row, own, times, merged = search.row, scratch[IN_OWN], scratch[IN_TIMES], scratch[IN_MERGED]
    begin = scratch[IN_NODES][node]
    held = search.shapes[INSTANTS][row[begin]]
    for place in range(held):
        own[place] = row[begin + 2 + place]
    a = b = size = 0
    while a < held or b < count:
        pattern = 0
        if b == count or (a < held and own[a] <= times[b]):
            pattern, value = 1, own[a]
        else:
            value = times[b]
        if b < count and times[b] == value:
            pattern += 2
            b += 1
        a += pattern & 1
        merged[size] = value
        size += 1
        add_to_question(search, pattern)
    return size


@inner
def ask_of_node(search: Search, node: int, kind: int, a: int, b: int, count: int) -> int:
    """What a node does with an input with `count` instants: a place in the pool, or UNKNOWN."""
    scratch, at = search.scratch, search.at
    begin_question(search, kind, a, b)
    at[ASKED_NODE] = node
    add_to_question(search, search.row[scratch[IN_NODES][node]])
    size = ask_of_instants(search, node, count)
    at[PLACES], at[DEPTH] = size, UNKNOWN
    if search.at[APART]:
        return answer(search)
    gone = 0
    for place in range(size):
        gone += ahead_of_present(search, scratch[IN_MERGED][place]) <= 0
    add_to_question(search, gone)
    found = answer(search)
    if found == BY_TIMES:
        at[DEPTH] = BY_TIMES
        add_to_question(search, BY_TIMES)
        for place in range(size):
            add_to_question(search, ahead_of_present(search, scratch[IN_MERGED][place]))
        found = answer(search)
    if found == BY_TIME:
        at[DEPTH] = BY_TIME
        begin = scratch[IN_MESSAGES][search.row[MESSAGES]] + 2 * search.row[RANKS]
        add_to_question(search, whole(search.row[begin], search.row[begin + 1]))
        found = answer(search)
    return found


@inner
def code_at(search: Search, place: int) -> int:
    """The code of an outcome's instant: of those given, the present, or a calculated one."""
    size = search.at[PLACES]
    if place < size:
        return search.scratch[IN_MERGED][place]
    if place == size:
        return search.scratch[IN_MERGED][ROOM - 1]
    return search.scratch[IN_MERGED][ROOM - 1 - (place - size)]


@inner
def set_timers(search: Search, node: int, kind: int, place: int) -> int:
    """The node's timers after an outcome that sets those that stand in the pool; how many."""
    scratch, pool, ranks = search.scratch, search.pool, search.timers
    row, timers = search.row, scratch[IN_TIMERS]
    begin = scratch[IN_NODES][node]
    read = begin + 2 + search.shapes[INSTANTS][row[begin]]
    count = 0
    if kind != CRASHED and kind != GONE:
        for _ in range(row[begin + 1]):
            timers[2 * count] = row[read]
            timers[2 * count + 1] = whole(row[read + 1], row[read + 2])
            read += 3
            count += 1
    for change in range(pool[place]):
        which, after_ns = pool[place + 1 + 2 * change], pool[place + 2 + 2 * change]
        kept = 0
        for timer in range(count):
            if timers[2 * timer] != which:
                timers[2 * kept], timers[2 * kept + 1] = timers[2 * timer], timers[2 * timer + 1]
                kept += 1
        count = kept
        if after_ns >= 0:
            while kept > 0 and ranks[timers[2 * kept - 2]] > ranks[which]:
                timers[2 * kept], timers[2 * kept + 1] = timers[2 * kept - 2], timers[2 * kept - 1]
                kept -= 1
            timers[2 * kept], timers[2 * kept + 1] = which, after_ns
            count += 1
    return count


@inner
def comes_before(search: Search, begin: int, message: int) -> bool:
    """Whether a message at a place of the segment stands before another of its channel, if these
    keep no order."""
    row, segment, shapes = search.row, search.scratch[IN_SEGMENT], search.shapes
    ours, theirs = segment[begin + 1], row[message + 1]
    if ours != theirs:
        return shapes[ORDERS][ours] < shapes[ORDERS][theirs]
    for place in range(2, 2 + shapes[INSTANTS][ours]):
        if segment[begin + place] != row[message + place]:
            return segment[begin + place] < row[message + place]
    return False


@inner
def put_message(search: Search, size: int) -> None:
    """Put the message that stands in the segment on its way."""
    row, segment, messages = search.row, search.scratch[IN_SEGMENT], search.scratch[IN_MESSAGES]
    count = row[MESSAGES]
    place = count
    while place > 0 and row[messages[place - 1]] >= segment[0]:
        same = row[messages[place - 1]] == segment[0]
        if same and not search.at[ANY_ORDER]:
            break
        if same and not comes_before(search, 0, messages[place - 1]):
            break
        place -= 1
    begin = messages[place]
    resize(search, begin, begin, size)
    for word in range(size):
        row[begin + word] = segment[word]
    row[MESSAGES] = count + 1
    find_parts(search)


@inner
def give(search: Search, node: int, kind: int, a: int, b: int, count: int) -> bool:
    """Give a node an input with the `count` instants in `times`; False if its outcome is asked."""
    scratch, at, pool = search.scratch, search.at, search.pool
    found = ask_of_node(search, node, kind, a, b, count)
    if found == UNKNOWN:
        return False
    shape = pool[found]
    at[FLAGS] |= pool[found + 1]
    at[SEEN] |= pool[found + 2]
    scratch[IN_MERGED][ROOM - 1] = present_of(search, node)
    place = found + 3
    for which in range(pool[place]):
        scratch[IN_MERGED][ROOM - 2 - which] = code_of_new(search, pool[place + 1 + which])
    place += 1 + pool[place]
    instants = place
    sends = place + 1 + pool[place]
    changes = sends + 1
    for _ in range(pool[sends]):
        changes += 3 + pool[changes + 2]
    timers = set_timers(search, node, kind, changes)
    write_node(search, node, shape, instants, timers)
    place = sends + 1
    for _ in range(pool[sends]):
        scratch[IN_SEGMENT][0] = node * search.at[NODES] + pool[place]
        scratch[IN_SEGMENT][1] = pool[place + 1]
        held = pool[place + 2]
        for which in range(held):
            scratch[IN_SEGMENT][2 + which] = code_at(search, pool[place + 3 + which])
        put_message(search, 2 + held)
        place += 3 + held
    return True


@inner
def write_node(search: Search, node: int, shape: int, place: int, timers: int) -> None:
    """Write a node anew: its shape, the instants at a place of the pool, and timers."""
    scratch, pool = search.scratch, search.pool
    row = search.row
    held = pool[place]
    begin = scratch[IN_NODES][node]
    resize(search, begin, scratch[IN_NODES][node + 1], 2 + held + 3 * timers)
    row[begin], row[begin + 1] = shape, timers
    for which in range(held):
        row[begin + 2 + which] = code_at(search, pool[place + 1 + which])
    begin += 2 + held
    for timer in range(timers):
        row[begin] = scratch[IN_TIMERS][2 * timer]
        split(row, begin + 1, scratch[IN_TIMERS][2 * timer + 1])
        begin += 3
    find_parts(search)


# Instants in order


@inner
def sorted_instants(search: Search) -> int:
    """Mark all instants, each with its place in the row, in their order; give how many."""
    scratch, instants = search.scratch, search.shapes[INSTANTS]
    row, marks, count = search.row, scratch[IN_MARKS], search.at[NODES]
    used = 0
    for part in range(count + row[MESSAGES]):
        begin = scratch[IN_NODES][part] if part < count else scratch[IN_MESSAGES][part - count]
        shape = row[begin] if part < count else row[begin + 1]
        for place in range(begin + 2, begin + 2 + instants[shape]):
            marks[used] = np.int64(row[place]) << 32 | place
            used += 1
    sort(marks, used)
    return used


@inner
def rank_apart(search: Search) -> None:
    """Rank the instants of each node anew, without gaps."""
    row, marks = search.row, search.scratch[IN_MARKS]
    used = sorted_instants(search)
    last, rank = np.int64(-1), 0
    for which in range(used):
        code, place = marks[which] >> 32, marks[which] & 0xFFFFFFFF
        if last < 0 or code // ORIGIN != last // ORIGIN:
            rank = 0
        elif code != last:
            rank += 1
        last = code
        if code % ORIGIN != LATEST:
            row[place] = code // ORIGIN * ORIGIN + rank


@inner
def sort(values: Ints, count: int) -> None:
    """Sort the first of some values, which are few and nearly in order."""
    for which in range(1, count):
        value, place = values[which], which
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value


@inner
def rank_together(search: Search) -> None:
    """Rank all instants anew, without gaps, and write how far each is ahead."""
    scratch, at = search.scratch, search.at
    row, marks = search.row, scratch[IN_MARKS]
    used = sorted_instants(search)
    last, ranks = np.int64(-1), 0
    for which in range(used):
        code, place = marks[which] >> 32, marks[which] & 0xFFFFFFFF
        if code != last:
            ahead_ns = ahead_of_code(search, code)
            if ranks == 0 or ahead_ns != FAR_NS or scratch[IN_OWN][ranks - 1] != FAR_NS:
                scratch[IN_OWN][ranks] = ahead_ns
                ranks += 1
        last = code
        row[place] = (ranks - 1) * RANK + HALF
    begin = scratch[IN_MESSAGES][row[MESSAGES]]
    resize(search, begin, begin + 2 * row[RANKS], 2 * ranks)
    row[RANKS] = ranks
    for rank in range(ranks):
        split(row, begin + 2 * rank, scratch[IN_OWN][rank])
    at[NEW] = 0


@inner
def ahead_of_code(search: Search, code: int) -> int:
    """How far an instant is ahead that may be the present or calculated."""
    if code % RANK == HALF or code == FAR:
        return ahead_of_present(search, code)
    for place in range(search.at[NEW]):
        if search.scratch[IN_NEW][place] == code:
            return search.scratch[IN_AHEAD][place]
    return 0


# Steps


@inner
def is_absent(search: Search, node: int) -> bool:
    """Whether a node has not joined yet."""
    place = BUSY + search.at[NODES] + node
    return search.matrices[place, search.row[MATRIX]] != 0


@inner
def runs(search: Search, shape: int, job: int) -> bool:
    """Whether the process of a job runs on nodes of this shape."""
    return search.shapes[LOANS + 2 * search.at[NODES] + job, shape] != 0


@inner
def resides(search: Search, shape: int, job: int) -> bool:
    """Whether the process of a job is on nodes of this shape and has not ended."""
    return search.shapes[LOANS + 2 * search.at[NODES] + search.at[JOBS] + job, shape] != 0


@inner
def is_there(search: Search, node: int) -> bool:
    """Whether a node has joined and is not gone."""
    row = search.row
    shape = row[search.scratch[IN_NODES][node]]
    return not (is_absent(search, node) or search.shapes[SHAPE_FLAGS][shape] & IS_GONE)


@inner
def goes(search: Search, node: int) -> bool:
    """Whether a node may be gone: it is leaving, is there, and has no jobs."""
    row = search.row
    flags = search.shapes[SHAPE_FLAGS][row[search.scratch[IN_NODES][node]]]
    if not flags & IS_LEAVING or flags & IS_GONE:
        return False
    return not search.matrices[BUSY + node, row[MATRIX]]


@inner
def fit(search: Search) -> int:
    """Where in the pool the next job's places stand; NONE, or UNKNOWN."""
    row = search.row
    if search.matrices[LEFT, row[MATRIX]] == 0:
        return NONE
    begin_question(search, FIT, row[MATRIX], 0)
    for node in range(search.at[NODES]):
        flags = search.shapes[SHAPE_FLAGS][row[search.scratch[IN_NODES][node]]]
        add_to_question(search, flags & IS_LEAVING)
    return answer(search)


@inner
def add_step(search: Search, count: int, kind: int, a: int, b: int, c: int) -> int:
    """One more step that is possible; returns how many."""
    search.scratch[IN_STEPS][count] = (
        np.int64(kind) << 48 | np.int64(a) << 32 | np.int64(b) << 16 | np.int64(c)
    )
    return count + 1


@inner
def add_messages(search: Search, count: int, kind: int) -> int:
    """Steps of this kind about the messages that may arrive next; of equal ones the first."""
    row, messages, nodes = search.row, search.scratch[IN_MESSAGES], search.at[NODES]
    place = 0
    for message in range(row[MESSAGES]):
        begin = messages[message]
        same = message > 0 and row[messages[message - 1]] == row[begin]
        place = place + 1 if same else 0
        if same and not search.at[ANY_ORDER]:
            continue
        if same and equal_messages(search, messages[message - 1], begin):
            continue
        source, target = row[begin] // nodes, row[begin] % nodes
        if kind == DELIVER or source != target:
            count = add_step(search, count, kind, source, target, place)
    return count


@inner
def equal_messages(search: Search, one: int, other: int) -> bool:
    """Whether two messages on their way are equal."""
    row = search.row
    for word in range(2 + search.shapes[INSTANTS][row[one + 1]]):
        if row[one + word] != row[other + word]:
            return False
    return True


@inner
def first_due(search: Search) -> int:
    """The time left to the timer that is due first, ns; below 0 if none is set."""
    row, nodes, instants = search.row, search.scratch[IN_NODES], search.shapes[INSTANTS]
    first = -1
    for node in range(search.at[NODES]):
        place = nodes[node] + 2 + instants[row[nodes[node]]]
        for _ in range(row[nodes[node] + 1]):
            left = whole(row[place + 1], row[place + 2])
            if first < 0 or left < first:
                first = left
            place += 3
    return first


@inner
def add_timers(search: Search, count: int) -> int:
    """The timers that may fire: those due first."""
    row, nodes, instants = search.row, search.scratch[IN_NODES], search.shapes[INSTANTS]
    first = first_due(search)
    for node in range(search.at[NODES]):
        place = nodes[node] + 2 + instants[row[nodes[node]]]
        for timer in range(row[nodes[node] + 1]):
            if whole(row[place + 1], row[place + 2]) == first:
                count = add_step(search, count, FIRE, node, timer, 0)
            place += 3
    return count


@inner
def add_faults(search: Search, count: int) -> int:
    """Messages that may be lost or repeated, servents that may crash or restart."""
    row, at = search.row, search.at
    if row[FAULTS] & 0xFF < at[LOSSES]:
        count = add_messages(search, count, LOSE)
    if row[FAULTS] >> 8 & 0xFF < at[DUPLICATES]:
        count = add_messages(search, count, DUPLICATE)
    for node in range(at[NODES]):
        if not is_there(search, node):
            continue
        if search.shapes[SHAPE_FLAGS][row[search.scratch[IN_NODES][node]]] & IS_DOWN:
            if not at[FOR_EVER]:
                count = add_step(search, count, RESTART, node, 0, 0)
        elif row[FAULTS] >> 16 & 0xFF < at[CRASHES]:
            count = add_step(search, count, CRASH, node, 0, 0)
    return count


@inner
def add_coming_and_going(search: Search, count: int) -> int:
    """Absent nodes may join, as many as are to be told to leave, and those told go."""
    row, at = search.row, search.at
    for node in range(at[NODES]):
        if is_absent(search, node):
            count = add_step(search, count, JOIN, node, 0, 0)
    told = 0
    for node in range(at[NODES]):
        flags = search.shapes[SHAPE_FLAGS][row[search.scratch[IN_NODES][node]]]
        told += flags & IS_LEAVING != 0
    if told < at[LEAVES]:
        for node in range(at[NODES]):
            flags = search.shapes[SHAPE_FLAGS][row[search.scratch[IN_NODES][node]]]
            if search.leavers[node] and not is_absent(search, node) and not flags & IS_LEAVING:
                count = add_step(search, count, LEAVE, node, 0, 0)
    for node in range(at[NODES]):
        if goes(search, node):
            count = add_step(search, count, GO, node, 0, 0)
    return count


@inner
def list_steps(search: Search) -> int:
    """List all steps that are possible, in order; returns how many, or -1 if something is asked."""
    row, at = search.row, search.at
    found = fit(search)
    if found == UNKNOWN:
        return -1
    count = 0
    if found != NONE:
        for way in range(search.pool[found]):
            count = add_step(search, count, PLACE, way, 0, 0)
    for node in range(at[NODES]):
        shape = row[search.scratch[IN_NODES][node]]
        for job in range(at[JOBS]):
            if runs(search, shape, job):
                count = add_step(search, count, END, node, search.jobs[job], 0)
    count = add_messages(search, count, DELIVER)
    if not (at[LATE_TIMERS] and row[MESSAGES]) or row[FAULTS] >> 24 < at[EARLY]:
        count = add_timers(search, count)
    count = add_faults(search, count)
    return add_coming_and_going(search, count)


@inner
def take_out(search: Search, pair: int, place: int) -> None:
    """Take a message out of its channel; its instants become the input's."""
    scratch = search.scratch
    row, messages = search.row, scratch[IN_MESSAGES]
    first = 0
    while row[messages[first]] != pair:
        first += 1
    begin, end = messages[first + place], messages[first + place + 1]
    for word in range(begin, end):
        scratch[IN_SEGMENT][word - begin] = row[word]
        if word >= begin + 2:
            scratch[IN_TIMES][word - begin - 2] = row[word]
    resize(search, begin, end, 0)
    row[MESSAGES] -= 1
    find_parts(search)


@inner
def repeat_message(search: Search, pair: int, place: int) -> None:
    """Put a message on its way once more, right behind itself."""
    scratch = search.scratch
    row, messages = search.row, scratch[IN_MESSAGES]
    first = 0
    while row[messages[first]] != pair:
        first += 1
    begin, end = messages[first + place], messages[first + place + 1]
    resize(search, end, end, end - begin)
    for word in range(begin, end):
        row[end + word - begin] = row[word]
    row[MESSAGES] += 1
    find_parts(search)


@inner
def add_input(search: Search, node: int, kind: int, a: int, b: int, count: int) -> None:
    """One more input that a step gives to a node, with `count` instants."""
    inputs, at = search.scratch[IN_INPUTS], search.at
    begin = 5 * at[INPUTS]
    inputs[begin], inputs[begin + 1], inputs[begin + 2] = node, kind, a
    inputs[begin + 3], inputs[begin + 4] = b, count
    at[INPUTS] += 1


@inner
def fire(search: Search, node: int, timer: int) -> None:
    """Let a timer fire."""
    row, nodes = search.row, search.scratch[IN_NODES]
    place = nodes[node] + 2 + search.shapes[INSTANTS][row[nodes[node]]] + 3 * timer
    which, left = row[place], whole(row[place + 1], row[place + 2])
    let_pass(search, left)
    if search.at[LATE_TIMERS] and row[MESSAGES]:
        row[FAULTS] += 1 << 24
    resize(search, place, place + 3, 0)
    row[nodes[node] + 1] -= 1
    find_parts(search)
    add_input(search, node, FIRED, which, 0, 0)


@inner
def place_job(search: Search, way: int) -> bool:
    """Place the next job in one of the ways; False if these are asked."""
    pool = search.pool
    found = fit(search)
    if found == UNKNOWN:
        return False
    found = pool[found + 1 + way]
    search.row[MATRIX] = pool[found]
    for process in range(pool[found + 1]):
        place = found + 2 + 2 * process
        add_input(search, pool[place], PLACED, pool[place + 1], 0, 0)
    return True


@inner
def end_job(search: Search, number: int) -> bool:
    """End a job whose last process has ended; False if what the scheduler knows then is asked."""
    row = search.row
    for job in range(search.at[JOBS]):
        if search.jobs[job] == number:
            for node in range(search.at[NODES]):
                if resides(search, row[search.scratch[IN_NODES][node]], job):
                    return True
    begin_question(search, WITHOUT_JOB, row[MATRIX], number)
    found = answer(search)
    if found != UNKNOWN:
        row[MATRIX] = search.pool[found]
    return found != UNKNOWN


@inner
def come_or_go(search: Search, kind: int, node: int) -> bool:
    """A servent crashes or restarts, or a node comes or goes; False if something is asked."""
    row, scratch = search.row, search.scratch
    if kind == GO:  # what others have borrowed from it is on their disks
        add_input(search, node, GONE, 0, 0, 0)
        for other in range(search.at[NODES]):
            if other != node and search.shapes[LOANS + node, row[scratch[IN_NODES][other]]]:
                add_input(search, other, LENDER_GONE, node, 0, 0)
    elif kind == LEAVE:
        scratch[IN_TIMES][0] = node * ORIGIN + LATEST if search.at[APART] else FAR
        add_input(search, node, LEAVING, 0, 0, 1)
    elif kind == CRASH:
        row[FAULTS] += 1 << 16
        add_input(search, node, CRASHED, 0, 0, 0)
    else:
        add_input(search, node, RESTARTED, 0, 0, 0)
    if kind == JOIN:
        begin_question(search, JOINED, row[MATRIX], node)
        found = answer(search)
        if found == UNKNOWN:
            return False
        row[MATRIX] = search.pool[found]
    return True


@inner
def begin_step(search: Search, kind: int, a: int, b: int, c: int) -> bool:
    """What a step changes at once, and the inputs that it gives; False if something is asked."""
    row, pair = search.row, a * search.at[NODES] + b
    if kind in (DELIVER, LOSE):
        take_out(search, pair, c)
        if kind == LOSE:
            row[FAULTS] += 1
        else:
            shape = search.scratch[IN_SEGMENT][1]
            add_input(search, b, RECEIVED, a, shape, search.shapes[INSTANTS][shape])
    elif kind == DUPLICATE:
        repeat_message(search, pair, c)
        row[FAULTS] += 1 << 8
    elif kind == FIRE:
        fire(search, a, b)
    elif kind == END:
        add_input(search, a, ENDED, b, 0, 0)
    elif kind == PLACE:
        return place_job(search, a)
    else:
        return come_or_go(search, kind, a)
    return True


@inner
def take(search: Search, step: int) -> bool:
    """Take a step, from the state in the row; False if something is asked."""
    kind, a, b, c = step >> 48, step >> 32 & 0xFFFF, step >> 16 & 0xFFFF, step & 0xFFFF
    inputs, at = search.scratch[IN_INPUTS], search.at
    at[INPUTS] = 0
    if not begin_step(search, kind, a, b, c):
        return False
    for which in range(at[INPUTS]):
        begin = 5 * which
        node, what, one = inputs[begin], inputs[begin + 1], inputs[begin + 2]
        if not give(search, node, what, one, inputs[begin + 3], inputs[begin + 4]):
            return False
    if kind == END and not end_job(search, b):
        return False
    if search.at[APART]:
        rank_apart(search)
    else:
        rank_together(search)
    return True


# Rules


@inner
def lends_too_little(search: Search) -> bool:
    """Whether somebody borrows from a server more than it lends, and it is there."""
    row, nodes, shapes = search.row, search.scratch[IN_NODES], search.shapes
    for server in range(search.at[NODES]):
        borrowed = np.int64(0)
        for node in range(search.at[NODES]):
            borrowed += search.shapes[LOANS + server, row[nodes[node]]]
        shape = row[nodes[server]]
        if borrowed > shapes[LENDS][shape] and not shapes[SHAPE_FLAGS][shape] & IS_GONE:
            return True
    return False


@inner
def weigh(search: Search) -> int:
    """ASTRAY if what is lent is not all somewhere, and nothing was lost; -1 if something is asked;
    else 0."""
    row, nodes, shapes = search.row, search.scratch[IN_NODES], search.shapes
    count, pool = search.at[NODES], search.pool
    if row[FAULTS] & 0xFFFFFF:
        return 0
    sums = search.scratch[IN_OWN]
    for server in range(count):
        sums[server] = 0
    for node in range(count):
        shape = row[nodes[node]]
        if shapes[SHAPE_FLAGS][shape] & IS_GONE or not shapes[HAS_BALANCE][shape]:
            return 0
        for server in range(count):
            sums[server] += search.shapes[LOANS + search.at[NODES] + server, shape]
    for message in range(row[MESSAGES]):
        begin = search.scratch[IN_MESSAGES][message]
        begin_question(search, CARRIED, row[begin], row[begin + 1])
        found = answer(search)
        if found == UNKNOWN:
            return -1
        if found == NONE:
            return 0
        for entry in range(pool[found]):
            sums[pool[found + 1 + 2 * entry]] += pool[found + 2 + 2 * entry]
    for server in range(count):
        if sums[server]:
            return ASTRAY
    return 0


@inner
def how_it_stands(search: Search) -> int:
    """QUIET where nothing goes on, and yet somebody waits or lends; DONE_ALL if all jobs are done
    and nobody owes; -1 if something is asked; else 0."""
    row, nodes, shapes = search.row, search.scratch[IN_NODES], search.shapes
    owes = goes_on = False
    for node in range(search.at[NODES]):
        shape = row[nodes[node]]
        flags = shapes[SHAPE_FLAGS][shape]
        owes |= shapes[OWED][shape] != 0
        for job in range(search.at[JOBS]):
            goes_on |= runs(search, shape, job)
        may_restart = flags & IS_DOWN != 0 and search.at[FOR_EVER] == 0
        goes_on |= may_restart and is_there(search, node)
        goes_on |= goes(search, node)
    if owes and not goes_on and not row[MESSAGES]:
        found = fit(search)
        if found == UNKNOWN:
            return -1
        return QUIET if found == NONE else 0
    if owes or search.matrices[LEFT, row[MATRIX]]:
        return 0
    for node in range(search.at[NODES]):
        for job in range(search.at[JOBS]):
            if resides(search, row[nodes[node]], job):
                return 0
    return DONE_ALL


@inner
def debts(search: Search) -> int:
    """The number that stands for who waits and who lends; -1 if it is asked."""
    row, nodes = search.row, search.scratch[IN_NODES]
    begin_question(search, DEBTS, 0, 0)
    for node in range(search.at[NODES]):
        add_to_question(search, search.shapes[OWED][row[nodes[node]]])
    found = answer(search)
    return -1 if found == UNKNOWN else search.pool[found]


# States


@inner
def load(search: Search, number: int) -> None:
    """Copy a state to the row."""
    states, row = search.states, search.row
    begin, end = states[STATE_BEGINS][number], states[STATE_BEGINS][number + 1]
    for word in range(begin, end):
        row[word - begin] = search.rows[word]
    search.at[LENGTH] = end - begin
    search.at[NEW] = 0
    find_parts(search)


@inner
def place_of_state(search: Search) -> int:
    """Where the state in the row stands among those known, or would stand; sets HASH_1, HASH_2."""
    row, at = search.row, search.at
    first, second = np.uint64(at[FLAGS] & BROKEN), np.uint64(17)
    end = search.scratch[IN_MESSAGES][row[MESSAGES]]
    for word in range(end):
        first, second = stir(first, row[word]), stir_again(second, row[word])
    for rank in range(row[RANKS]):
        if ahead_of_present(search, rank * RANK) > 0:
            for word in range(end + 2 * rank, end + 2 * rank + 2):
                first, second = stir(first, row[word]), stir_again(second, row[word])
    at[HASH_1], at[HASH_2] = np.int64(first), np.int64(second)
    mask = np.uint64(len(search.known[0]) - 1)
    place = (first ^ (first >> np.uint64(32))) & mask
    while search.known[2][place]:
        if search.known[0][place] == first and search.known[1][place] == second:
            break
        place = (place + np.uint64(1)) & mask
    return int(np.int64(place))


@inner
def keep(search: Search, place: int, parent: int, step: int, flags: int, owed: int) -> None:
    """Keep the state in the row as a new one."""
    states, row, at = search.states, search.row, search.at
    number = at[FOUND]
    search.known[0][place], search.known[1][place] = np.uint64(at[HASH_1]), np.uint64(at[HASH_2])
    search.known[2][place] = number + 1  # 0: there is none
    begin = at[USED_WORDS]
    for word in range(at[LENGTH]):
        search.rows[begin + word] = row[word]
    at[USED_WORDS] = begin + at[LENGTH]
    states[STATE_BEGINS][number + 1] = at[USED_WORDS]
    states[STATE_PARENTS][number], states[STATE_STEPS][number] = parent, step
    states[STATE_FLAGS][number], states[STATE_DEBTS][number] = flags, owed
    at[FOUND] = number + 1


@inner
def subject_of(search: Search, step: int) -> int:
    """The shape of the message that a step is about, or the number of the timer; else -1."""
    row, nodes = search.row, search.scratch[IN_NODES]
    kind, a, b, c = step >> 48, step >> 32 & 0xFFFF, step >> 16 & 0xFFFF, step & 0xFFFF
    if kind == FIRE:
        return row[nodes[a] + 2 + search.shapes[INSTANTS][row[nodes[a]]] + 3 * b]
    if kind in (DELIVER, LOSE, DUPLICATE):
        first, pair = 0, a * search.at[NODES] + b
        while row[search.scratch[IN_MESSAGES][first]] != pair:
            first += 1
        return row[search.scratch[IN_MESSAGES][first + c] + 1]
    return -1


@inner
def has_room(search: Search) -> bool:
    """Whether one more state with its steps fits, however large."""
    states, at = search.states, search.at
    return (
        at[FOUND] + 2 < len(states[STATE_PARENTS])
        and 2 * at[FOUND] + 2 < len(search.known[0])
        and at[USED_WORDS] + ROOM < len(search.rows)
        and at[USED_EDGES] + ROOM < len(search.edges[EDGE_ENDS])
    )


@inner
def take_next(search: Search, number: int, step: int) -> int:
    """Take a step from a state, and keep where it leads if that is new: DONE, ASK or LOOK."""
    at, edges = search.at, search.edges
    load(search, number)
    at[FLAGS] = 0
    subject = subject_of(search, step)
    if not take(search, step):
        return ASK
    place = place_of_state(search)
    first, second = at[HASH_1], at[HASH_2]
    is_new = search.known[2][place] == 0
    flags = at[FLAGS] & BROKEN
    if is_new:
        owed = debts(search)
        if owed < 0:
            return ASK
        weighed = weigh(search)
        if weighed < 0:
            return ASK
        stands = how_it_stands(search)
        if stands < 0:
            return ASK
        flags |= weighed | stands | LENT * lends_too_little(search)
        at[HASH_1], at[HASH_2] = first, second
        keep(search, place, number, step, flags, owed)
    after = np.int64(search.known[2][place]) - 1
    edge = at[USED_EDGES]
    edges[EDGE_ENDS, edge], edges[EDGE_LABELS, edge] = after, step
    edges[EDGE_SUBJECTS, edge] = subject
    at[USED_EDGES] = edge + 1
    at[TAKEN] += 1
    at[AFTER], at[IS_NEW], at[FLAGS] = after, is_new, flags
    wrong = is_new and flags & (BROKEN | LENT | ASTRAY | QUIET)
    return LOOK if wrong or search.at[EACH_STEP] else DONE


@inner
def begin(search: Search) -> bool:
    """Keep the state in the row as the first; False if something is asked."""
    at = search.at
    find_parts(search)
    at[FLAGS] = 0
    owed = debts(search)
    if owed < 0:
        return False
    stands = how_it_stands(search)
    if stands < 0:
        return False
    keep(search, place_of_state(search), 0, 0, stands, owed)
    return True


@compiled
def keep_again(search: Search) -> None:
    """Keep the state where the last step led once more, as one that no rule is broken in."""
    at, edges, states = search.at, search.edges, search.states
    before, after, edge = at[STATE], at[AFTER], at[USED_EDGES] - 1
    flags, owed = states[STATE_FLAGS][after] & ~BROKEN, states[STATE_DEBTS][after]
    edges[EDGE_ENDS, edge] = at[FOUND]
    keep(search, place_of_state(search), before, edges[EDGE_LABELS, edge], flags, owed)


@compiled
def move(table: Hashes, larger: Hashes) -> None:
    """Move what an open table holds to a larger one."""
    mask = np.uint64(len(larger[0]) - 1)
    for entry in range(len(table[0])):
        if table[2, entry]:
            first = table[0, entry]
            place = (first ^ (first >> np.uint64(32))) & mask
            while larger[2, place]:
                place = (place + np.uint64(1)) & mask
            for row in range(3):
                larger[row, place] = table[row, entry]


@compiled
def advance(search: Search) -> int:
    """Take all steps from the states up to END_STATE; returns why it stops."""
    at, states = search.at, search.states
    if at[FOUND] == 0 and not begin(search):
        return ASK
    while at[STATE] < at[END_STATE]:
        number = at[STATE]
        if at[STEP] == 0:
            states[STATE_EDGES][number] = at[USED_EDGES]
        count = 0
        if not states[STATE_FLAGS][number] & BROKEN:
            load(search, number)
            count = list_steps(search)
        if count < 0:
            return ASK
        while at[STEP] < count:
            if not has_room(search):
                return FULL
            why = take_next(search, number, search.scratch[IN_STEPS][at[STEP]])
            if why == ASK:
                return ASK
            at[STEP] += 1
            if why == LOOK:
                return LOOK
            if at[FOUND] >= search.at[MOST_STATES]:
                return ENOUGH
        at[STATE], at[STEP] = number + 1, 0
        states[STATE_EDGES][number + 1] = at[USED_EDGES]
    return DONE
