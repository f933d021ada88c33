"""Barrier rounds that repeat: what they change is added up, instead of done event by event.

Where nobody pages, a job does the same in each interval between two barriers. Jobs whose messages
meet in the network delay each other, soon by the same time in each interval, and then repeat their
rounds together. A *group* is one such job, or several. Its *round* begins when rank 0 of its first
job reaches a barrier while all its processes compute towards theirs. Step by step:

1. Two rounds in succession are compared (`observe`). A round is *alike* if it has changed each
   field of the records of the group's processes and nodes by as much as the round before, the
   times of pending events by its period, and no stream of draws. Then the next one will be alike.
2. The group is *folded*: its events leave the queue; one event stands for the begin of its round.
3. The next round whose *window* meets no other event is executed and *measured*: what it adds to
   stations. The window lasts from the begin of the round until all processes compute again.
4. If that round was alike, later rounds are skipped, which only counts them.
5. If a window meets a job, that job joins the group. Whatever it meets, the group is *unfolded*:
   what the skipped rounds have changed is added, and it goes on by events until it is alike again.

A skipped window meets no other event, so skipping changes no result. All groups are unfolded before
Python acts. None is folded while letters or messages of suspended jobs are on their way, nor one
whose nodes lend memory.
"""

from agents.pnr.process import COMPUTING
from model.core.jit import inner, seldom
from model.ground.clock import PROCESS
from model.pnr.compiled.processes import settle
from model.pnr.compiled.records import (
    ARRIVAL,
    ARRIVE,
    CARRY,
    HOP,
    LAST,
    MEASURED,
    NEVER,
    NOBODY,
    OF_MEETING,
    OF_NODE,
    OF_SEAT,
    PAUSE,
    RELEASE,
    ROUND,
    SEAT,
    STREAMS,
    Row,
    Rows,
    World,
)
from model.pnr.compiled.transport import earliest, now_is, refresh

_TIME, _CPU = (list(SEAT.names or ()).index(name) for name in ("time", "pause_ns"))
_MOST_UNLIKE = 3  # rounds in succession that may differ before the group dissolves
_LONGEST = 64  # rounds for which a group that cannot be folded is not looked at


@inner
def may_repeat(i: int, world: World) -> bool:
    """Whether `repeats` must be asked about an event at this place: a PAUSE or a later kind."""
    seat = world.seats[i]
    if seat.what != PAUSE:
        return True
    is_first = seat.parent == NOBODY and world.meetings[i].leader == NOBODY
    return seat.awaited != 0 and is_first and world.runs[0].repeats != 0


@seldom
def repeats(i: int, world: World) -> bool:
    """Whether the event of seat i has been executed, or stands, for more than one process."""
    what = world.seats[i].what
    if what == PAUSE:
        return observe(i, world)
    world.runs[0].budget -= 1
    if what == ROUND:
        begin_round(i, world)
    else:
        end_measuring(i, world)
    return True


@inner
def first_seat(world: World) -> int:
    """The first of the seats that are folds' and not processes'."""
    return len(world.seats) - len(world.folds)


@inner
def next_in_group(i: int, world: World) -> int:
    """The seat of the job's next rank; after its last one, that of rank 0 of the next job."""
    meeting = world.meetings[i]
    return meeting.ally if meeting.next == NOBODY else meeting.next


@inner
def fold_of(i: int, world: World) -> int:
    """The fold of the group whose first rank 0 has seat i; NOBODY if all folds are in use."""
    free = NOBODY
    for f in range(len(world.folds)):
        owner = world.folds[f].owner
        if owner == i:
            return f
        if owner == NOBODY:
            free = f
    if free != NOBODY:
        fold = world.folds[free]
        fold.owner = i
        fold.compared = fold.measured = fold.unlike = fold.waits = fold.penalty = 0
        fold.begin_ns = fold.executed_ns = NOBODY
    return free


@inner
def free_fold(owner: int, world: World) -> None:
    """Free the fold of a group, if it has one."""
    for f in range(len(world.folds)):
        if world.folds[f].owner == owner:
            expect(f, ROUND, NEVER, world)
            world.folds[f].owner = NOBODY


@seldom
def dissolve(i: int, world: World) -> None:
    """Let the jobs of the group whose first rank 0 has seat i be in no group."""
    free_fold(i, world)
    while i != NOBODY:
        meeting = world.meetings[i]
        i = next_in_group(i, world)
        meeting.ally = meeting.leader = NOBODY


