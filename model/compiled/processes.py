"""What a process does: the events of `agents/process.py`, and how far it may run ahead of them.

Arguments are the arrays of `records.py`; `i` is a seat.
"""

from agents.process import (
    BARRIER,
    COMPUTING,
    DISK_FAULT,
    FINISHED,
    GRANT,
    NETWORK_FAULT,
    READY,
    SWITCHED_OUT,
)
from model.clock import DISK, PROCESS
from model.compiled.jit import inner
from model.compiled.records import (
    ARRIVAL,
    ARRIVE,
    AT_BARRIER,
    DELIVERED,
    DISK_DONE,
    DISK_SERVED,
    FAULT,
    FAULTED,
    HOP,
    NEVER,
    NOBODY,
    NOTHING,
    PAUSE,
    RELEASE,
    REPLY,
    REQUEST,
    Row,
    Rows,
)
from model.compiled.transport import before, forward, note_message, refresh, send
from model.journal import DISK_READ, MESSAGE, PROCESS_STEP, identity
from model.paging import fault_time_ns, relocated_bytes
from model.randomness import following, uniform


@inner
def enter_state(seat: Row, state: int, now: int) -> None:
    """The process does something else from now on."""
    if seat.running:
        seat.spent_ns[seat.state] += now - seat.since_ns
        seat.since_ns = now
    seat.state = state


@inner
def wait(seat: Row) -> None:
    """Nothing is pending for the process; somebody else will go on with it."""
    seat.what = NOTHING
    seat.time = NEVER


@inner
def compute(seat: Row, now: int, nodes: Rows, run: Row) -> None:
    """Begin a stretch of computing: up to the next fault, or to the next barrier or finish."""
    enter_state(seat, COMPUTING, now)
    stretch_ns = seat.pause_ns - seat.cpu_ns
    seat.what = PAUSE
    seat.drawn = 0
    node = nodes[seat.node]
    limit = min(node.over, seat.memory)
    if limit:
        excess = seat.memory - node.ram
        if seat.loaded == limit and excess > run.page:
            seat.relocation = following(seat.relocation)
            seat.loaded -= relocated_bytes(uniform(seat.relocation), run.page, excess)
        if seat.loaded < limit:
            seat.drawn = 1
            seat.fault = following(seat.fault)
            fault_ns = fault_time_ns(uniform(seat.fault), run.page_walk_ns, limit, seat.loaded)
            if fault_ns < stretch_ns:
                stretch_ns = fault_ns
                seat.what = FAULT
    seat.cause = run.cause
    seat.stretches += 1
    seat.time = now + stretch_ns
    seat.cls = PROCESS
    seat.receiver = seat.node
    seat.sender = seat.node
    seat.number = seat.stretches


@inner
def go_on(seat: Row, now: int, nodes: Rows, run: Row) -> None:
    """What the process waited for is here: compute, as soon as its job runs."""
    if seat.running:
        compute(seat, now, nodes, run)
    else:
        seat.state = READY
        wait(seat)


@inner
def page_loaded(seat: Row, now: int, nodes: Rows, run: Row) -> None:
    """The page counts as loaded, and the process goes on."""
    seat.loaded = min(seat.loaded + run.page, nodes[seat.node].over, seat.memory)
    go_on(seat, now, nodes, run)


@inner
def pass_barrier(seat: Row, now: int, nodes: Rows, run: Row) -> None:
    """All processes are at the barrier: go on."""
    seat.pause_ns = min(seat.pause_ns + run.barrier_ns, seat.demand_ns)
    go_on(seat, now, nodes, run)


@inner
def note_step(seat: Row, kind: int, now: int, run: Row, log: Rows) -> None:
    """Count a fault or barrier of the process, and write it into the log."""
    seat.steps += 1
    number = identity(PROCESS_STEP, seat.process, seat.steps)
    if run.stepwise:
        line = log[run.log]
        run.log += 1
        line.time = now
        line.kind = kind
        line.id = number
        line.cause = seat.cause
        line.job = seat.job
        line.rank = seat.rank
        line.node = seat.node
    run.cause = number


