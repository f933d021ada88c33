"""How far a message may go at once: over its receiver's link, and as an answer back over it.

At a node that is wired to one switch and nothing else, messages from there enter the link at least
`gate_ns` apart, in the order in which they reached the switch. So a message that reaches it now may
pass the link as well, though that happens later, unless something else enters the link before: an
earlier message that has not yet (`awaits_ns`), or what the node sends (`quiet_until`). A request is
answered at once under the same conditions.

Nothing of this is ever undone. What is done ahead of time happens before Python acts next, since
`quiet_until` knows of its next event, of letters, and of processes that may end.
"""

from agents.pnr.process import COMPUTING, FINISHED
from model.core.jit import inner
from model.ground.speed import time_taken_ns
from model.pnr.compiled.records import DOWN, HOP, NEVER, NOBODY, REQUEST, World
from model.pnr.compiled.transport import forward


@inner
def earliest_return(i: int, world: World) -> int:
    """Before when a process neither ends nor reaches a barrier at which memory changes."""
    run = world.runs[0]
    seat = world.seats[i]
    if not seat.running or seat.state == FINISHED:
        return NEVER
    end_ns = seat.demand_ns if seat.rank else min(seat.demand_ns, seat.mark_ns)
    speed = world.nodes[seat.node].speed
    taken_ns = time_taken_ns(end_ns - seat.cpu_ns, speed, run.reference_speed)
    since_ns = seat.since_ns
    if seat.state != COMPUTING:
        since_ns = max(since_ns, run.time)
    return since_ns + taken_ns


@inner
def quiet_until(i: int, world: World) -> int:
    """Before when the receiver of seat i's message sends nothing, unless it is asked for a page."""
    run = world.runs[0]
    node = world.nodes[world.seats[i].receiver]
    if node.masters:
        return 0
    quiet = run.horizon
    if run.letters:
        quiet = min(quiet, world.letters[world.heap[0]].time)
    runs = node.running
    if runs != NOBODY and runs != i:
        if world.seats[runs].ahead and world.seats[runs].booked:
            return 0
        quiet = min(quiet, world.seats[runs].time)
    if run.quiet_ns < quiet and run.turn >= run.recheck:
        run.recheck = run.turn + len(world.seats)  # so looking at all seats costs little
        run.quiet_ns = NEVER
        for other in range(len(world.seats)):
            run.quiet_ns = min(run.quiet_ns, earliest_return(other, world))
    return min(quiet, run.quiet_ns)


@inner
def pass_last_link(i: int, now: int, world: World) -> bool:
    """Let seat i's message, which has just passed a station, pass its receiver's link if it may.

    Returns whether it is a request that the receiver answers before anything else is sent there.
    """
    run = world.runs[0]
    seat = world.seats[i]
    node = world.nodes[seat.receiver]
    if not node.gate_ns or not run.looks_ahead:
        return False
    is_first = now > node.awaits_ns
    next_ns = NEVER  # when the next message may enter the link from the switch
    quiet_ns = 0
    if seat.what == HOP:
        if world.hops[seat.hop] != DOWN:
            return False
        left_ns = seat.time
        if is_first:
            quiet_ns = quiet_until(i, world)
        if left_ns >= quiet_ns:
            node.awaits_ns = max(node.awaits_ns, left_ns)
            return False
        next_ns = left_ns + node.gate_ns
        seat.events += 1
        run.budget -= 1
        forward(seat, left_ns, world)
    elif is_first and seat.kind == REQUEST:
        quiet_ns = quiet_until(i, world)
    if seat.kind != REQUEST:
        return False
    if seat.time < min(next_ns, quiet_ns) and not node.down:
        return True
    node.awaits_ns = max(node.awaits_ns, seat.time)
    return False