@inner
def lead(i: int, other: int, world: World) -> None:
    """Let the group whose first seat is `other` join the group whose first seat is i."""
    last = i
    while next_in_group(last, world) != NOBODY:
        last = next_in_group(last, world)
    world.meetings[last].ally = other
    free_fold(i, world)
    free_fold(other, world)
    while other != NOBODY:
        world.meetings[other].leader = i
        other = next_in_group(other, world)


@inner
def first_of(i: int, world: World) -> int:
    """The seat of the first rank 0 of the group of seat i's job."""
    while world.seats[i].parent != NOBODY:
        i = world.seats[i].parent
    leader = world.meetings[i].leader
    return i if leader == NOBODY else leader


@inner
def is_steady(i: int, world: World) -> bool:
    """Whether seat i computes towards a barrier, on a node that nobody else uses."""
    seat = world.seats[i]
    node = world.nodes[seat.node]
    if not seat.running or seat.state != COMPUTING or seat.what != PAUSE:
        return False
    return not (node.lends or node.masters or node.down)


@seldom
def awaits_suspended(world: World) -> bool:
    """Whether a message of a suspended job is on its way, which might enter any node's link."""
    for i in range(first_seat(world)):
        if world.seats[i].time != NEVER and not world.seats[i].running:
            return True
    return False


@inner
def compare(i: int, period_ns: int, world: World) -> bool:
    """Whether the records of seat i changed as in the round before; they are kept for the next."""
    node = world.seats[i].node
    unlike = note_change(world.seat_numbers, i, OF_SEAT, i, 0, world)
    unlike |= note_change(world.meeting_numbers, i, OF_MEETING, i, OF_SEAT, world)
    unlike |= note_change(world.node_numbers, node, OF_NODE, i, OF_SEAT + OF_MEETING, world)
    for k in range(OF_SEAT - len(STREAMS), OF_SEAT):
        unlike |= world.change[i, k]  # nothing was drawn, and the last has passed
    unlike |= world.change[i, _CPU] - world.runs[0].barrier_ns  # it has passed one barrier
    return unlike == 0 and world.change[i, _TIME] == period_ns


@inner
def note_change(numbers: Rows, row: int, count: int, i: int, place: int, world: World) -> int:
    """Keep by how much a record's numbers have changed; returns 0 if as in the round before."""
    unlike = 0
    for k in range(count):
        change = numbers[row, k] - world.before[i, place + k]
        unlike |= change ^ world.change[i, place + k]
        world.before[i, place + k] += change
        world.change[i, place + k] = change
    return unlike


@seldom
def observe(first: int, world: World) -> bool:
    """Compare the round that begins now, at seat `first`, with those before.

    Returns whether the group is folded.
    """
    run = world.runs[0]
    now = run.time
    f = fold_of(first, world)
    if f == NOBODY:
        return False
    fold = world.folds[f]
    if fold.executed_ns == now:  # it was unfolded to be executed
        return False
    expect(f, ROUND, NEVER, world)  # a round that is measured took longer than its window
    if fold.waits or run.letters:
        fold.waits = max(0, fold.waits - 1)
        fold.compared = 0
        return False
    period_ns = now - fold.begin_ns
    fold.begin_ns = now
    alike = True
    latest_ns = 0
    settle_group(first, world)
    i = first
    while i != NOBODY:
        if not is_steady(i, world):
            fold.compared = 0
            note_unlike(f, world)
            return False
        latest_ns = max(latest_ns, world.seats[i].since_ns)
        alike &= compare(i, period_ns, world)
        i = next_in_group(i, world)
    fold.compared += 1
    fold.measured &= alike
    fold.period_ns = period_ns
    fold.window_ns = latest_ns - (now - period_ns) + 1
    if fold.compared < 2 or fold.window_ns >= period_ns:
        return False
    if not alike and fold.compared > 2:  # after the second, the next is measured and compared
        note_unlike(f, world)
        return False
    if awaits_suspended(world):
        return False
    i = first
    while i != NOBODY:
        world.seats[i].time = NEVER
        refresh(i, world)
        i = next_in_group(i, world)
    fold.skipped = 0
    fold.folded = 1
    expect(f, ROUND, now, world)
    return True


@inner
def note_unlike(f: int, world: World) -> None:
    """Note that the rounds of a group are not alike; after some, its jobs go their own ways."""
    fold = world.folds[f]
    fold.unlike += 1
    if fold.unlike > _MOST_UNLIKE:
        first = fold.owner
        dissolve(first, world)
        fold.owner = first
        give_up_for_now(fold)


