"""The events of a process, as in `agents/pnr/process.py`, and how far it may run ahead of them.

`i` is the index of a seat; `world` holds all the arrays of `records.py`.
"""

from agents.pnr.process import (
    BARRIER,
    COMPUTING,
    DISK_FAULT,
    FINISHED,
    GRANT,
    MOVING,
    NETWORK_FAULT,
    READY,
    SWITCHED_OUT,
)
from model.core.jit import inner, seldom
from model.core.journal.kinds import DISK_READ, MESSAGE, PROCESS_STEP, identity
from model.ground.clock import DISK, PROCESS
from model.ground.page_classes import cost_class, loaded_class, waiting_class
from model.ground.paging import fault_time_ns, relocated_bytes, share
from model.ground.randomness import following, uniform
from model.ground.speed import computed_ns, time_taken_ns
from model.pnr.compiled import ahead, disk
from model.pnr.compiled.records import (
    ARRIVAL,
    ARRIVE,
    AT_BARRIER,
    CARRY,
    DELIVERED,
    DISK_DONE,
    DISK_SERVED,
    DOWN,
    EXCHANGE,
    FAULT,
    FAULTED,
    GIVEN_UP,
    GO_ON,
    HOP,
    LAST,
    LETTERS_RUN_OUT,
    MEMORY_CHANGES,
    NEVER,
    NOBODY,
    NOTHING,
    OF_SEAT,
    PAGE_UNHEARD,
    PASSED,
    PAUSE,
    PROCESS_FINISHED,
    RELEASE,
    REPLY,
    REQUEST,
    Row,
    World,
)
from model.pnr.compiled.transport import (
    before,
    class_of,
    dispatch,
    forward,
    note_message,
    push_letter,
    refresh,
    send,
    station_at,
    window_at,
)


@inner
def enter_state(seat: Row, state: int, now: int) -> None:
    """Change to this state now, and account for the time in the last one."""
    if seat.running:
        seat.spent_ns[seat.state] += now - seat.since_ns
        seat.since_ns = now
    seat.state = state


@inner
def wait(seat: Row) -> None:
    """Leave nothing pending for the process, which something else will wake."""
    seat.what = NOTHING
    seat.time = NEVER


@inner
def schedule(seat: Row, time: int, cls: int, number: int) -> None:
    """Make an event of the process on its own node pending."""
    seat.time = time
    seat.cls = cls
    seat.receiver = seat.node
    seat.sender = seat.node
    seat.number = number


@inner
def stretch(
    left_ns: int,
    limit: int,
    touched: int,
    excess: int,
    loaded: int,
    fault: int,
    relocation: int,
    run: Row,
) -> tuple[int, int, int, int, int, int]:
    """For how much CPU time a process computes, and why it stops then.

    With these, whether a fault was drawn, D, and both streams.
    """
    what = PAUSE
    drawn = 0
    if limit:
        if loaded == limit and excess > run.relocates_above:
            relocation = following(relocation)
            drawn_from = uniform(relocation)
            unloaded = relocated_bytes(drawn_from, run.page, excess, run.relocality_unit)
            loaded = max(0, loaded - unloaded)
        if loaded < limit:
            drawn = 1
            fault = following(fault)
            there = touched - limit + loaded
            fault_ns = fault_time_ns(uniform(fault), run.page_walk_ns, touched, there)
            if fault_ns < left_ns:
                left_ns = fault_ns
                what = FAULT
    return left_ns, what, drawn, loaded, fault, relocation


@inner
def find_limit(seat: Row, node: Row) -> None:
    """Work out L and `excess` by the node's memory, as `Memory.outside` and `room_of` do."""
    held = min(seat.memory, seat.limit)
    together = max(held, node.together)
    out = share(node.beyond_ram, held, together)
    seat.outside = seat.memory - held + min(held, out)
    seat.excess = seat.memory - min(share(node.ram, held, together), seat.limit)


@inner
def sender_of(seat: Row, node: Row) -> int:
    """Which of its node's events at one time are the process's, as `Process._sender`."""
    return seat.node if node.cores == 1 else seat.process