@inner
def read_disk(seat: Row, now: int, run: Row, log: Rows) -> None:
    """The page comes from the node's disk, after those asked for before."""
    start = now
    waits = seat.disk_free_ns - now
    if waits > 0:
        start = seat.disk_free_ns
        seat.disk_wait_ns += waits
        if waits > seat.disk_max_wait_ns:
            seat.disk_max_wait_ns = waits
    end = start + run.disk_ns
    seat.disk_free_ns = end
    seat.disk_served += 1
    seat.cause = identity(DISK_READ, seat.node, seat.disk_served)
    if run.stepwise:
        line = log[run.log]
        run.log += 1
        line.time = now
        line.kind = DISK_SERVED
        line.id = seat.cause
        line.cause = run.cause
        line.job = seat.job
        line.rank = seat.rank
        line.node = seat.node
        line.size = run.page
        line.start_ns = start
        line.end_ns = end
    seat.what = DISK_DONE
    seat.time = end
    seat.cls = DISK
    seat.receiver = seat.node
    seat.sender = seat.node
    seat.number = seat.disk_served


@inner
def lender(seat: Row, node: Row, loans: Rows) -> int:
    """Which of the node's loans the page is in, as `Memory.lender`."""
    seat.lender = following(seat.lender)
    point = int(uniform(seat.lender) * node.borrowed)
    of_node = loans[seat.node]
    place = 0
    while True:
        point -= of_node[place].amount
        if point < 0:
            return place
        place += 1


@inner
def send_own(
    seat: Row,
    kind: int,
    target: int,
    route: int,
    now: int,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    run: Row,
    log: Rows,
) -> None:
    """The running process sends; keeps what it takes to undo that (`undo_send`)."""
    seat.booked = 1
    seat.booked_station = hops[route]
    station = stations[hops[route]]
    seat.port_free_ns = station.free_ns
    seat.port_wait_ns = station.wait_ns
    seat.port_waits = station.waits
    seat.port_max_wait_ns = station.max_wait_ns
    send(seat, kind, seat.node, target, route, now, nodes, stations, hops, services, run, log)


@inner
def undo_send(seat: Row, nodes: Rows, stations: Rows, services: Rows) -> None:
    """Take back what the process sent ahead of time; it has not reached a second station yet."""
    station = stations[seat.booked_station]
    station.free_ns = seat.port_free_ns
    station.wait_ns = seat.port_wait_ns
    station.waits = seat.port_waits
    station.max_wait_ns = seat.port_max_wait_ns
    station.served -= 1
    station.bytes -= services[seat.kind, 0]
    station.busy_ns -= services[seat.kind, 1 + station.rate]
    nodes[seat.node].messages -= 1


@inner
def page_fault(
    seat: Row,
    now: int,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    run: Row,
    log: Rows,
) -> None:
    """A page is missing: over the network with probability borrowed / O, else from the disk."""
    seat.cpu_ns += now - seat.since_ns
    run.cause = seat.cause
    node = nodes[seat.node]
    if not node.over:
        compute(seat, now, nodes, run)
        return
    note_step(seat, FAULTED, now, run, log)
    network = False
    if node.borrowed:
        seat.medium = following(seat.medium)
        network = uniform(seat.medium) * node.over < node.borrowed
    if not network:
        enter_state(seat, DISK_FAULT, now)
        read_disk(seat, now, run, log)
        return
    enter_state(seat, NETWORK_FAULT, now)
    seat.faults_network += 1
    loan = loans[seat.node][lender(seat, node, loans)]
    seat.reply_route = loan.back
    send_own(seat, REQUEST, loan.server, loan.there, now, nodes, stations, hops, services, run, log)


@inner
def at_barrier(
    seat: Row,
    now: int,
    seats: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    run: Row,
    log: Rows,
) -> None:
    """The process has computed up to a barrier: a worker tells the master, one alone goes on."""
    seat.cpu_ns += now - seat.since_ns
    run.cause = seat.cause
    note_step(seat, AT_BARRIER, now, run, log)
    enter_state(seat, BARRIER, now)
    wait(seat)
    if seat.rank:
        master = seats[seat.master].node
        route = seat.to_master
        send_own(seat, ARRIVAL, master, route, now, nodes, stations, hops, services, run, log)
    elif not seat.workers:
        pass_barrier(seat, now, nodes, run)


