"""Runs a scenario on both planes, and reports where they first differ."""

from itertools import zip_longest
from unittest.mock import patch

from model.core.journal.kinds import Queued, Record
from model.core.journal.queues import Queues
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

    The actors keep the rules of the emulation; it returns their cluster. Windows of queues begin so
    short that they double, and that what is done ahead of time meets their ends.
    """
    journals: dict[str, list[Record]] = {"actors": [], "compiled": []}
    with patch.object(Queues, "shortest_ns", 300_000):
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
    assert_all_is_counted(clusters[0], journals["actors"])
    assert totals(run(scenario, design, plane="compiled")) == actors
    return clusters[0]


def assert_all_is_counted(cluster: Cluster, journal: list[Record]) -> None:
    """What stations have served in all windows is what they have served."""
    told = {it.station: Queued.contents(it.payload) for it in journal if it.kind == Queued.name}
    for station in cluster.stations():
        served = told.pop(station.name).served if station.served else ()
        assert sum(it.services for it in served) == station.served
        assert sum(it.delay_ns for it in served) == station.wait_ns
        assert max((it.peak_ns for it in served), default=0) == station.max_wait_ns
        assert len({it.window for it in served}) <= 600
    assert not told


def report(actors: list[Record], compiled: list[Record]) -> str:
    """The first record in which the journals differ; empty if none does."""
    for place, (expected, found) in enumerate(zip_longest(actors, compiled)):
        if expected != found:
            return f"record {place} differs:\n  actors   {expected}\n  compiled {found}"
    return ""