@inner
def compute(seat: Row, now: int, world: World) -> None:
    """Begin a stretch of computing: up to the next fault, or to the next barrier or finish."""
    run = world.runs[0]
    enter_state(seat, COMPUTING, now)
    node = world.nodes[seat.node]
    stretch_ns, seat.what, seat.drawn, seat.loaded, seat.fault, seat.relocation = stretch(
        seat.pause_ns - seat.cpu_ns,
        seat.outside,
        seat.memory if run.drifts else seat.outside,
        seat.excess,
        seat.loaded,
        seat.fault,
        seat.relocation,
        run,
    )
    seat.until_ns = seat.cpu_ns + stretch_ns
    seat.cause = run.cause
    seat.stretches += 1
    taken_ns = time_taken_ns(stretch_ns, node.speed, run.reference_speed)
    schedule(seat, now + taken_ns, PROCESS, seat.stretches)
    seat.sender = sender_of(seat, node)


@inner
def stop_computing(seat: Row, now: int, world: World) -> None:
    """End a stretch before its time, with what has been computed so far."""
    run = world.runs[0]
    node = world.nodes[seat.node]
    done_ns = computed_ns(now - seat.since_ns, node.speed, run.reference_speed)
    seat.cpu_ns = min(seat.until_ns, seat.cpu_ns + done_ns)


@inner
def go_on(seat: Row, now: int, world: World) -> None:
    """Compute as soon as the job runs: what the process waited for has come."""
    if seat.running:
        compute(seat, now, world)
    else:
        seat.state = READY
        wait(seat)


@inner
def page_loaded(seat: Row, now: int, world: World) -> None:
    run = world.runs[0]
    if run.watches_pages:
        count_page(seat, now, world)
    if not run.drifts:
        seat.loaded = min(seat.loaded + run.page, seat.outside)
    go_on(seat, now, world)


@seldom
def count_page(seat: Row, now: int, world: World) -> None:
    """Count the page that has come, as `PageCosts.come`."""
    source = int(seat.state == NETWORK_FAULT)
    world.runs[0].waiting[source] -= 1
    cost_ns = now - seat.fault_ns
    place = source, seat.loaded_class, seat.waiting_class, cost_class(cost_ns)
    world.page_counts[place] += 1
    world.page_total_ns[place] += cost_ns


@seldom
def note_fault(seat: Row, now: int, world: World) -> None:
    """Note that the process waits for a page from now on, as `PageCosts.ask`."""
    run = world.runs[0]
    source = int(seat.state == NETWORK_FAULT)
    run.waiting[source] += 1
    seat.fault_ns = now
    seat.loaded_class = loaded_class(seat.loaded, run.page)
    seat.waiting_class = waiting_class(run.waiting[source])


@inner
def pass_barrier(seat: Row, now: int, world: World) -> None:
    """Go on: all processes have reached the barrier."""
    run = world.runs[0]
    seat.pause_ns = min(seat.pause_ns + run.barrier_ns, seat.demand_ns)
    go_on(seat, now, world)


@inner
def note_process(seat: Row, kind: int, number: int, cause: int, now: int, world: World) -> Row:
    """Write a record about the process into the log; returns the line, to be completed."""
    run = world.runs[0]
    line = world.log[run.log]
    run.log += 1
    line.time = now
    line.kind = kind
    line.id = number
    line.cause = cause
    line.job = seat.job
    line.rank = seat.rank
    line.node = seat.node
    return line


@inner
def note_step(seat: Row, kind: int, now: int, world: World) -> None:
    """Count a step of the process, and write it into the log."""
    run = world.runs[0]
    seat.steps += 1
    number = identity(PROCESS_STEP, seat.process, seat.steps)
    if run.stepwise:
        note_process(seat, kind, number, seat.cause, now, world)
    run.cause = number


