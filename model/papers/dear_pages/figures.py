"""What a page costs by how many wait for one, and how long jobs take by its cost in quanta."""

from model.papers.cases import Case, declared
from model.papers.dear_pages.kinds import mean_ms, response_s
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements
from model.papers.thesis.cliff import disk_ms
from model.sweeps.statistics import Estimate

_RUNS = declared("dear-pages")["runs"]
_WAITING = (1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72)
_COSTS_MS = [disk_ms(seek) for seek in _RUNS["quantum-60"]["seek_ms"]]


def _cost_ms(_: Measurements, case: Case, __: str) -> Estimate | None:
    """What a page cost for which as many processes waited as the case's name says, ms."""
    cost, _share = mean_ms("waiting", int(case.name), int(case.name))
    return Estimate(cost, cost, cost, 1)


def _response_s(measured: Measurements, case: Case, quantum: str) -> Estimate | None:
    return response_s(measured, int(quantum.removesuffix(" s")), int(case.name))


FIGURES = (
    PaperFigure(
        "1",
        "What a page over the network costs, by how many processes wait for one when it is asked "
        "for (MAN, 128 nodes, under ethernet). Grey: the disk's 13.2 ms",
        (
            Panel(
                tuple(Case(str(waiting)) for waiting in _WAITING),
                _WAITING,
                "Processes that wait for a page over the network",
            ),
        ),
        {"MAN": Style("#CC79A7")},
        "Cost of a page (ms)",
        _cost_ms,
        level=disk_ms(),
        summary=True,
    ),
    PaperFigure(
        "2",
        "Disk paging's mean response time by what a page costs per minute of the quantum, with "
        "quanta of 30, 60 and 120 s (64 nodes, light)",
        (
            Panel(
                tuple(Case(str(place)) for place in range(len(_COSTS_MS))),
                tuple(_COSTS_MS),
                "Cost of a page (ms) per 60 s of the quantum",
            ),
        ),
        {"30 s": Style("#D55E00"), "60 s": Style("#000000"), "120 s": Style("#0072B2")},
        "Mean response time (s)",
        _response_s,
        scale=logarithmic,
        summary=True,
    ),
)
