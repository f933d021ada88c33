"""The event loop of the compiled plane, and what Python calls when it changes something."""

from agents.process import FINISHED, READY
from model.clock import DELIVERY
from model.compiled.jit import compiled, inner
from model.compiled.processes import (
    begin,
    enter_state,
    execute,
    give_way,
    limit_changed,
    settle,
    switch_in,
    switch_out,
    wait,
)
from model.compiled.records import HOP, NEVER, NOBODY, Row, Rows
from model.compiled.transport import (
    before,
    earliest,
    forward,
    pop_letter,
    push_letter,
    refresh,
)

# Why `advance` came back.
PYTHON_IS_NEXT, BUDGET_SPENT, PROCESS_FINISHED, LETTER_ARRIVED = range(4)


@inner
def now_is(event: Row, run: Row) -> None:
    """This is the present event."""
    run.time = event.time
    run.cls = event.cls
    run.receiver = event.receiver
    run.sender = event.sender
    run.number = event.number
    run.turn += 1


@compiled
def advance(
    runs: Rows,
    next_of_python: Rows,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    letters: Rows,
    heap: Rows,
    log: Rows,
) -> tuple[int, int]:
    """Execute events in order until Python has to act: (why, the seat or letter it is about)."""
    run = runs[0]
    limit = next_of_python[0]
    run.horizon = limit.time
    while run.budget > 0:
        i = earliest(queue)
        if run.letters and before(letters[heap[0]], seats[i]):
            place = heap[0]
            letter = letters[place]
            if not before(letter, limit):
                return PYTHON_IS_NEXT, NOBODY
            now_is(letter, run)
            run.budget -= 1
            letter.events += 1
            pop_letter(letters, heap, run)
            if letter.what != HOP:
                run.events += letter.events
                return LETTER_ARRIVED, place
            forward(letter, run.time, stations, hops, services, run, log)
            push_letter(place, letters, heap, run)
        else:
            seat = seats[i]
            if seat.time == NEVER or not before(seat, limit):
                return PYTHON_IS_NEXT, NOBODY
            now_is(seat, run)
            if execute(i, seats, saved, nodes, stations, hops, services, loans, queue, run, log):
                return PROCESS_FINISHED, i
        if run.stepwise and run.log + 4 * len(nodes) + 64 > len(log):
            break
    return BUDGET_SPENT, NOBODY


@compiled
def post(
    place: int,
    letters: Rows,
    heap: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    runs: Rows,
    log: Rows,
) -> None:
    """A letter leaves its node; its record is filled in."""
    letter = letters[place]
    letter.cls = DELIVERY
    forward(letter, runs[0].time, stations, hops, services, runs[0], log)
    push_letter(place, letters, heap, runs[0])


@compiled
def next_number(
    node: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    runs: Rows,
    log: Rows,
) -> int:
    """A servent sends from this node: the number of its message."""
    give_way(node, seats, saved, nodes, stations, hops, services, loans, queue, runs[0], log)
    nodes[node].messages += 1
    return nodes[node].messages


@compiled
def start(i: int, seats: Rows, nodes: Rows, queue: Rows, runs: Rows) -> None:
    """The client lets the process begin; it computes as soon as its job runs."""
    run = runs[0]
    enter_state(seats[i], READY, run.time)
    if seats[i].running:
        begin(i, run.time, seats, nodes, run)
        refresh(i, queue, seats)


@compiled
def resume(first: int, seats: Rows, nodes: Rows, queue: Rows, runs: Rows) -> None:
    """The processes of a job may compute; `first` is the seat of its rank 0."""
    i = first
    while i != NOBODY:
        switch_in(i, runs[0].time, seats, nodes, queue, runs[0])
        i = seats[i].next


@compiled
def suspend(
    first: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    runs: Rows,
    log: Rows,
) -> None:
    """The processes of a job stop computing."""
    i = first
    while i != NOBODY:
        settle(i, seats, saved, nodes, stations, hops, services, loans, queue, runs[0], log)
        switch_out(i, runs[0].time, seats, nodes, queue)
        i = seats[i].next


@compiled
def finish(i: int, seats: Rows, queue: Rows, runs: Rows) -> None:
    """The demand is done."""
    enter_state(seats[i], FINISHED, runs[0].time)
    wait(seats[i])
    refresh(i, queue, seats)


@compiled
def leave(i: int, seats: Rows, queue: Rows, runs: Rows) -> None:
    """The job has ended: count what the process did, and free its seat."""
    run = runs[0]
    seat = seats[i]
    run.events += seat.events
    for kind in range(len(run.sent)):
        run.sent[kind] += seat.sent[kind]
        run.delivered[kind] += seat.delivered[kind]
    seat.occupied = 0
    wait(seat)
    refresh(i, queue, seats)


@compiled
def memory_changed(
    index: int,
    over: int,
    borrowed: int,
    lends: bool,
    fresh: Rows,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    runs: Rows,
    log: Rows,
) -> None:
    """A node's memory changed: until now the old was true, from now on this and its loans are."""
    run = runs[0]
    node = nodes[index]
    if node.running != NOBODY:
        settle(node.running, seats, saved, nodes, stations, hops, services, loans, queue, run, log)
    node.over = over
    node.borrowed = borrowed
    node.port = node.private and not lends
    for place in range(len(fresh)):
        loans[index, place] = fresh[place]
    for i in range(index * run.slots, (index + 1) * run.slots):
        if seats[i].occupied and seats[i].state != FINISHED:
            limit_changed(i, run.time, seats, nodes, queue, run)
