"""Partial order sampling: random steps that make no order of what races much rarer than others."""

from collections.abc import Hashable
from random import Random

from model.pnr.explore.steps import (
    CRASH,
    DUPLICATE,
    END,
    FIRE,
    JOIN,
    LEAVE,
    LOSE,
    OF_MESSAGES,
    PLACE,
    Step,
)
from model.pnr.explore.world import State, World

_FAULTS = LOSE, DUPLICATE, CRASH, JOIN, LEAVE  # possible at nearly any moment, but only a few times
_SCHEDULER = -1  # where there are nodes


class PartialOrder:
    """Draws the steps of one walk by the order that they give to steps that race.

    Two steps race if they concern the same node, or both the scheduler. A step draws a priority
    when it becomes possible, and the highest comes first; then those that raced with it draw anew.
    So a step that has to wait for k others elsewhere does so in one of about k walks; if each
    step were equally likely, in one of 2 to the power of k (Yuan, Yang and Gu: Partial Order Aware
    Concurrency Sampling, CAV 2018). A timer lets time pass for all, so then all draw anew.

    A fault is possible nearly always, so by its priority it would nearly always come early. Instead
    the moment of each is drawn beforehand, from the `length` that the walk is expected to have.
    """

    def __init__(self, world: World, random: Random, length: int) -> None:
        self.world = world
        self.random = random
        setting = world.setting
        faults = setting.losses + setting.duplicates + setting.crashes
        faults += len(setting.absent) + setting.most_leaves
        moments = [random.randrange(length + 1) for _ in range(faults)]
        self.moments = sorted(moments, reverse=True)  # of the faults to come, the next one last
        self.priorities: dict[Hashable, float] = {}
        self.drawn = 0  # steps so far

    def __call__(self, state: State, steps: list[Step]) -> Step:
        """Draw one of these steps, which are all that are possible in a state."""
        names = _names(state, steps)
        known, random = self.priorities, self.random.random
        self.priorities = {name: known.get(name) or random() for name in names.values()}
        drawn = max(self._eligible(steps), key=lambda step: self.priorities[names[step]])
        touched = self._touched(state, drawn)
        for step in steps:
            if drawn.kind == FIRE or not touched.isdisjoint(self._touched(state, step)):
                del self.priorities[names[step]]
        self.drawn += 1
        return drawn

    def _eligible(self, steps: list[Step]) -> list[Step]:
        """The faults, if one is due or nothing else is possible, or else all other steps."""
        faults = [step for step in steps if step.kind in _FAULTS]
        is_due = bool(self.moments) and self.moments[-1] <= self.drawn
        if faults and (is_due or len(faults) == len(steps)):
            del self.moments[-1:]
            return faults
        return [step for step in steps if step.kind not in _FAULTS]

    def _touched(self, state: State, step: Step) -> frozenset[int]:
        """The nodes that a step concerns, and the scheduler if it does."""
        if step.kind == PLACE:
            return frozenset([_SCHEDULER, *self.world.fits(state)[step.a][1]])
        if step.kind == END:
            return frozenset([_SCHEDULER, step.a])
        return frozenset([step.b if step.kind in OF_MESSAGES else step.a])


def _names(state: State, steps: list[Step]) -> dict[Step, Hashable]:
    """By what each step is known while it is possible, since a message moves in its channel."""
    names: dict[Step, Hashable] = {}
    for step in steps:
        names[step] = step
        if step.kind in OF_MESSAGES:
            shapes = [message.shape for message in state.messages(step.a, step.b)]
            shape = shapes[step.c]
            names[step] = step.kind, step.a, step.b, shape, shapes[: step.c].count(shape)
    return names
