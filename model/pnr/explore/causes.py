"""Why runs fail: the steps that doom them, told apart by the message or event that they concern.

A step dooms a run if it could still have ended well before, and cannot after it (`graph.py`). That
is known when a search has seen all states.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from model.pnr.explore.graph import UNREACHABLE, steps_to
from model.pnr.explore.steps import (
    CRASH,
    DELIVER,
    DUPLICATE,
    END,
    FIRE,
    GO,
    JOIN,
    LEAVE,
    LOSE,
    PLACE,
    RESTART,
    Step,
)
from model.pnr.explore.world import State, World

if TYPE_CHECKING:
    from model.pnr.explore.search import Finding, Search

_OF_MESSAGES = {DELIVER: "delivered", LOSE: "lost", DUPLICATE: "duplicated"}
_EVENTS = {
    END: "process ends",
    PLACE: "job is placed",
    CRASH: "servent crashes",
    RESTART: "servent restarts",
    JOIN: "node joins",
    LEAVE: "node is told to leave",
    GO: "node is gone",
}


def cause_in_words(world: World, state: State, step: Step) -> str:
    """What a step does, whichever and however many nodes take part.

    Of a crash, also what the servent has not finished.
    """
    kind, a, b, c = step
    if kind in _OF_MESSAGES:
        content, _ = world.content(state, state.messages(a, b)[c])
        unheard = kind == DELIVER and state.nodes[b].summary.is_down
        where = " to a servent that is down" if unheard else ""
        return f"{type(content).__name__} {_OF_MESSAGES[kind]}{where}"
    if kind == FIRE:
        timer = state.nodes[a].timers[b]
        return f"timer {timer.name} of a {timer.role} fires"
    if kind != CRASH:
        return _EVENTS[kind]
    summary = state.nodes[a].summary
    open_work = [re.sub(r"job \d+", "a job", what) for what in summary.waiting]
    open_work += ["lends"] * bool(summary.lent) + ["borrows"] * bool(summary.loans)
    return f"{_EVENTS[kind]} ({', '.join(dict.fromkeys(open_work)) or 'idle'})"


class Causes:
    """What dooms runs in a search that has seen all states."""

    def __init__(self, search: "Search") -> None:
        self._search = search
        self._graph = graph = search.graph()
        self._doomed = graph.doomed()
        self._to_broken = steps_to(graph.broken, graph.begins, graph.ends)
        #: By cause the steps that doom a run, each after the length of a shortest path through it.
        self._steps: dict[str, list[tuple[int, int]]] = {}
        dooming = ~self._doomed[graph.begins] & self._doomed[graph.ends]
        dooming &= self._to_broken[graph.ends] != UNREACHABLE
        depths = search.depths()
        for place in np.flatnonzero(dooming).tolist():
            begin, end = int(graph.begins[place]), int(graph.ends[place])
            length = depths[begin] + 1 + int(self._to_broken[end])
            self._steps.setdefault(self._in_words(begin, place), []).append((length, place))

    def findings(self) -> "list[Finding]":
        """By cause the shortest path that it dooms.

        A cause after which no rule is broken is left out: what then goes on for ever is no fair
        circle. If every run is doomed from the beginning, there is no cause.
        """
        return [self.told(self._shortest(min(steps)[1])) for steps in self._steps.values()]

    def told(self, finding: "Finding") -> "Finding":
        """A finding with the cause on its path, if there is one."""
        if self._doomed[0]:
            return finding
        state, steps = 0, iter(finding.path)
        place = self._place(state, next(steps))
        while not self._doomed[self._graph.ends[place]]:
            state = int(self._graph.ends[place])
            place = self._place(state, next(steps))
        cause = self._in_words(state, place)
        dooms = {int(self._graph.begins[place]) for _, place in self._steps.get(cause, ())}
        doomed = len(finding.path) - len([*steps])
        return replace(finding, doomed=doomed, cause=cause, dooms=len(dooms))

    def _steps_from(self, state: int) -> range:
        """The places of the steps from a state."""
        first, last = np.searchsorted(self._graph.begins, [state, state + 1])
        return range(first, last)

    def _place(self, state: int, step: Step) -> int:
        return next(it for it in self._steps_from(state) if self._graph.label(it)[0] == step)

    def _in_words(self, state: int, place: int) -> str:
        step, _ = self._graph.label(place)
        return cause_in_words(self._search.world, self._search.states[state], step)

    def _shortest(self, place: int) -> "Finding":
        """The path by which a rule is broken soonest after the step at a place."""
        graph, to_broken = self._graph, self._to_broken
        path = [*self._search.path(int(graph.begins[place])), graph.label(place)[0]]
        at = int(graph.ends[place])
        while to_broken[at]:
            nearer = (
                it for it in self._steps_from(at) if to_broken[graph.ends[it]] == to_broken[at] - 1
            )
            place = next(nearer)
            path.append(graph.label(place)[0])
            at = int(graph.ends[place])
        return self._search.finding(self._search.broken[at], tuple(path))