@inner
def read_disk(seat: Row, now: int, world: World) -> None:
    """Read a page from the node's disk, after all earlier requests."""
    run = world.runs[0]
    node = world.nodes[seat.node]
    disk_ns = node.disk_ns
    if run.costs_by:
        disk_ns = disk.drawn_ns(seat, node, world)
    if node.cores > 1:
        disk.take_over(seat, node)
    end = disk.enter(seat, now, disk_ns)
    if node.cores > 1:
        disk.take_over(node, seat)
    seat.cause = identity(DISK_READ, seat.node, seat.disk_served)
    if run.stepwise:
        line = note_process(seat, DISK_SERVED, seat.cause, run.cause, now, world)
        line.start_ns = end - disk_ns
        line.end_ns = end
    seat.what = DISK_DONE
    schedule(seat, end, DISK, seat.disk_served)


@inner
def lender(seat: Row, node: Row, world: World) -> int:
    """The index of the node's loan that holds the page, drawn as in `Memory.lender`."""
    seat.lender = following(seat.lender)
    point = int(uniform(seat.lender) * node.borrowed)
    place = 0
    while True:
        point -= world.loans[seat.node, place].amount
        if point < 0:
            return place
        place += 1


@inner
def ask(seat: Row, loan: Row, now: int, world: World) -> None:
    """Ask the server of a loan for a page, and keep what `undo_asking` needs."""
    run = world.runs[0]
    if run.looks_ahead:
        seat.booked = 1
        seat.booked_station = station_at(loan.there, seat.node, loan.server, world)
        station = world.stations[seat.booked_station]
        seat.port_free_ns = station.free_ns
        seat.port_wait_ns = station.wait_ns
        seat.port_waits = station.waits
        seat.port_max_wait_ns = station.max_wait_ns
        if run.window_ns:
            keep_peak(seat, now, world)
    send(seat, REQUEST, seat.node, loan.server, loan.there, now, world)


@seldom
def keep_peak(seat: Row, now: int, world: World) -> None:
    """Keep what the window has in which a request is counted."""
    seat.booked_window = window_at(now, world.runs[0])
    cell = world.windows[seat.booked_window, seat.booked_station, class_of(REQUEST)]
    seat.port_peak_ns = cell.peak_ns


@seldom
def count_no_longer(seat: Row, station: Row, world: World) -> None:
    """Undo that a request is counted in its window."""
    cell = world.windows[seat.booked_window, seat.booked_station, class_of(REQUEST)]
    cell.services -= 1
    cell.delay_ns -= station.wait_ns - seat.port_wait_ns
    cell.delay_ns -= CARRY * (station.waits - seat.port_waits)
    cell.peak_ns = seat.port_peak_ns


@inner
def undo_asking(seat: Row, world: World) -> None:
    """Undo a request sent ahead of time, which has not reached a second station yet."""
    station = world.stations[seat.booked_station]
    if world.runs[0].window_ns:
        count_no_longer(seat, station, world)
    station.free_ns = seat.port_free_ns
    station.wait_ns = seat.port_wait_ns
    station.waits = seat.port_waits
    station.max_wait_ns = seat.port_max_wait_ns
    station.served -= 1
    station.bytes -= world.services[REQUEST, 0]
    station.busy_ns -= world.services[REQUEST, 1 + station.rate]
    world.nodes[seat.node].messages -= 1


@inner
def page_fault(seat: Row, now: int, world: World) -> None:
    """Get the missing page over the network with probability borrowed / O, else from the disk."""
    run = world.runs[0]
    seat.cpu_ns = seat.until_ns
    run.cause = seat.cause
    node = world.nodes[seat.node]
    if not seat.outside:
        compute(seat, now, world)
        return
    note_step(seat, FAULTED, now, world)
    network = False
    if node.borrowed:
        seat.medium = following(seat.medium)
        network = uniform(seat.medium) * node.over < node.borrowed
    enter_state(seat, NETWORK_FAULT if network else DISK_FAULT, now)
    if run.watches_pages:
        note_fault(seat, now, world)
    if not network:
        read_disk(seat, now, world)
        return
    if node.cores == 1:
        seat.faults_network += 1
    else:
        node.faults_network += 1
    loan = world.loans[seat.node, lender(seat, node, world)]
    seat.reply_route = loan.back
    seat.asked_ns = now
    ask(seat, loan, now, world)


