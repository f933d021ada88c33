"""Runs a scenario on both planes, and reports where they first differ."""

from itertools import zip_longest

from model.core.journal.kinds import Record
from model.pnr.cluster import Cluster
from model.pnr.comparison import cluster_type
from model.pnr.metrics import measure
from model.pnr.scenario import Scenario
from model.systems import run


def totals(cluster: Cluster) -> dict:
    """All that a run measured, but for how long it took.

    Of a run that has stalled, neither the count of events: the compiled plane counts the hops of a
    protocol message when it arrives, the actors one by one, so they differ by those of messages
    that are under way at the end.
    """
    result = measure(cluster)
    left_out = ("wall_s", "events") if cluster.stuck else ("wall_s",)
    summary = {name: value for name, value in result.summary.items() if name not in left_out}
    tables = {"jobs": result.jobs, "stations": result.stations, "samples": result.samples}
    return summary | {name: table.to_dict("list") for name, table in tables.items()}


def assert_equal(scenario: Scenario, design: str, level: str = "all") -> Cluster:
    """Both planes write the same journal and measure the same, with the journal and without.

    The actors keep the rules of the emulation; it returns their cluster.
    """
    journals: dict[str, list[Record]] = {"actors": [], "compiled": []}
    clusters = [
        run(
            scenario,
            design,
            readers=(journal.append,),
            journal_level=level,
            plane=plane,
            check=plane == "actors",
        )
        for plane, journal in journals.items()
    ]
    assert type(clusters[0]) is Cluster
    assert type(clusters[1]) is cluster_type("compiled")
    where = report(*journals.values())
    assert not where, f"{design} on {scenario.model_dump(exclude_defaults=True)}\n{where}"
    actors = totals(clusters[0])
    assert totals(clusters[1]) == actors
    assert totals(run(scenario, design, plane="compiled")) == actors
    return clusters[0]


def report(actors: list[Record], compiled: list[Record]) -> str:
    """The first record in which the journals differ; empty if none does."""
    for place, (expected, found) in enumerate(zip_longest(actors, compiled)):
        if expected != found:
            return f"record {place} differs:\n  actors   {expected}\n  compiled {found}"
    return ""
