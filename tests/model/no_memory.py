"""Jobs that hold no memory, which a scenario's file refuses to say."""

from model.pnr.scenario import Scenario


def without_memory(scenario: Scenario, number: int) -> Scenario:
    """The same scenario, where this job holds 0 bytes."""
    jobs = [*scenario.job]
    jobs[number - 1] = jobs[number - 1].model_copy(update={"memory_mb": 0.0})
    return scenario.model_copy(update={"job": jobs})