@inner
def give_up_for_now(fold: Row) -> None:
    """Do not look at a group for some rounds, and for more each time."""
    fold.unlike = 0
    fold.penalty = min(_LONGEST, 2 * fold.penalty + 1)
    fold.waits = fold.penalty


@seldom
def settle_group(i: int, world: World) -> None:
    """Bring the processes of a group back to now; seat i is the first."""
    while i != NOBODY:
        settle(i, world)
        i = next_in_group(i, world)


@inner
def expect(f: int, what: int, time: int, world: World) -> None:
    """Make the event pending that stands for a fold, with the key of its first process's."""
    place = first_seat(world) + f
    seat = world.seats[place]
    if time != NEVER:
        world.runs[0].folds = 1
    if seat.what == MEASURED and seat.time != NEVER and world.runs[0].window_ns:
        keep_measured(f, world)
    seat.what = what
    seat.time = time
    seat.cls = PROCESS
    owner = world.folds[f].owner
    seat.receiver = seat.sender = 0 if owner == NOBODY else world.seats[owner].node
    refresh(place, world)


@seldom
def keep_measured(f: int, world: World) -> None:
    """Add what was counted while a round was measured to its window."""
    run = world.runs[0]
    settle_group(world.folds[f].owner, world)
    run.window = run.border_ns // run.window_ns - 1
    for k in range(len(world.stations)):
        for c in range(world.windows.shape[2]):
            measured = world.windows[-1, k, c]
            add_to(world.windows[run.window, k, c], measured, 1)
            measured.services = measured.delay_ns = measured.peak_ns = 0


@inner
def add_to(cell: Row, more: Row, times: int) -> None:
    """Count in a window so many times what came to a station."""
    cell.services += times * more.services
    cell.delay_ns += times * more.delay_ns
    cell.peak_ns = max(cell.peak_ns, more.peak_ns)


@seldom
def unfold(f: int, executes: int, world: World) -> None:
    """Add what the skipped rounds have changed; with `executes`, the next round begins now.

    Otherwise it begins later, and what is kept for comparison is of the begin of the round before.
    """
    fold = world.folds[f]
    i = fold.owner
    while i != NOBODY:
        restore(i, fold.skipped, executes, world)
        i = next_in_group(i, world)
    if fold.skipped:
        for k in range(fold.parts):
            add_part(f, k, world)
    if not executes:
        fold.begin_ns -= fold.period_ns
    fold.folded = 0


@inner
def restore(i: int, skipped: int, executes: int, world: World) -> None:
    """Add to the records of seat i what the skipped rounds have changed."""
    node = world.seats[i].node
    back = 0 if executes else 1
    add_change(world.seat_numbers, i, OF_SEAT, i, 0, skipped, back, world)
    add_change(world.meeting_numbers, i, OF_MEETING, i, OF_SEAT, skipped, back, world)
    add_change(world.node_numbers, node, OF_NODE, i, OF_SEAT + OF_MEETING, skipped, back, world)
    refresh(i, world)


@inner
def add_change(
    numbers: Rows, row: int, count: int, i: int, place: int, skipped: int, back: int, world: World
) -> None:
    """Add to a record's numbers what the skipped rounds have changed."""
    for k in range(count):
        change = world.change[i, place + k]
        numbers[row, k] = world.before[i, place + k] + skipped * change
        world.before[i, place + k] = numbers[row, k] - back * change


@inner
def add_part(f: int, k: int, world: World) -> None:
    """Add what the skipped rounds have changed at one station.

    All are in the present window, as none ends before they are added.
    """
    run = world.runs[0]
    fold = world.folds[f]
    part = world.parts[f, k]
    if run.window_ns:
        for c in range(world.windows.shape[2]):
            cell = world.windows[run.window, part.station, c]
            add_to(cell, world.part_cells[f, k, c], fold.skipped)
    station = world.stations[part.station]
    station.served += fold.skipped * part.served
    station.bytes += fold.skipped * part.bytes
    station.busy_ns += fold.skipped * part.busy_ns
    station.wait_ns += fold.skipped * part.wait_ns
    if station.wait_ns >= CARRY:
        station.wait_ns -= CARRY
        station.waits += 1
    station.free_ns = max(station.free_ns, fold.begin_ns - fold.period_ns + part.free_ns)