@inner
def reach_barrier(seat: Row, now: int, world: World) -> None:
    """Stop at a barrier; where there are none, an interval is over, and nothing else."""
    run = world.runs[0]
    seat.cpu_ns = seat.until_ns
    run.cause = seat.cause
    if run.meets:
        note_step(seat, AT_BARRIER, now, world)
        enter_state(seat, BARRIER, now)
        seat.reached_ns = now - seat.spent_ns[SWITCHED_OUT]
    wait(seat)


@inner
def report(seat: Row, now: int, world: World) -> None:
    """Tell the parent that the process, which waits for no others, is there; without one, go on."""
    if seat.parent != NOBODY:
        send(seat, ARRIVAL, seat.node, world.seats[seat.parent].node, seat.to_parent, now, world)
    elif seat.pause_ns < seat.mark_ns:
        pass_barrier(seat, now, world)


@inner
def step_alone(seat: Row, world: World) -> None:
    """Execute an event that changes only the process and what it sends.

    These are a fault, a page from the disk or from the network, a barrier (except where others are
    awaited or letters posted, or memory changes), and the release from one that is not passed on.
    """
    run = world.runs[0]
    now = seat.time
    what = seat.what
    seat.events += 1
    run.budget -= 1
    if what == FAULT:
        page_fault(seat, now, world)
    elif what == DISK_DONE:
        run.cause = seat.cause
        page_loaded(seat, now, world)
    elif what == PAUSE:
        reach_barrier(seat, now, world)
        report(seat, now, world)
    else:
        if seat.sender != seat.receiver:
            seat.delivered[seat.kind] += 1
        if run.stepwise:
            note_message(seat, DELIVERED, now, 0, 0, 0, world)
        run.cause = identity(MESSAGE, seat.sender, seat.number)
        if seat.kind == REPLY:
            page_loaded(seat, now, world)
        else:
            pass_barrier(seat, now, world)


@inner
def alone(seat: Row) -> bool:
    """Whether `step_alone` executes the pending event."""
    what = seat.what
    if what == ARRIVE:
        return seat.kind == REPLY or (seat.kind == RELEASE and seat.awaited == 0)
    if what == PAUSE:
        return (
            seat.pause_ns != seat.demand_ns
            and seat.awaited == 0
            and seat.ring == 0
            and (seat.parent != NOBODY or seat.pause_ns < seat.mark_ns)
        )
    return what in (FAULT, DISK_DONE)


@inner
def private(seat: Row, world: World) -> bool:
    """Whether the pending event of a running process may happen ahead of time.

    It may if it neither needs nor disturbs anybody else. It changes the process's own record and
    the first link of its message; before anybody else changes that record or sends over that link,
    `settle` or `give_way` is called.
    """
    if not alone(seat):
        return False
    node = world.nodes[seat.node]
    if seat.what == FAULT:
        if node.port or not node.borrowed or not seat.outside:
            return True
        return uniform(following(seat.medium)) * node.over >= node.borrowed
    return seat.what != PAUSE or seat.parent == NOBODY


