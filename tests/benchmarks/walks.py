"""How many steps random walks take to find ten planted races, by how the steps are drawn."""

from dataclasses import replace
from statistics import mean

from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.setting import Setting
from model.pnr.explore.walks import Walker
from model.pnr.explore.world import World
from tests.model.pnr.explore.races import RACES

SEEDS = range(1, 21)
MOST = 20_000  # steps for each seed
LONGEST = 400  # steps of one walk


class Uniform(Walker):
    """Each possible step is equally likely: for comparison."""

    def draws(self):
        return lambda state, steps: self.random.choice(steps)


def steps_until_found(walker: type[Walker], setting: Setting) -> tuple[int, bool]:
    """The steps of all walks until one finds the race, and whether one does within `MOST`."""

    def run(apart: bool) -> tuple[int, bool]:
        walks = walker(World(setting, apart), 1, LONGEST, lambda *_: None)
        while walks.taken < MOST:
            if walks.find() is not None:
                return walks.taken, True
        return MOST, False

    return apart_if_possible(run)


def main() -> None:
    """Print a line for each race; means over all seeds, and how many of these found nothing."""
    print(f"random walks: mean steps until a race is found, {len(SEEDS)} seeds of up to {MOST:,}")
    print(f"{'':26}{'steps alike':>18}{'orders alike':>18}    ratio")
    for race, _ in RACES:
        name = race.declared.partition(":")[2]
        means, cells = [], []
        for walker in (Uniform, Walker):
            runs = [steps_until_found(walker, replace(race, seed=seed)) for seed in SEEDS]
            missed = sum(not found for _, found in runs)
            means.append(mean(steps for steps, _ in runs))
            cells.append(f"{means[-1]:,.0f}" + (f" ({missed} missed)" if missed else ""))
        print(f"{name:26}{cells[0]:>18}{cells[1]:>18} {means[0] / means[1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
