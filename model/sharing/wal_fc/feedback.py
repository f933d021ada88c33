"""The feedback controller: the slowdowns of jobs that end turn two knobs (section 4.3)."""

from collections import deque
from statistics import fmean


class Knob:
    """A value between two limits, and the direction in which it was last turned, at first up."""

    def __init__(self, value: float, lowest: float, highest: float) -> None:
        self.value = value
        self.lowest = lowest
        self.highest = highest
        self.direction = 1
        self.path = 0.0  # the sum of all its turns, up or down

    def turn(self, step: float, improved: bool) -> None:
        """Turn on in the same direction if that has improved things, else back; 0 does nothing."""
        if not step:
            return
        if not improved:
            self.direction = -self.direction
        before = self.value
        self.value = min(self.highest, max(self.lowest, before + self.direction * step))
        self.path += abs(self.value - before)


class Feedback:
    """Turns the weight of I/O and the buffer (MB) by the mean slowdown S of the latest jobs.

    With `disjoint` windows (ours, not the paper's) it acts once in `history` jobs, on the mean of
    these: the two means that it compares share no job.
    """

    def __init__(
        self,
        weight: Knob,
        buffer_mb: Knob,
        weight_gain: float,
        buffer_gain: float,
        history: int,
        disjoint: bool = False,
    ) -> None:
        self.weight = weight
        self.buffer_mb = buffer_mb
        self.weight_gain = weight_gain
        self.buffer_gain = buffer_gain
        self._disjoint = disjoint
        self._history = history
        self._slowdowns: deque[float] = deque(maxlen=history)
        self._mean: float | None = None  # S, when it last acted

    def ended(self, slowdown: float) -> None:
        """React to the end of a job (4.9, 4.13); the first mean has nothing to compare with."""
        self._slowdowns.append(slowdown)
        if self._disjoint and len(self._slowdowns) < self._history:
            return
        before, self._mean = self._mean, fmean(self._slowdowns)
        if self._disjoint:
            self._slowdowns.clear()
        if before is not None:
            improved = self._mean < before
            self.weight.turn(self.weight_gain * abs(1 - self._mean / before), improved)
            self.buffer_mb.turn(self.buffer_gain * abs(before - self._mean), improved)
