"""A cluster for users of Mesa: it takes keywords, advances in steps and collects data."""

from contextlib import suppress
from functools import cache
from pathlib import Path
from statistics import fmean
from types import new_class
from typing import Any

from mesa import Agent, DataCollector

from agents.node import Node
from model.core.result import sent
from model.core.users_code import plain
from model.ground.clock import SAMPLE
from model.ground.units import NS_PER_S, exact, megabytes, round_half_up, seconds
from model.pnr import cluster
from model.pnr.comparison import DesignComparison, cluster_type, plane_of
from model.pnr.measures import protocol_messages
from model.pnr.scenario import Scenario, make_scenario


class Cluster(cluster.Cluster):
    """One design on a scenario's jobs: Cluster(design="MAN", nodes=8, jobs=3, ram=50, seed=1).

    Other keywords are parameters of `run.py compare`, with _ for -. A step is `step_s` seconds of
    simulated time; then `datacollector` collects. Read the plane "actors", where each hop of a
    message is an event of an agent. Run "compiled", which has the same results. Raises InputError
    for a value that is not possible.
    """

    def __new__(cls, *, plane: str = "auto", **kwargs: Any) -> "Cluster":
        """A model of a class that derives from this one and from that of the plane."""
        base = cluster_type(plane_of(_scenario(**kwargs), plane, every_hop=False))
        return super().__new__(cls if issubclass(cls, base) else _on_plane(cls, base))

    def __init__(
        self, *, design: str = "MAN", plane: str = "auto", step_s: float = 60, **kwargs: Any
    ) -> None:
        comparison = DesignComparison(_scenario(**kwargs).comparing(design))
        comparison.validate()
        (contestant,) = comparison.contestants.values()
        super().__init__(comparison.scenario, contestant, loaded=comparison.loaded)
        self.datacollector = DataCollector(_OF_CLUSTER, agenttype_reporters={Node: _OF_NODES})
        self._step_ns = round_half_up(exact(step_s) * NS_PER_S)
        self._end_of_step: tuple[int, ...] | None = None

    def step(self) -> None:
        """Advance by `step_s` of simulated time, or to the end of the last job."""
        if self.running:
            self._end_of_step = (self.clock.now_ns + self._step_ns, SAMPLE, -2, 0, 0)
            self.clock.schedule((*self._end_of_step, self._pause, None))
            with suppress(_StepOver):
                self.run()
                self.running = False
        self.datacollector.collect(self)

    def _pause(self, _: None) -> None:
        self._end_of_step = None
        self.clock.pass_over(0, -1)  # an event that no run without steps has
        raise _StepOver

    def job_ended(self) -> None:
        """Count one more job as done; after the last one, a step is over."""
        super().job_ended()
        if not self.unfinished and self._end_of_step is not None:
            self.clock.cancel(*self._end_of_step)

    @property
    def agents_by_type(self) -> dict[type[Agent], Any]:
        """Sets of agents by class; by a base class, such as Node, all that derive from it."""
        return _ByType(self.agents)


class _StepOver(BaseException):
    """The time of a step is over."""


class _ByType(dict[type[Agent], Any]):
    def __init__(self, agents: Any) -> None:
        super().__init__(agents.groupby(type, result_type="agentset").groups)
        self._agents = agents

    def __missing__(self, kind: type[Agent]) -> Any:
        return self._agents.select(agent_type=kind)


@cache
def _on_plane(cls: type[Cluster], base: type[cluster.Cluster]) -> type[Cluster]:
    names = {"__module__": cls.__module__, "__doc__": cls.__doc__}
    return new_class(cls.__name__, (cls, base), exec_body=lambda its: its.update(names))


def _scenario(
    *,
    scenario_file: Path | str | None = None,
    design: str = "",
    step_s: float = 0,
    rng: int | None = None,
    scenario: object = None,
    **parameters: Any,
) -> Scenario:
    """The scenario of these keywords; Mesa calls the seed `rng`, and may give one of its own."""
    if rng is not None:
        parameters["seed"] = rng
    file = None if scenario_file is None else Path(scenario_file)
    return make_scenario(file, **{name: plain(value) for name, value in parameters.items()})


def _mean_response_s(model: Cluster) -> float:
    ended = [job.end_ns - job.submit_ns for job in model.jobs if job.end_ns is not None]
    return seconds(fmean(ended)) if ended else float("nan")


_OF_CLUSTER = {
    "time_s": lambda model: seconds(model.clock.now_ns),
    "jobs_ended": lambda model: len(model.jobs) - model.unfinished,
    "mean_response_s": _mean_response_s,
    "page_faults": lambda model: sum(node.page_faults() for node in model.nodes),
    "protocol_messages": lambda model: protocol_messages(sent(model)),
    "allocated_mb": lambda model: megabytes(sum(it.memory.allocated for it in model.nodes)),
    "lent_mb": lambda model: megabytes(sum(it.memory.lent for it in model.nodes)),
}
_OF_NODES = {
    "allocated_mb": lambda node: megabytes(node.memory.allocated),
    "lent_mb": lambda node: megabytes(node.memory.lent),
    "borrowed_mb": lambda node: megabytes(node.memory.borrowed),
    "unmet_mb": lambda node: megabytes(node.memory.unmet),
}
