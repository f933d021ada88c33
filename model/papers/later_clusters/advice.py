"""Numbers of what remains of the thesis's advice, as `text/page.md` names them."""

from collections.abc import Mapping

from model.papers.later_clusters.cases import PRESETS, SCARCE, compared, windows
from model.papers.later_clusters.page_costs import FETCH, READ, WALK, page_us
from model.papers.measurements import Measurements
from model.papers.tables import interval
from model.papers.text import Named

_COSTS = {"disk": READ, "network": FETCH, "walk": WALK}
_SEEDS_TELL = windows(PRESETS[0], SCARCE)[1]  # a window in which CLI is surely slower


class _Compared:
    """Measures in multiples of another design's, told over windows: `MAN/DP heavy cm5`."""

    def __init__(self, measured: Measurements, measure: str | None = None) -> None:
        self._measured, self._measure = measured, measure

    def __getitem__(self, name: str) -> str:
        quotient, load, cluster = name.split()
        own, than = quotient.split("/")
        found = compared(self._measured, cluster, load, own, than, self._measure)
        return interval(found["by windows"])


class _Costs:
    """What a page costs on a cluster in multiples of what another does: `disk/network cm5`."""

    def __getitem__(self, name: str) -> str:
        quotient, cluster = name.split()
        own, than = (page_us(cluster)[_COSTS[one]] for one in quotient.split("/"))
        return f"{own / than:,.1f}"


def _by_seeds(measured: Measurements) -> list[str]:
    """CLI in multiples of MAN for exactly the jobs of a window, on each cluster."""
    return [
        f"{interval(measured.ratio((case, 'CLI'), (case, 'MAN')))} on {preset}"
        for preset in PRESETS
        for case in windows(preset, SCARCE)
        if str(case) == str(_SEEDS_TELL)
    ]


ADVICE: Mapping[str, Named] = {
    "times": _Compared,
    "messages": lambda measured: _Compared(measured, "protocol_messages"),
    "cost": lambda _: _Costs(),
    "seeds_tell": lambda _: _SEEDS_TELL,
    "by_seeds": _by_seeds,
}