@inner
def read_on(seat: Row, world: World) -> bool:
    """Execute faults that the node's own disk serves, up to another event; returns whether any.

    One loop does what `step_alone` does for each fault and its page; where nodes page to disk, that
    is nearly everything. It is not used where most pages are on other nodes.
    """
    run = world.runs[0]
    node = world.nodes[seat.node]
    over = node.over
    borrowed = node.borrowed
    now = seat.time
    limit = seat.outside
    if not limit or 2 * borrowed > over or not disk.is_idle(seat, now):
        return False
    excess = seat.excess
    touched = seat.memory if run.drifts else limit
    page = 0 if run.drifts else run.page
    disk_ns = node.disk_ns
    latest = run.horizon - disk_ns
    most = run.budget >> 1
    what = FAULT
    drawn = 1
    since = seat.since_ns
    cpu_ns = seat.cpu_ns
    until_ns = seat.until_ns
    pause_ns = seat.pause_ns
    loaded = seat.loaded
    fault = seat.fault
    relocation = seat.relocation
    medium = seat.medium
    pages = 0
    # For a maintainer: to draw counts of these faults instead of their times is some five times
    # faster (issue 59). Where nothing is borrowed and L - D is n whole pages, Binomial(n, 1 -
    # exp(-t * page / (page_walk * L))) of them are loaded within CPU time t: the same law but for
    # rounding to ns. (If all n are, the time of the last is drawn, too: the locality changes.) But
    # these are other draws: all results change, the actors plane must draw the same way, designs
    # no longer share each fault, and a journal of all records needs its time.
    while what == FAULT and now < latest and pages < most:
        if borrowed:
            following_medium = following(medium)
            if uniform(following_medium) * over < borrowed:
                break
            medium = following_medium
        pages += 1
        cpu_ns = until_ns
        since = now + disk_ns
        stretch_ns, what, drawn, loaded, fault, relocation = stretch(
            pause_ns - cpu_ns,
            limit,
            touched,
            excess,
            min(loaded + page, limit),
            fault,
            relocation,
            run,
        )
        until_ns = cpu_ns + stretch_ns
        now = since + time_taken_ns(stretch_ns, node.speed, run.reference_speed)
    if not pages:
        return False
    run.budget -= 2 * pages
    seat.events += 2 * pages
    seat.steps += pages
    seat.stretches += pages
    disk.serve_alone(seat, pages, since)
    seat.spent_ns[COMPUTING] += since - seat.since_ns - pages * disk_ns
    seat.spent_ns[DISK_FAULT] += pages * disk_ns
    seat.since_ns = since
    seat.cpu_ns = cpu_ns
    seat.until_ns = until_ns
    seat.loaded = loaded
    seat.fault = fault
    seat.relocation = relocation
    seat.medium = medium
    seat.what = what
    seat.drawn = drawn
    seat.cause = run.cause = identity(DISK_READ, seat.node, seat.disk_served)
    seat.time = now
    seat.number = seat.stretches
    return True


@inner
def settle(i: int, world: World) -> None:
    """Bring a process back to now, if it ran ahead."""
    if world.seats[i].ahead:
        return_to_now(i, world)


@seldom
def return_to_now(i: int, world: World) -> None:
    """Return to where the process was before it ran ahead, and go on by events.

    Its events before the present one have happened, unless it began in the present one; for no
    message arrives in the nanosecond in which it was sent (`Arrays`: looks_ahead).
    """
    run = world.runs[0]
    seat = world.seats[i]
    cause = run.cause
    if seat.booked:
        undo_asking(seat, world)
    seat.ahead = 0
    for k in range(OF_SEAT):
        world.seat_numbers[i, k] = world.saved[i, k]
    while seat.began != run.turn and before(seat, run):
        step_alone(seat, world)
    seat.booked = 0
    run.cause = cause
    refresh(i, world)


@inner
def give_way(node: int, world: World) -> None:
    """Undo what was sent from this node ahead of time, since something else is about to send."""
    i = world.nodes[node].running
    if i != NOBODY and world.seats[i].ahead and world.seats[i].booked:
        settle(i, world)


@inner
def release(i: int, now: int, world: World) -> None:
    """Let the processes that have told seat i of their arrivals go on, and then its own."""
    parent = world.seats[i]
    world.nodes[parent.node].masters -= 1
    meeting = world.meetings[i]
    meeting.arrived = 0
    meeting.complete = 0
    child = meeting.child
    for _ in range(parent.awaited):
        seat = world.seats[child]
        link = world.meetings[child]
        send(seat, RELEASE, parent.node, seat.node, link.from_parent, now, world)
        refresh(child, world)
        child = link.next
    pass_barrier(parent, now, world)


@inner
def count_waits(i: int, world: World) -> None:
    """Count for how long all processes of a job waited for the last one; rank 0 has seat i."""
    last = i
    latest_ns = world.seats[i].reached_ns
    total_ns = ranks = 0
    while i != NOBODY:
        seat = world.seats[i]
        ranks += 1
        total_ns += seat.reached_ns
        if seat.reached_ns > latest_ns:
            last = i
            latest_ns = seat.reached_ns
        i = world.meetings[i].next
    world.seats[last].awaited_ns += ranks * latest_ns - total_ns


