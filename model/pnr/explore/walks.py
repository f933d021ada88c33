"""Random walks, drawn from a seed and shortened, for what is too large to be searched whole."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from model.pnr.explore.alike import Alike, as_alike_as_possible
from model.pnr.explore.partial_order import PartialOrder
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import Finding, Found, Progress, broken_at_once, kind_of
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import END, Step
from model.pnr.explore.world import State, World

_LONGEST = 400  # steps of a walk, unless fewer are wanted

Choose = Callable[[State, list[Step]], Step]


def walk(
    setting: Setting,
    walks: int,
    *,
    most_depth: int | None = None,
    progress: Progress = lambda states, left, depth: None,
) -> Found:
    """Take so many walks, each drawn from the setting's seed; what is found is made shorter.

    A walk draws one of the possible steps, as in `PartialOrder`, until there is none. Of the first
    that finds something, steps are left out as long as it still finds something (Zeller and
    Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002).
    """

    def run(alike: Alike) -> Found:
        return Walker(World(setting, alike), walks, most_depth or _LONGEST, progress).run()

    return as_alike_as_possible(run)


@dataclass
class Walker:
    """Takes walks, and keeps what was seen on them."""

    world: World
    walks: int
    most_depth: int
    progress: Progress

    def __post_init__(self) -> None:
        setting = self.world.setting
        self.properties = Properties(setting)
        self.random = Random(setting.seed)
        self.seen_states: set[State] = set()
        self.known: dict[str, Finding] = {}  # by kind, what the design's file gives a reason for
        self.taken = self.longest = self.seen = 0
        self.length = 0  # of the last walk, as far as much happens: timers may fire for ever

    def run(self) -> Found:
        """Take the walks, and shorten what they find, until Ctrl-C."""
        if found := broken_at_once(self.world):
            return found
        finding, interrupted = self._find(), False
        try:
            for shorter in () if finding is None else self._shortened(finding):
                finding = shorter
        except KeyboardInterrupt:
            interrupted = True
        sometimes = {wish: bool(self.seen & bit) for wish, bit in self.properties.bits.items()}
        return Found(
            len(self.seen_states),
            self.taken,
            self.longest,
            False,
            sometimes,
            finding,
            interrupted=interrupted,
            known=tuple(self.known.values()),
        )

    def _find(self) -> Finding | None:
        for done in range(1, self.walks + 1):
            finding = self._walk((), self.draws(), self.most_depth)
            if finding is not None:
                return finding
            self.progress(len(self.seen_states), self.walks - done, self.longest)
        return None

    def draws(self) -> Choose:
        return PartialOrder(self.world, self.random, self.length)

    def _walk(self, wanted: Sequence[Step], choose: Choose, most: int) -> Finding | None:
        """Take the steps that are wanted, without those that are not possible, and then others.

        Returns what is found within that many steps; with what is known to go wrong, it ends.
        """
        world = self.world
        left = iter(wanted)
        state = world.beginning().state
        self.seen_states.add(state)
        path: list[Step] = []
        ended = most  # steps until the last process has
        while len(path) < most and (steps := world.steps(state)):
            step = next((step for step in left if step in steps), None) or choose(state, steps)
            path.append(step)
            state, broken, seen = self.properties.taken(world, state, step)
            self.taken += 1
            self.seen |= seen
            ended = len(path) if step.kind == END else ended
            self.length = min(len(path), 2 * ended)
            self.longest = max(self.longest, len(path))
            if broken is not None:
                finding = Finding(broken, tuple(path), alike=world.alike)
                if self.properties.reason(broken) is None:
                    return finding
                self.known.setdefault(kind_of(broken), finding)
                return None
            self.seen_states.add(state)
        return None

    def _shortened(self, finding: Finding) -> Iterator[Finding]:
        """The same or others by ever shorter paths, down to one of which no step can be left out.

        Many steps are left out at a time, then fewer; what follows is the first step possible, or
        else one drawn.
        """
        size = len(finding.path) // 2
        while size:
            before = finding
            for draws in (lambda: _first, self.draws):
                place = 0
                while place < len(path := finding.path):
                    left = path[:place] + path[place + size :]
                    shorter = self._walk(left, draws(), len(path) - 1)
                    if shorter is None:
                        place += size
                    else:
                        yield (finding := shorter)
            if finding is before:
                size //= 2
            size = min(size, len(finding.path))


def _first(state: State, steps: list[Step]) -> Step:
    return steps[0]
