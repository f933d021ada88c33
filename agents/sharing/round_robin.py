"""One CPU shared round robin, without an event for each slice.

The rules are those of execution slice by slice, which `test_round_robin.py` does for comparison:

- the jobs that can run stand in a circle; the first has the CPU for a slice, then goes to the end;
- a context switch precedes a turn only if the CPU holds another job's context, or none yet: a job
  that is alone, or comes back before any other has run, goes on without a switch;
- a job that joins goes to the end of the circle; a slice that ends at that instant ends first;
- a job that leaves, for the disk, for another node or for good, forfeits the rest of its slice.
"""

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Generic, Protocol, TypeVar


class Runnable(Protocol):
    """What the CPU must know about a job: the CPU time until it next stops by itself, in ns."""

    until_stop_ns: int


R = TypeVar("R", bound=Runnable)


class RoundRobin(Generic[R]):
    """A CPU and its circle of jobs at one instant, `now_ns`. Pure: the caller passes the time.

    The caller advances it to each instant at which something changes, and at the latest to the next
    stop, which `next_stop` returns; the whole rounds in between take one division.
    """

    def __init__(self, slice_ns: int, switch_ns: int) -> None:
        self.slice_ns = slice_ns
        self.switch_ns = switch_ns
        self.now_ns = 0
        self.circle: deque[R] = deque()  # the first has the CPU
        self._loaded: R | None = None  # whose context the CPU holds
        self._switch_left_ns = 0  # of the first one's turn
        self._slice_left_ns = 0

    def join(self, job: R) -> None:
        self.circle.append(job)
        if len(self.circle) == 1:
            self._dispatch()

    def leave(self, job: R) -> None:
        if self.circle[0] is job:
            self.circle.popleft()
            if self.circle:
                self._dispatch()
        else:
            self.circle.remove(job)

    def turn(self) -> tuple[R | None, int, int]:
        """Whose context the CPU holds, and what is left of the first job's switch and slice."""
        return self._loaded, self._switch_left_ns, self._slice_left_ns

    def resume(self, now_ns: int, circle: Iterable[R], turn: tuple[R | None, int, int]) -> None:
        """Go on from a state at an instant that was worked out elsewhere."""
        self.now_ns, self.circle = now_ns, deque(circle)
        self._loaded, self._switch_left_ns, self._slice_left_ns = turn

    def advance(self, now_ns: int) -> None:
        """Let the jobs compute until `now_ns`; none may reach its stop before."""
        time_ns = now_ns - self.now_ns
        self.now_ns = now_ns
        circle = self.circle
        if not circle or not time_ns:
            return
        turn_left_ns = self._switch_left_ns + self._slice_left_ns
        if time_ns < turn_left_ns:
            self._compute(time_ns)
            return
        time_ns -= turn_left_ns
        circle[0].until_stop_ns -= self._slice_left_ns
        self._switch_left_ns, self._slice_left_ns = 0, self.slice_ns
        if len(circle) == 1:
            circle[0].until_stop_ns -= time_ns
            self._slice_left_ns -= time_ns % self.slice_ns
            return
        circle.rotate(-1)
        turns, time_ns = divmod(time_ns, self.switch_ns + self.slice_ns)
        rounds, turns = divmod(turns, len(circle))
        if rounds:
            for job in circle:
                job.until_stop_ns -= rounds * self.slice_ns
        for job in islice(circle, turns):
            job.until_stop_ns -= self.slice_ns
        circle.rotate(-turns)
        self._loaded, self._switch_left_ns = circle[0], self.switch_ns  # another's ended just now
        self._compute(time_ns)

    def next_stop(self) -> tuple[int, R]:
        """When a job next stops by itself if nothing changes, and which one; there must be jobs."""
        circle, slice_ns = self.circle, self.slice_ns
        first = circle[0]
        need_ns = first.until_stop_ns
        if need_ns <= self._slice_left_ns or len(circle) == 1:
            return self.now_ns + self._switch_left_ns + need_ns, first
        # Stops come in the order of turns; the turn after the one that goes on has number 0.
        need_ns -= self._slice_left_ns
        slices = (need_ns - 1) // slice_ns  # that it uses up before
        turn, stopping = slices * len(circle) + len(circle) - 1, first
        for place, job in enumerate(islice(circle, 1, None)):
            slices = (job.until_stop_ns - 1) // slice_ns
            if slices * len(circle) + place < turn:
                turn, stopping = slices * len(circle) + place, job
                if not slices:
                    break  # all that follow have later turns
        if stopping is not first:
            need_ns = stopping.until_stop_ns
        turn_left_ns = self._switch_left_ns + self._slice_left_ns
        before_ns = turn_left_ns + turn * (self.switch_ns + slice_ns) + self.switch_ns
        return self.now_ns + before_ns + (need_ns - 1) % slice_ns + 1, stopping

    def _dispatch(self) -> None:
        """Give the first job the CPU for a slice, after a context switch if one is needed."""
        self._switch_left_ns = 0 if self._loaded is self.circle[0] else self.switch_ns
        self._slice_left_ns = self.slice_ns
        self._loaded = self.circle[0]

    def _compute(self, time_ns: int) -> None:
        """Let the first job have less time than its turn has left."""
        switching_ns = min(time_ns, self._switch_left_ns)
        self._switch_left_ns -= switching_ns
        computing_ns = time_ns - switching_ns
        self._slice_left_ns -= computing_ns
        self.circle[0].until_stop_ns -= computing_ns