@seldom
def pass_if_heard(i: int, now: int, world: World) -> None:
    """Let seat i go on from its barrier if those beside it in the ring are there, or were."""
    run = world.runs[0]
    seat = world.seats[i]
    heard = world.meetings[i].heard
    if not heard[0] or (seat.ring == 2 and not heard[1]):
        return
    heard[0] -= 1
    heard[1] -= 1
    seat.cause = run.cause
    note_step(seat, PASSED, now, world)
    pass_barrier(seat, now, world)


@inner
def has_reached(seat: Row, barrier_ns: int) -> bool:
    """Whether a process is at the barrier at this CPU time, or was."""
    return seat.pause_ns > barrier_ns or (seat.pause_ns == barrier_ns and seat.state == BARRIER)


@seldom
def count_waits_in_ring(i: int, world: World) -> None:
    """Count for how long those beside seat i waited for it, of the two that each awaits."""
    seat = world.seats[i]
    for side in range(seat.ring):
        waiting = world.meetings[i].beside[side]
        all_came = has_reached(world.seats[waiting], seat.pause_ns)
        for other in range(world.seats[waiting].ring):
            awaited = world.meetings[waiting].beside[other]
            all_came &= has_reached(world.seats[awaited], seat.pause_ns)
        if all_came:
            seat.awaited_ns += seat.reached_ns - world.seats[waiting].reached_ns


@seldom
def post_to_ring(i: int, now: int, world: World) -> None:
    """Post what seat i sends to those beside it at the end of an interval."""
    run = world.runs[0]
    seat = world.seats[i]
    meeting = world.meetings[i]
    if run.in_ring:
        count_waits_in_ring(i, world)
    for kind in (EXCHANGE, ARRIVAL):
        if not (run.exchanges if kind == EXCHANGE else run.in_ring):
            continue
        for side in range(seat.ring):
            run.spare -= 1
            place = world.spare[run.spare]
            letter = world.letters[place]
            letter.letter = NOBODY
            letter.job = seat.job
            letter.rank = seat.rank
            letter.events = 0
            other = world.seats[meeting.beside[side]]
            letter.to = other.rank
            if other.node != seat.node:
                run.sent[kind] += 1
            dispatch(letter, kind, seat.node, other.node, meeting.to_beside[side], now, world)
            push_letter(place, world)
    if run.in_ring:
        pass_if_heard(i, now, world)


@seldom
def hear_letter(place: int, world: World) -> None:
    """Let a process hear the letter at this place, which has been posted by one beside it."""
    run = world.runs[0]
    letter = world.letters[place]
    if letter.sender != letter.receiver:
        run.delivered[letter.kind] += 1
    if run.stepwise:
        note_message(letter, DELIVERED, run.time, 0, 0, 0, world)
    world.spare[run.spare] = place
    run.spare += 1
    if letter.kind != ARRIVAL:
        return
    i = world.nodes[letter.receiver].first_seat
    seat = world.seats[i]
    while not (seat.occupied and seat.job == letter.job and seat.rank == letter.to):
        i += 1
        seat = world.seats[i]
    meeting = world.meetings[i]
    side = 0 if world.seats[meeting.beside[0]].rank == letter.rank else 1
    meeting.heard[side] += 1
    if seat.state == BARRIER:
        run.cause = identity(MESSAGE, letter.sender, letter.number)
        pass_if_heard(i, run.time, world)
        refresh(i, world)


