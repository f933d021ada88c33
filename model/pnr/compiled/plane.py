"""The event loop of the compiled plane, and what Python calls when it changes something."""

from typing import Any

import numpy as np

from agents.pnr.process import BARRIER, FINISHED, GRANT, READY
from model.core.jit import compiled, inner
from model.ground.clock import DELIVERY, PROCESS
from model.ground.randomness import (
    DISK_OR_NETWORK,
    FAULT_TIME,
    LENDER,
    PAGE_COST,
    RELOCALITY,
    longer_key,
)
from model.pnr.compiled.ahead import earliest_return
from model.pnr.compiled.processes import (
    begin,
    count_waits,
    enter_state,
    execute,
    find_limit,
    give_way,
    hear_letter,
    limit_changed,
    pass_barrier,
    release,
    schedule,
    sender_of,
    settle,
    switch_in,
    switch_out,
    wait,
)
from model.pnr.compiled.records import (
    BUDGET_SPENT,
    DOWN,
    GIVEN_UP,
    GO_ON,
    HOP,
    LETTER_ARRIVED,
    NEVER,
    NOBODY,
    PAUSE,
    PYTHON_IS_NEXT,
    Row,
    World,
)
from model.pnr.compiled.rounds import (
    dissolve,
    may_repeat,
    repeats,
    unfold_all,
)
from model.pnr.compiled.transport import (
    before,
    earliest,
    forward,
    now_is,
    pop_letter,
    push_letter,
    refresh,
)


@inner
def until_python(world: World) -> tuple[int, int]:
    """Execute events in order until Python must act; returns why, and which seat or letter."""
    run = world.runs[0]
    limit = world.next_of_python[0]
    run.horizon = limit.time
    while run.budget > 0:
        i = earliest(world)
        if run.letters and before(world.letters[world.heap[0]], world.seats[i]):
            place = world.heap[0]
            letter = world.letters[place]
            if not before(letter, limit):
                return PYTHON_IS_NEXT, NOBODY
            now_is(letter, world)
            run.budget -= 1
            letter.events += 1
            pop_letter(world)
            if letter.what != HOP:
                run.events += letter.events
                if letter.letter != NOBODY or world.nodes[letter.receiver].down:
                    return LETTER_ARRIVED, place
                hear_letter(place, world)
            else:
                if world.hops[letter.hop] == DOWN:
                    give_way(letter.receiver, world)
                forward(letter, run.time, world)
                push_letter(place, world)
        else:
            seat = world.seats[i]
            if seat.time == NEVER or not before(seat, limit):
                return PYTHON_IS_NEXT, NOBODY
            now_is(seat, world)
            if seat.what >= PAUSE and may_repeat(i, world) and repeats(i, world):
                continue
            why = execute(i, world)
            if why != GO_ON:
                return why, i
        if run.stepwise and run.log + 4 * len(world.nodes) + 64 > len(world.log):
            break
    return BUDGET_SPENT, NOBODY


@compiled
def advance(budget: int, world: World) -> tuple[int, int, int, int]:
    """Execute about `budget` events until Python must act; an event of its own is the present then.

    Returns why it must, which seat or letter it is about, what is left of the budget, and the time.
    """
    run = world.runs[0]
    run.budget = budget
    why, who = until_python(world)
    if run.folds:
        unfold_all(world)
    event = world.next_of_python[0]
    is_border = event.time == run.border_ns and event.cls < 0  # of a window: nothing happens then
    if why == PYTHON_IS_NEXT and event.time != NEVER and not is_border:
        now_is(event, world)
    return why, who, run.budget, run.time


@compiled
def post(
    place: int, source: int, target: int, number: int, route: int, kind: int, world: World
) -> None:
    """Send a letter from its node; `place` is its own among the letters."""
    letter = world.letters[place]
    letter.letter = place
    letter.cls = DELIVERY
    letter.receiver = target
    letter.sender = source
    letter.number = number
    letter.hop = route
    letter.kind = kind
    letter.events = 0
    forward(letter, world.runs[0].time, world)
    push_letter(place, world)


@compiled
def next_number(node: int, world: World) -> int:
    """Count a message that a servent sends from this node; returns its number."""
    give_way(node, world)
    world.nodes[node].messages += 1
    return world.nodes[node].messages


@compiled
def page_faults(index: int, world: World) -> int:
    """How many pages the processes of a node have asked for until now, of its disk and of lenders.

    The process that runs has them in its record; what it has run ahead does not count.
    """
    node = world.nodes[index]
    if node.running == NOBODY:
        return node.disk_served + node.faults_network
    settle(node.running, world)
    seat = world.seats[node.running]
    return seat.disk_served + seat.faults_network


@compiled
def log_every_hop(world: World) -> None:
    """Log whatever happens from now on: what ran ahead comes back to the present."""
    run = world.runs[0]
    for i in range(len(world.seats)):
        settle(i, world)
    run.looks_ahead = run.hears_ahead = run.repeats = 0
    run.stepwise = 1


@inner
def stream_of(seat: Row, purpose: int, world: World) -> int:
    """The key of a stream of draws of this process, as `stream_key` makes it."""
    key: Any = np.uint64(0)
    for word in (world.runs[0].seed, purpose, seat.job, seat.rank):
        key = longer_key(key, np.uint64(word))  # type: ignore[arg-type]  # for Numba
    return key