@inner
def step_alone(
    seat: Row,
    seats: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    run: Row,
    log: Rows,
) -> None:
    """Execute an event that changes nothing but the process and what it sends.

    A fault, a page from the disk or from the network, a barrier (but the master's release), the
    release from one.
    """
    now = seat.time
    what = seat.what
    seat.events += 1
    run.budget -= 1
    if what == FAULT:
        page_fault(seat, now, nodes, stations, hops, services, loans, run, log)
    elif what == DISK_DONE:
        run.cause = seat.cause
        page_loaded(seat, now, nodes, run)
    elif what == PAUSE:
        at_barrier(seat, now, seats, nodes, stations, hops, services, run, log)
    else:
        seat.delivered[seat.kind] += 1
        if run.stepwise:
            note_message(seat, DELIVERED, now, 0, 0, 0, run, log)
        run.cause = identity(MESSAGE, seat.sender, seat.number)
        if seat.kind == REPLY:
            page_loaded(seat, now, nodes, run)
        else:
            pass_barrier(seat, now, nodes, run)


@inner
def alone(seat: Row) -> bool:
    """Whether `step_alone` does the pending event."""
    what = seat.what
    if what == ARRIVE:
        return seat.kind == REPLY or seat.kind == RELEASE
    if what == PAUSE:
        return seat.pause_ns != seat.demand_ns and (seat.rank != 0 or seat.workers == 0)
    return what in (FAULT, DISK_DONE)


@inner
def private(seat: Row, nodes: Rows) -> bool:
    """Whether the pending event of a running process may happen ahead of time.

    It may if it neither needs nor disturbs anybody else: what it changes, the process's own record
    and the first link on the way of its message, nobody else changes or sends over without calling
    `settle` or `give_way` before.
    """
    if not alone(seat):
        return False
    node = nodes[seat.node]
    if seat.what == FAULT:
        if node.port or not node.borrowed or not node.over:
            return True
        return uniform(following(seat.medium)) * node.over >= node.borrowed
    return seat.what != PAUSE or node.port != 0 or seat.workers == 0


@inner
def settle(
    i: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    run: Row,
    log: Rows,
) -> None:
    """Bring a process that ran ahead back to now: to where it was, and then event by event.

    Its events before the present one have happened, unless it began in the present one.
    """
    seat = seats[i]
    if not seat.ahead:
        return
    cause = run.cause
    arrived = seat.arrived  # the only thing that others change
    if seat.booked:
        undo_send(seat, nodes, stations, services)
    seats[i] = saved[i]
    seat.arrived = arrived
    while seat.began != run.turn and before(seat, run):
        step_alone(seat, seats, nodes, stations, hops, services, loans, run, log)
    seat.booked = 0
    run.cause = cause
    refresh(i, queue, seats)


@inner
def give_way(
    node: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    run: Row,
    log: Rows,
) -> None:
    """Somebody else is about to send from this node: take back what was sent ahead of time."""
    i = nodes[node].running
    if i != NOBODY and seats[i].ahead and seats[i].booked:
        settle(i, seats, saved, nodes, stations, hops, services, loans, queue, run, log)


@inner
def release_all(
    i: int,
    now: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    run: Row,
    log: Rows,
) -> None:
    """The master has heard all workers: it lets them and itself go on."""
    master = seats[i]
    give_way(master.node, seats, saved, nodes, stations, hops, services, loans, queue, run, log)
    master.arrived = 0
    worker = master.next
    while worker != NOBODY:
        seat = seats[worker]
        route = seat.from_master
        send(
            seat,
            RELEASE,
            master.node,
            seat.node,
            route,
            now,
            nodes,
            stations,
            hops,
            services,
            run,
            log,
        )
        refresh(worker, queue, seats)
        worker = seat.next
    pass_barrier(master, now, nodes, run)


@inner
def step_together(
    i: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    run: Row,
    log: Rows,
) -> bool:
    """Execute an event that concerns others too; True if the process has finished.

    A message on its way, a page request at the lender, an arrival at the master, the master at a
    barrier. What a process's end brings about is left to Python.
    """
    seat = seats[i]
    now = seat.time
    seat.events += 1
    run.budget -= 1
    if seat.what == HOP:
        forward(seat, now, stations, hops, services, run, log)
        return False
    if seat.what == PAUSE:
        if seat.pause_ns == seat.demand_ns:
            seat.cpu_ns += now - seat.since_ns
            wait(seat)
            return True
        at_barrier(seat, now, seats, nodes, stations, hops, services, run, log)
        if seat.arrived == seat.workers:
            release_all(
                i, now, seats, saved, nodes, stations, hops, services, loans, queue, run, log
            )
        return False
    seat.delivered[seat.kind] += 1
    if run.stepwise:
        note_message(seat, DELIVERED, now, 0, 0, 0, run, log)
    run.cause = identity(MESSAGE, seat.sender, seat.number)
    if seat.kind == REQUEST:
        server = seat.receiver
        give_way(server, seats, saved, nodes, stations, hops, services, loans, queue, run, log)
        route = seat.reply_route
        send(seat, REPLY, server, seat.node, route, now, nodes, stations, hops, services, run, log)
        return False
    wait(seat)
    master = seats[seat.master]
    master.arrived += 1
    if master.state == BARRIER and master.arrived == master.workers:
        release_all(
            seat.master, now, seats, saved, nodes, stations, hops, services, loans, queue, run, log
        )
        refresh(seat.master, queue, seats)
    return False


