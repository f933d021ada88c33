"""Round robin in closed form is slice-by-slice execution, to the nanosecond."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.sharing.round_robin import RoundRobin

SLICE, SWITCH = 10, 3


@dataclass(eq=False)
class Task:
    name: int
    until_stop_ns: int


class SliceBySlice:
    """The reference: every nanosecond of every turn, and nothing cleverer."""

    def __init__(self):
        self.now, self.waiting, self.running, self.loaded = 0, [], None, None
        self.switch = self.slice = 0

    def join(self, task):
        self.waiting.append(task)
        self.dispatch()

    def dispatch(self):
        if self.running is None and self.waiting:
            self.running = self.waiting.pop(0)
            self.switch = 0 if self.loaded is self.running else SWITCH
            self.slice, self.loaded = SLICE, self.running

    def leave(self, task):
        if self.running is task:
            self.running = None
            self.dispatch()
        else:
            self.waiting.remove(task)

    def pass_a_nanosecond(self):
        self.now += 1
        if self.running is None:
            return
        if self.switch:
            self.switch -= 1
            return
        self.slice -= 1
        self.running.until_stop_ns -= 1
        if not self.slice:
            if self.waiting:
                self.waiting.append(self.running)
                self.running = None
                self.dispatch()
            else:
                self.slice = SLICE

    def stopped(self):
        """Whoever has reached its stop, to be taken off; at most one at an instant."""
        everyone = [*([self.running] if self.running else []), *self.waiting]
        return next((task for task in everyone if task.until_stop_ns == 0), None)


def by_slices(changes, end):
    cpu, stops, tasks = SliceBySlice(), [], {}
    changes = list(changes)
    while cpu.now <= end:
        task = cpu.stopped()
        if task is not None:
            cpu.leave(task)
            stops.append((cpu.now, task.name))
        while changes and changes[0][0] == cpu.now:
            apply(cpu, tasks, stops, changes.pop(0))
        cpu.pass_a_nanosecond()
    return stops


def closed(changes, end):
    cpu, stops, tasks = RoundRobin(SLICE, SWITCH), [], {}
    for change in [*changes, (end + 1, None, None)]:
        while cpu.circle and cpu.next_stop()[0] <= min(change[0], end):
            time, task = cpu.next_stop()
            cpu.advance(time)
            assert task.until_stop_ns == 0
            cpu.leave(task)
            stops.append((time, task.name))
        cpu.advance(change[0])
        if change[1] is not None:
            apply(cpu, tasks, stops, change)
    return stops


def apply(cpu, tasks, stops, change):
    """A change joins a new task, or takes off the nth of those still there."""
    _, kind, number = change
    gone = {name for _, name in stops}
    if kind == "join":
        tasks[len(tasks)] = Task(len(tasks), number)
        cpu.join(tasks[len(tasks) - 1])
        return
    here = [task for name, task in tasks.items() if name not in gone]
    if here:
        task = here[number % len(here)]
        cpu.leave(task)
        stops.append((-1, task.name))
        if kind == "stop and come back" and task.until_stop_ns:
            stops.pop()
            cpu.join(task)


CHANGES = st.lists(
    st.tuples(
        st.integers(0, 300),
        st.sampled_from(["join", "join", "leave", "stop and come back"]),
        st.integers(1, 100),
    ),
    max_size=14,
).map(lambda changes: sorted(changes, key=lambda change: change[0]))


@settings(max_examples=200)
@given(CHANGES)
def test_the_closed_form_stops_the_same_jobs_at_the_same_times_as_slices_do(changes):
    assert closed(changes, 3000) == by_slices(changes, 3000)


def test_whole_rounds_pass_at_once():
    # Three jobs of 10^6 slices each: rounds of 3 * 13 ns; the first ends in the last round.
    cpu = RoundRobin(SLICE, SWITCH)
    for name in range(3):
        cpu.join(Task(name, 10**6 * SLICE))
    time, first = cpu.next_stop()
    assert (time, first.name) == ((10**6 - 1) * 39 + 13, 0)
    cpu.advance(time)
    assert [task.until_stop_ns for task in cpu.circle] == [10, 10, 0]