@compiled
def sit(
    node: int,
    job: int,
    first_process: int,
    rank: int,
    awaited: int,
    memory: int,
    limit: int,
    mark_ns: int,
    demand_ns: int,
    world: World,
) -> int:
    """Give a process that waits for its grant the first free seat of its node; returns the seat."""
    run = world.runs[0]
    i = world.nodes[node].first_seat
    while world.seats[i].occupied:
        i += 1
    for numbers in (world.seat_numbers, world.meeting_numbers):
        for k in range(numbers.shape[1]):
            numbers[i, k] = 0
    seat = world.seats[i]
    seat.occupied = 1
    seat.node = node
    seat.job = job
    seat.process = first_process + rank
    seat.rank = rank
    seat.awaited = awaited
    seat.memory = memory
    seat.limit = limit
    seat.mark_ns = mark_ns
    seat.demand_ns = demand_ns
    seat.letter = seat.parent = NOBODY
    world.meetings[i].next = world.meetings[i].leader = world.meetings[i].ally = NOBODY
    seat.time = NEVER
    seat.state = GRANT
    seat.since_ns = run.time
    seat.pause_ns = min(run.barrier_ns, demand_ns)
    seat.fault = stream_of(seat, FAULT_TIME, world)
    seat.medium = stream_of(seat, DISK_OR_NETWORK, world)
    seat.lender = stream_of(seat, LENDER, world)
    seat.relocation = stream_of(seat, RELOCALITY, world)
    if run.costs_by:
        seat.cost = stream_of(seat, PAGE_COST, world)
    return i


@compiled
def join(i: int, before: int, parent: int, there: int, back: int, first: int, world: World) -> None:
    """Join the seat of a worker to those of the rank before and of its parent (or NOBODY).

    `there` and `back` are the routes between them, and `first` is whether no rank that tells the
    same parent of its arrivals is lower.
    """
    world.meetings[before].next = i
    world.seats[i].parent = parent
    world.seats[i].to_parent = there
    world.meetings[i].from_parent = back
    if first:
        world.meetings[parent].child = i


@compiled
def start(i: int, world: World) -> None:
    """Start a process, as its client allows; it computes as soon as its job runs."""
    run = world.runs[0]
    seat = world.seats[i]
    find_limit(seat, world.nodes[seat.node])
    enter_state(seat, READY, run.time)
    if seat.running:
        begin(i, run.time, world)


@compiled
def resume(first: int, world: World) -> None:
    run = world.runs[0]
    run.quiet_ns = run.recheck = 0
    i = first
    while i != NOBODY:
        switch_in(i, run.time, world)
        i = world.meetings[i].next


@compiled
def suspend(first: int, world: World) -> None:
    i = first
    while i != NOBODY:
        settle(i, world)
        switch_out(i, world.runs[0].time, world)
        i = world.meetings[i].next


@compiled
def finish(i: int, world: World) -> None:
    """End a process that has computed its demand: nothing is pending for it any longer."""
    enter_state(world.seats[i], FINISHED, world.runs[0].time)
    wait(world.seats[i])
    refresh(i, world)


@compiled
def pass_on(i: int, world: World) -> None:
    """Let the processes of a job go on from a barrier at which its memory has changed.

    `i` is the seat of its rank 0.
    """
    run = world.runs[0]
    seat = world.seats[i]
    if seat.awaited:
        give_way(seat.node, world)
        count_waits(i, world)
        release(i, run.time, world)
    else:
        pass_barrier(seat, run.time, world)
    refresh(i, world)


@compiled
def give_up_page(i: int, when: int, world: World) -> None:
    """Let a process read the page that it waits for from its disk at a time."""
    seat = world.seats[i]
    node = world.nodes[seat.node]
    runs = node.running
    if runs == NOBODY:
        node.stretches += 1
        number = node.stretches
    else:
        settle(runs, world)
        world.seats[runs].stretches += 1
        number = world.seats[runs].stretches
    seat.what = GIVEN_UP
    schedule(seat, when, PROCESS, number)
    seat.sender = sender_of(seat, node)
    refresh(i, world)


@compiled
def push(place: int, world: World) -> None:
    """Make the arrival of a letter pending that is on its way already."""
    push_letter(place, world)


@compiled
def leave_group(i: int, world: World) -> None:
    """Let the jobs be in no group that repeat their rounds with that of seat i, which ends."""
    leader = world.meetings[i].leader
    dissolve(i if leader == NOBODY else leader, world)


@compiled
def leave(i: int, world: World) -> None:
    """Count what a process did, and free its seat at the end of its job."""
    run = world.runs[0]
    seat = world.seats[i]
    run.events += seat.events
    for kind in range(len(seat.sent)):
        run.sent[kind] += seat.sent[kind]
        run.delivered[kind] += seat.delivered[kind]
    if seat.state == BARRIER and seat.awaited and not run.in_ring:
        world.nodes[seat.node].masters -= 1
    seat.occupied = 0
    wait(seat)
    refresh(i, world)


@compiled
def memory_changed(
    index: int,
    over: int,
    beyond_ram: int,
    borrowed: int,
    together: int,
    lends: int,
    world: World,
) -> None:
    """Change a node's memory from now on; until now the old values held, and the old loans."""
    run = world.runs[0]
    node = world.nodes[index]
    if node.running != NOBODY:
        settle(node.running, world)  # with more memory it may end earlier than ahead of time
        run.quiet_ns = min(run.quiet_ns, earliest_return(node.running, world))
    node.over = over
    node.beyond_ram = beyond_ram
    node.borrowed = borrowed
    node.together = together
    node.lends = lends
    node.port = node.private and not lends
    for i in range(node.first_seat, node.first_seat + node.seats):
        if world.seats[i].occupied and world.seats[i].state != FINISHED:
            limit_changed(i, run.time, world)