@inner
def may_skip(f: int, world: World) -> bool:
    """Whether the round that begins now is like the last, by what its own jobs and stations say."""
    run = world.runs[0]
    fold = world.folds[f]
    if not fold.measured:
        return False
    i = fold.owner
    while i != NOBODY:
        seat = world.seats[i]
        pause_ns = seat.pause_ns + fold.skipped * run.barrier_ns
        if pause_ns + run.barrier_ns > seat.demand_ns:
            return False
        if seat.rank == 0 and pause_ns >= seat.mark_ns:
            return False
        i = next_in_group(i, world)
    for k in range(fold.parts):
        if world.stations[world.parts[f, k].station].free_ns > run.time:
            return False
    return True


@seldom
def begin_round(place: int, world: World) -> None:
    """Skip a round of a folded group, or unfold it and perhaps measure the round.

    Its event has this place.
    """
    run = world.runs[0]
    while True:
        f = place - first_seat(world)
        fold = world.folds[f]
        end_ns = run.time + fold.window_ns
        expect(f, ROUND, NEVER, world)
        other = earliest(world)
        is_alone = run.horizon > end_ns and world.seats[other].time > end_ns and not run.letters
        if not (is_alone and may_skip(f, world)):
            break
        fold.skipped += 1
        fold.unlike = fold.penalty = 0
        fold.begin_ns += fold.period_ns
        expect(f, ROUND, fold.begin_ns, world)
        place = earliest(world)
        seat = world.seats[place]
        if seat.what != ROUND or seat.time >= run.horizon or run.budget <= 0:
            return
        now_is(seat, world)
        run.budget -= 1
    unfold(f, 1, world)
    fold.executed_ns = run.time
    if not is_alone:
        meet_other(f, other, end_ns, world)
    elif not fold.measured:
        for k in range(len(world.stations)):
            world.stations_before[k] = world.stations[k]
        if run.window_ns:
            run.window = len(world.windows) - 1
        expect(f, MEASURED, end_ns, world)


@seldom
def meet_other(f: int, other: int, end_ns: int, world: World) -> None:
    """Join with the job whose event has this seat, if that is what the window meets."""
    fold = world.folds[f]
    seat = world.seats[other]
    if seat.time > end_ns:  # it meets Python
        return
    if seat.what == MEASURED:
        return
    if seat.what == ROUND:
        g = other - first_seat(world)
        first = world.folds[g].owner
        expect(g, ROUND, NEVER, world)
        unfold(g, 0, world)
        lead(fold.owner, first, world)
        return
    if seat.running and is_of_barrier(seat):
        first = first_of(other, world)
        if world.seats[first].awaited and first != fold.owner:
            if is_steady(first, world):
                lead(fold.owner, first, world)
            else:
                lead(first, fold.owner, world)
            return
    give_up_for_now(fold)


@inner
def is_of_barrier(seat: Row) -> bool:
    """Whether the pending event of a process has to do with a barrier, and not with pages."""
    if seat.what == HOP or seat.what == ARRIVE:
        return seat.kind == ARRIVAL or seat.kind == RELEASE
    return seat.what == PAUSE or seat.what == LAST


@seldom
def end_measuring(place: int, world: World) -> None:
    """Note what the window of a round that has been executed alone has added to the stations."""
    f = place - first_seat(world)
    settle_group(world.folds[f].owner, world)
    world.folds[f].measured = note_parts(f, world)
    expect(f, MEASURED, NEVER, world)


@inner
def note_parts(f: int, world: World) -> int:
    """Note what a window has added to the stations; returns whether each round adds the same."""
    fold = world.folds[f]
    fold.parts = 0
    for k in range(len(world.stations)):
        station = world.stations[k]
        earlier = world.stations_before[k]
        if station.served == earlier.served:
            continue
        if fold.parts == world.parts.shape[1] or station.waits != earlier.waits:
            return 0
        if earlier.free_ns > fold.begin_ns:  # it was not idle
            return 0
        part = world.parts[f, fold.parts]
        if world.runs[0].window_ns:
            for c in range(world.windows.shape[2]):
                world.part_cells[f, fold.parts, c] = world.windows[-1, k, c]
        fold.parts += 1
        part.station = k
        part.served = station.served - earlier.served
        part.bytes = station.bytes - earlier.bytes
        part.busy_ns = station.busy_ns - earlier.busy_ns
        part.wait_ns = station.wait_ns - earlier.wait_ns
        part.free_ns = station.free_ns - fold.begin_ns
    return 1


@seldom
def unfold_all(world: World) -> None:
    """Leave nothing folded, and nothing to be measured: Python acts next."""
    world.runs[0].folds = 0
    for f in range(len(world.folds)):
        if world.seats[first_seat(world) + f].time != NEVER:
            expect(f, ROUND, NEVER, world)
            if world.folds[f].folded:
                unfold(f, 0, world)
