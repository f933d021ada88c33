"""Why runs fail: the steps that doom them, told apart by the message or event that they concern.

A step dooms a run if it could still have ended well before, and cannot after it (`graph.py`). That
is known when a search has seen all states.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from model.pnr.explore import steps
from model.pnr.explore.graph import UNREACHABLE, Graph, steps_to
from model.pnr.explore.numbers import plain
from model.pnr.explore.steps import Step
from model.pnr.explore.world import State, World

_OF_MESSAGES = {steps.DELIVER: "delivered", steps.LOSE: "lost", steps.DUPLICATE: "duplicated"}
_EVENTS = {
    steps.END: "process ends",
    steps.PLACE: "job is placed",
    steps.CRASH: "servent crashes",
    steps.RESTART: "servent restarts",
    steps.JOIN: "node joins",
    steps.LEAVE: "node is told to leave",
    steps.GO: "node is gone",
}


def cause_in_words(world: World, state: State, step: Step) -> str:
    """What a step does, whichever and however many nodes take part.

    Of a crash, also what the servent has not finished.
    """
    kind, a, b, c = step
    if kind in _OF_MESSAGES:
        content, _ = world.content(state, state.messages(a, b)[c])
        unheard = kind == steps.DELIVER and state.nodes[b].summary.is_down
        where = " to a servent that is down" if unheard else ""
        return f"{type(content).__name__} {_OF_MESSAGES[kind]}{where}"
    if kind == steps.FIRE:
        timer = state.nodes[a].timers[b]
        return f"timer {plain(timer.name)} of a {timer.role} fires"
    if kind != steps.CRASH:
        return _EVENTS[kind]
    summary = state.nodes[a].summary
    open_work = [re.sub(r"job \d+", "a job", what) for what in summary.waiting]
    open_work += ["lends"] * bool(summary.lent) + ["borrows"] * bool(summary.loans)
    return f"{_EVENTS[kind]} ({', '.join(dict.fromkeys(open_work)) or 'idle'})"


class Doom(NamedTuple):
    """What dooms runs by one cause."""

    cause: str
    step: int  # of the path, from 1
    states: int  # in which such a step dooms the run
    places: list[int]  # of such steps, those on the shortest paths first


class Causes:
    """What dooms runs in the graph of all states."""

    def __init__(
        self, world: World, graph: Graph, states: Sequence[State], depths: Sequence[int]
    ) -> None:
        self._world = world
        self._graph = graph
        self._states = states
        self._doomed = graph.doomed
        self._to_broken = steps_to(graph.broken, graph.begins, graph.ends)
        #: By cause the steps that doom a run, each after the length of a shortest path through it.
        self._steps: dict[str, list[tuple[int, int]]] = {}
        dooming = ~self._doomed[graph.begins] & self._doomed[graph.ends]
        dooming &= self._to_broken[graph.ends] != UNREACHABLE
        for place in np.flatnonzero(dooming).tolist():
            begin, end = int(graph.begins[place]), int(graph.ends[place])
            length = depths[begin] + 1 + int(self._to_broken[end])
            self._steps.setdefault(self._in_words(begin, place), []).append((length, place))

    def shortest(self) -> Iterator[tuple[int, tuple[Step, ...], int]]:
        """By cause the shortest path that it dooms: the state before, steps, the state after.

        A rule is broken in the state after. A cause after which none is broken is left out: what
        then goes on for ever is no fair circle. If every run is doomed from the beginning, there is
        no cause.
        """
        for ways in self._steps.values():
            _, place = min(ways)
            begin = int(self._graph.begins[place])
            yield begin, *self._to_end(place)

    def of(self, path: Sequence[Step]) -> Doom | None:
        """What dooms a path; None if it is not doomed, or from the beginning."""
        places = None if self._doomed[0] else self._graph.places_of(path)
        if places is None or not self._doomed[self._graph.ends[places]].any():
            return None
        step = int(self._doomed[self._graph.ends[places]].argmax())  # the first that dooms it
        cause = self._in_words(int(self._graph.begins[places[step]]), places[step])
        known = [place for _, place in sorted(self._steps.get(cause, ()))]
        states = {int(self._graph.begins[place]) for place in known}
        return Doom(cause, step + 1, len(states), known or [places[step]])

    def _in_words(self, state: int, place: int) -> str:
        step, _ = self._graph.label(place)
        return cause_in_words(self._world, self._states[state], step)

    def _to_end(self, place: int) -> tuple[tuple[Step, ...], int]:
        """The fewest steps from that at a place on, until a rule is broken, and the state then."""
        graph, to_broken = self._graph, self._to_broken
        way, at = [graph.label(place)[0]], int(graph.ends[place])
        while to_broken[at]:
            nearer = (
                it for it in graph.steps_from(at) if to_broken[graph.ends[it]] == to_broken[at] - 1
            )
            place = next(nearer)
            way.append(graph.label(place)[0])
            at = int(graph.ends[place])
        return tuple(way), at