@inner
def hear(i: int, world: World) -> None:
    """Tell its parent that seat i arrives now or later; only the last arrival is an event."""
    run = world.runs[0]
    seat = world.seats[i]
    meeting = world.meetings[seat.parent]
    meeting.arrived += 1
    if (
        not run.hears_ahead  # so it arrives now, after all others
        or seat.time > meeting.time
        or (
            seat.time == meeting.time
            and (
                seat.sender > meeting.sender
                or (seat.sender == meeting.sender and seat.number > meeting.number)
            )
        )
    ):
        meeting.time = seat.time
        meeting.sender = seat.sender
        meeting.number = seat.number
    if meeting.arrived < world.seats[seat.parent].awaited:
        wait(seat)
        return
    seat.time = meeting.time
    seat.sender = meeting.sender
    seat.number = meeting.number
    seat.what = LAST


@inner
def meet(i: int, now: int, world: World) -> int:
    """Let the last that a process awaits arrive there, or a process reach a barrier.

    Returns what Python must do, as `step_together` does; a process may also end here.
    """
    run = world.runs[0]
    seat = world.seats[i]
    if seat.what == LAST:
        run.cause = identity(MESSAGE, seat.sender, seat.number)
        wait(seat)
        i = seat.parent
        world.meetings[i].complete = 1
        if world.seats[i].state != BARRIER:
            return GO_ON
    else:
        if run.spare < 2 * seat.ring:
            return LETTERS_RUN_OUT
        seat.events += 1
        run.budget -= 1
        if seat.pause_ns == seat.demand_ns:
            seat.cpu_ns = seat.until_ns
            wait(seat)
            return PROCESS_FINISHED
        reach_barrier(seat, now, world)
        if seat.ring:
            post_to_ring(i, now, world)
            if run.in_ring:
                return GO_ON
        if seat.awaited:
            world.nodes[seat.node].masters += 1
            if not world.meetings[i].complete:
                return GO_ON
        elif seat.parent != NOBODY or seat.pause_ns < seat.mark_ns:
            report(seat, now, world)
            return GO_ON
    return all_are_there(i, now, world)


@inner
def all_are_there(i: int, now: int, world: World) -> int:
    """Tell the parent of seat i, or let all go on; returns what Python must do, if anything."""
    seat = world.seats[i]
    if seat.parent == NOBODY and seat.mark_ns <= seat.pause_ns:
        return MEMORY_CHANGES
    give_way(seat.node, world)
    if seat.parent != NOBODY:
        tell_parent(i, now, world)
    else:
        count_waits(i, world)
        release(i, now, world)
        refresh(i, world)
    return GO_ON


@seldom
def tell_parent(i: int, now: int, world: World) -> None:
    """Tell the parent of seat i, which has waited for others, that they are all there."""
    seat = world.seats[i]
    send(seat, ARRIVAL, seat.node, world.seats[seat.parent].node, seat.to_parent, now, world)
    refresh(i, world)


@seldom
def pass_release_on(i: int, now: int, world: World) -> None:
    """Let the process in seat i go on, after those that have told it of their arrivals."""
    release(i, now, world)


@inner
def step_together(i: int, world: World) -> int:
    """Execute an event that concerns others too; returns what Python must do: GO_ON is nothing.

    These are a message on its way, a page request at the lender, an arrival at a parent, a release
    that is passed on, a barrier of who is no worker, and a page that is given up. What follows from
    the end of a process, from a barrier at which memory changes, and from a request that nobody
    hears, is left to Python.
    """
    run = world.runs[0]
    seat = world.seats[i]
    now = seat.time
    if seat.what == LAST or seat.what == PAUSE:
        return meet(i, now, world)
    seat.events += 1
    run.budget -= 1
    if (seat.what == HOP and world.hops[seat.hop] == DOWN) or (
        seat.what == ARRIVE and seat.kind != ARRIVAL
    ):
        give_way(seat.receiver, world)  # the message, or what follows from it, enters a link there
    if seat.what == HOP:
        forward(seat, now, world)
        asks = ahead.pass_last_link(i, now, world)
        if seat.kind == ARRIVAL and seat.what == ARRIVE and run.hears_ahead:
            seat.events += 1
            run.budget -= 1
            seat.delivered[ARRIVAL] += 1
            hear(i, world)
        if not asks:
            return GO_ON
        seat.events += 1
        run.budget -= 1
        now = seat.time
    if seat.what == GIVEN_UP:
        if seat.running:
            run.cause = seat.message_cause
            enter_state(seat, DISK_FAULT, now)
            read_disk(seat, now, world)
        else:
            seat.state = READY
            wait(seat)
        return GO_ON
    if seat.kind == REQUEST and world.nodes[seat.receiver].down:
        wait(seat)
        return PAGE_UNHEARD
    if seat.sender != seat.receiver:
        seat.delivered[seat.kind] += 1
    if run.stepwise:
        note_message(seat, DELIVERED, now, 0, 0, 0, world)
    run.cause = identity(MESSAGE, seat.sender, seat.number)
    if seat.kind == REQUEST:
        server = seat.receiver
        route = seat.reply_route
        send(seat, REPLY, server, seat.node, route, now, world)
    elif seat.kind == RELEASE:
        pass_release_on(i, now, world)
    else:
        hear(i, world)
    return GO_ON