@inner
def execute(
    i: int,
    seats: Rows,
    saved: Rows,
    nodes: Rows,
    stations: Rows,
    hops: Rows,
    services: Rows,
    loans: Rows,
    queue: Rows,
    run: Row,
    log: Rows,
) -> bool:
    """Execute the event of seat i, and those that follow ahead of time; True if it has finished.

    Not beyond Python's next event, which is likely to change things.
    """
    seat = seats[i]
    seat.ahead = 0
    finished = False
    if alone(seat):
        step_alone(seat, seats, nodes, stations, hops, services, loans, run, log)
    else:
        finished = step_together(
            i, seats, saved, nodes, stations, hops, services, loans, queue, run, log
        )
    seat.booked = 0
    if seat.running and not run.stepwise and seat.time < run.horizon and private(seat, nodes):
        seat.began = run.turn
        saved[i] = seat
        while True:
            step_alone(seat, seats, nodes, stations, hops, services, loans, run, log)
            if not (seat.time < run.horizon and run.budget > 0 and private(seat, nodes)):
                break
        seat.ahead = 1
    refresh(i, queue, seats)
    return finished


@inner
def begin(i: int, now: int, seats: Rows, nodes: Rows, run: Row) -> None:
    """The process runs on its node: D restarts if another ran there meanwhile."""
    seat = seats[i]
    node = nodes[seat.node]
    if node.last_ran != seat.process:
        node.last_ran = seat.process
        seat.loaded = 0
    if seat.state == READY:
        compute(seat, now, nodes, run)


@inner
def switch_in(i: int, now: int, seats: Rows, nodes: Rows, queue: Rows, run: Row) -> None:
    """The job runs: the process has the node and its disk, and goes on from where it was."""
    seat = seats[i]
    node = nodes[seat.node]
    node.running = i
    seat.running = 1
    seat.disk_free_ns = node.disk_free_ns
    seat.disk_served = node.disk_served
    seat.disk_wait_ns = node.disk_wait_ns
    seat.disk_max_wait_ns = node.disk_max_wait_ns
    seat.stretches = node.stretches
    seat.faults_network = node.faults_network
    seat.spent_ns[SWITCHED_OUT] += now - seat.since_ns
    seat.since_ns = now
    if seat.state != GRANT and seat.state != FINISHED:
        begin(i, now, seats, nodes, run)
    refresh(i, queue, seats)


@inner
def switch_out(i: int, now: int, seats: Rows, nodes: Rows, queue: Rows) -> None:
    """The job is suspended: stop computing; what is in flight completes meanwhile."""
    seat = seats[i]
    if seat.state == COMPUTING:
        seat.cpu_ns += now - seat.since_ns
        enter_state(seat, READY, now)
        wait(seat)
    else:
        seat.spent_ns[seat.state] += now - seat.since_ns
        seat.since_ns = now
    seat.running = 0
    node = nodes[seat.node]
    node.running = NOBODY
    node.disk_free_ns = seat.disk_free_ns
    node.disk_served = seat.disk_served
    node.disk_wait_ns = seat.disk_wait_ns
    node.disk_max_wait_ns = seat.disk_max_wait_ns
    node.stretches = seat.stretches
    node.faults_network = seat.faults_network
    refresh(i, queue, seats)


@inner
def limit_changed(i: int, now: int, seats: Rows, nodes: Rows, queue: Rows, run: Row) -> None:
    """The node's O changed, and L with it: as `Process.overallocation_changed`."""
    seat = seats[i]
    limit = min(nodes[seat.node].over, seat.memory)
    seat.loaded = min(seat.loaded, limit)
    if seat.state == COMPUTING and not seat.drawn and seat.loaded < limit:
        seat.cpu_ns += now - seat.since_ns
        compute(seat, now, nodes, run)
        refresh(i, queue, seats)
