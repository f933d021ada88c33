"""Random walks, drawn and shrunk by Hypothesis, for what is too large to be searched whole."""

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.search import Finding, Found, broken_at_once
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import Step, World

_LONGEST = 400  # steps of a walk, unless fewer are wanted


def walk(
    setting: Setting,
    walks: int,
    *,
    most_depth: int | None = None,
    progress: Callable[[int, int, int], None] = lambda states, left, depth: None,
) -> Found:
    """Take so many walks, each drawn from the setting's seed; what is found is made shorter.

    A walk draws one of the possible steps until there is none. Of one that finds something,
    Hypothesis leaves out steps, and takes earlier ones instead, as long as it finds something.
    """

    def run(apart: bool) -> Found:
        return _Walker(setting, most_depth or _LONGEST, apart, walks, progress).run()

    return apart_if_possible(run)


class _Walker:
    """Takes walks, and keeps what was seen on them."""

    def __init__(
        self,
        setting: Setting,
        most_depth: int,
        apart: bool,
        walks: int,
        progress: Callable[[int, int, int], None],
    ) -> None:
        self.world = World(setting, apart)
        self.properties = Properties(setting)
        self.most_depth = most_depth
        self.walks = walks
        self.progress = progress
        self.seed = setting.seed
        self.known: set[bytes] = set()
        self.taken = self.longest = self.seen = self.done = 0

    def run(self) -> Found:
        """Take the walks."""
        if found := broken_at_once(self.world):
            return found
        finding = None
        walks = st.composite(lambda draw: self._walk(draw))()
        options = settings(
            max_examples=self.walks,
            database=None,
            deadline=None,
            derandomize=False,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        try:
            drawn = Random(self.seed)
            finding = find(walks, lambda one: one is not None, settings=options, random=drawn)
        except NoSuchExample:
            pass
        sometimes = {told: bool(self.seen & bit) for told, bit in self.properties.bits.items()}
        return Found(len(self.known), self.taken, self.longest, False, sometimes, finding)

    def _walk(self, draw: Callable[..., int]) -> Finding | None:
        world = self.world
        state = world.beginning().state
        self.known.add(world.digest(state))
        path: list[Step] = []
        self.done += 1
        while len(path) < self.most_depth:
            steps = world.steps(state)
            if not steps:
                return None
            step = steps[draw(st.integers(0, len(steps) - 1))]
            path.append(step)
            before = Look(world, state)
            state, broken, seen = world.take(state, step)
            self.taken += 1
            self.seen |= seen
            look = Look(world, state)
            self.seen |= self.properties.seen(before, step, look)
            self.longest = max(self.longest, len(path))
            broken = broken or self.properties.complaint(before, step, look)
            if broken is not None:
                return Finding(broken, tuple(path))
            self.known.add(world.digest(state))
        self.progress(len(self.known), self.walks - self.done, self.longest)
        return None