@inner
def execute(i: int, world: World) -> int:
    """Execute seat i's event, and others ahead of time; returns what Python must do, if anything.

    It does not run ahead of Python's next event, which is likely to change things.
    """
    run = world.runs[0]
    seat = world.seats[i]
    seat.ahead = 0
    why = GO_ON
    if alone(seat):
        step_alone(seat, world)
    else:
        why = step_together(i, world)
    seat.booked = 0
    if seat.running and run.looks_ahead and seat.time < run.horizon and private(seat, world):
        seat.began = run.turn
        for k in range(OF_SEAT):
            world.saved[i, k] = world.seat_numbers[i, k]
        going = True
        while going:
            if seat.what != FAULT or not read_on(seat, world):
                step_alone(seat, world)
            going = seat.time < run.horizon and run.budget > 0 and private(seat, world)
        seat.ahead = 1
    refresh(i, world)
    return why


@inner
def begin(i: int, now: int, world: World) -> None:
    """Let the process run on its node.

    D starts from 0 if another one ran there meanwhile that did not run beside it.
    """
    seat = world.seats[i]
    node = world.nodes[seat.node]
    if not seat.warm:
        for k in range(node.first_seat, node.first_seat + node.seats):
            other = world.seats[k]
            if not other.running and other.job != seat.job:
                other.warm = 0
        seat.warm = 1
        seat.loaded = 0
    if seat.state == READY:
        compute(seat, now, world)
        refresh(i, world)


@inner
def switch_in(i: int, now: int, world: World) -> None:
    """Go on from where the process was: its job runs, and a node of one core is its own."""
    seat = world.seats[i]
    node = world.nodes[seat.node]
    seat.running = 1
    if node.cores == 1:
        node.running = i
        disk.take_over(seat, node)
        seat.stretches = node.stretches
        seat.faults_network = node.faults_network
    seat.spent_ns[SWITCHED_OUT] += now - seat.since_ns
    seat.since_ns = now
    if seat.state != GRANT and seat.state != MOVING and seat.state != FINISHED:
        begin(i, now, world)


@inner
def switch_out(i: int, now: int, world: World) -> None:
    """Stop computing: the job is suspended. What is in flight completes meanwhile."""
    seat = world.seats[i]
    if seat.state == COMPUTING:
        stop_computing(seat, now, world)
        enter_state(seat, READY, now)
        wait(seat)
        refresh(i, world)
    else:
        seat.spent_ns[seat.state] += now - seat.since_ns
        seat.since_ns = now
    seat.running = 0
    node = world.nodes[seat.node]
    if node.cores == 1:
        node.running = NOBODY
        disk.take_over(node, seat)
        node.stretches = seat.stretches
        node.faults_network = seat.faults_network


@inner
def limit_changed(i: int, now: int, world: World) -> None:
    """Cap D to L after a change of the node's O, as in `Process.overallocation_changed`."""
    seat = world.seats[i]
    find_limit(seat, world.nodes[seat.node])
    seat.loaded = min(seat.loaded, seat.outside)
    if seat.state == COMPUTING and not seat.drawn and seat.loaded < seat.outside:
        stop_computing(seat, now, world)
        compute(seat, now, world)
        refresh(i, world)
