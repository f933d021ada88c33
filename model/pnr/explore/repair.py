"""What would have saved runs: at the step that dooms them, something else happens instead.

A variation is a list of steps in the place of that one. A search would not take all of them, as
when a message is lost though no loss is left. It saves the run if a good end can be reached after
it, without further faults.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from model.pnr.explore import steps
from model.pnr.explore.atlas import DOOMED, FAULTS, away_from_good
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import Finding, Search
from model.pnr.explore.steps import CRASH, DELIVER, DUPLICATE, FIRE, LOSE, RESTART, Step
from model.pnr.explore.world import State, World

_MOST_CASES, _MOST_STATES = 1_000, 100_000
_LONGEST = 200  # messages that arrive while a step is delayed


class Repair(NamedTuple):
    """How many of the cases a variation saves."""

    words: str
    saves: int


class Repairs(NamedTuple):
    """What was tried in the cases in which a step of one cause dooms the run."""

    cause: str
    cases: int
    each: list[Repair]  # that which saves most is first; of equal ones what changes least

    def __str__(self) -> str:
        some = f"{self.cases:,} cases" if self.cases > 1 else "the only case"
        if self.cases > _MOST_CASES:
            some = f"the first {_MOST_CASES:,} of {some}"
        told = [f"{it.words} saves {it.saves or 'none'}" for it in self.each]
        return f'Of {some} of "{self.cause}", {"; ".join(told)}.'


def repairs(search: Search, finding: Finding) -> Repairs | None:
    """What saves runs that are doomed as that of a finding, if a search has seen all states.

    None if every run is doomed, if nothing can be varied, or if too many states follow then.
    """
    doom = search.causes.of(finding.path)
    if doom is None:
        return None
    world, properties, graph = search.world, search.properties, search.graph
    ends: dict[State | None, int] = {}
    tried: dict[str, list[int]] = {}  # by variation, the places of where it leads in `ends`
    for place in doom.places[:_MOST_CASES]:
        begin, (step, _) = int(graph.begins[place]), graph.label(place)
        for kind, words, instead in _VARIATIONS:
            taken = instead(world, search.states[begin], step) if step.kind == kind else None
            if taken:
                end = _after(world, properties, search.states[begin], taken)
                tried.setdefault(words, []).append(ends.setdefault(end, len(ends)))
    if not tried:
        return None
    away = away_from_good(world, properties, ends, _MOST_STATES, without=FAULTS)
    if away is None:
        return None
    found = [Repair(words, int((away[its] != DOOMED).sum())) for words, its in tried.items()]
    found.sort(key=lambda repair: -repair.saves)
    return Repairs(doom.cause, len(doom.places), found)


def _after(
    world: World, properties: Properties, state: State, taken: Sequence[Step]
) -> State | None:
    """The state after these steps; None if one breaks a rule."""
    for step in taken:
        state, broken, _ = properties.taken(world, state, step)
        if broken:
            return None
    return state


def _same(world: World, state: State, step: Step, subject: object) -> list[Step]:
    """The steps that do what this one did when it was about that subject, wherever that is now."""
    about = slice(2 if step.kind == FIRE else 3)
    now = [it for it in world.steps(state) if it[about] == step[about]]
    return [it for it in now if world.subject(state, it) == subject]


def _later(world: World, state: State, step: Step) -> list[Step]:
    """The step comes when all other messages have arrived, and those that they lead to."""
    subject, taken = world.subject(state, step), list[Step]()
    while len(taken) < _LONGEST:
        own = _same(world, state, step, subject)
        others = (it for it in world.steps(state) if it.kind == DELIVER and it not in own)
        other = next(others, None)
        if other is None:
            return [*taken, *own[:1]] if taken else []
        taken.append(other)
        state = world.take(state, other).state
    return []


def _sent_again(world: World, state: State, step: Step) -> list[Step]:
    arrives = step._replace(kind=DELIVER)
    return _later(world, state, arrives) or [arrives]


def _after_time_out(world: World, state: State, step: Step) -> list[Step]:
    """A timer at either end of a message fires first, if one is due."""
    fires = [it for it in world.due(state) if it.a in (step.a, step.b)][:1]
    after = world.take(state, fires[0]).state if fires else state
    return [*fires, *_same(world, after, step, world.subject(state, step))[:1]] if fires else []


def _when_back(world: World, state: State, step: Step) -> list[Step]:
    return [Step(RESTART, step.b), step] if state.nodes[step.b].summary.is_down else []


def _restarted(world: World, state: State, step: Step) -> list[Step]:
    return [step, Step(RESTART, step.a)] if world.setting.for_ever else []


def _with(*kinds: int) -> Callable[[World, State, Step], list[Step]]:
    return lambda world, state, step: [step._replace(kind=kind) for kind in kinds]


_DELAYED = "delaying it until nothing else is on its way"
_DELAYABLE = (DELIVER, FIRE, steps.PLACE, steps.END, CRASH, RESTART, steps.LEAVE, steps.GO)
#: Of what kind of step, what it is called, and the steps instead, if there are any; what changes
#: least is first.
_VARIATIONS: Sequence[tuple[int, str, Callable[[World, State, Step], list[Step]]]] = [
    *[(kind, _DELAYED, _later) for kind in _DELAYABLE],
    (DELIVER, "delaying it until its servent is back", _when_back),
    (DELIVER, "a time-out just before", _after_time_out),
    (DELIVER, "sending it twice", _with(DUPLICATE, DELIVER)),
    (DELIVER, "losing it", _with(LOSE)),
    (LOSE, "a time-out just before", _after_time_out),
    (LOSE, "sending it again when nothing else is on its way", _sent_again),
    (DUPLICATE, "recognising the copy", _with(DUPLICATE, LOSE)),
    (CRASH, "restarting at once", _restarted),
]
