"""What managers believed, against the tables of the running managers, and by hand."""

import pytest

from model.core.journal.file import rows
from model.ground.errors import InputError
from model.pnr.cluster import Cluster
from model.pnr.waste import Waste
from model.views.knowledge import draw, glimpses
from model.views.recording import Selection, record, recording_of
from tests.model.views.test_memory import JOBS, scenario_of

MB = 2**20


def title_of(figure):
    """In one line."""
    return figure.get_suptitle().replace("\n", " ")


def test_a_decision_by_hand():
    # both processes lack 8 MB of 40; manager 0 has heard of both, and asks one that is idle: it
    # believes what is true, 32 MB; 16 of them are lent before it answers
    made = record(scenario_of(JOBS[:1], nodes=4), "MAN", "protocol")
    seen = [it for _, it in glimpses(made)]
    (decision,) = [it for it in seen if it.chosen is not None]
    server = decision.chosen
    assert (decision.manager, decision.job) == (0, 1)
    assert server in (2, 3)
    assert decision.believed.tolist() == [-8 * MB, -8 * MB, 32 * MB, 32 * MB]
    assert decision.errors.tolist() == [0, 0, 0, 0]
    assert decision.ages_ns[server] == decision.time_ns  # never heard: as old as the run
    answer = seen[seen.index(decision) + 1]
    assert answer.believed[server] == answer.true[server] == 16 * MB


@pytest.mark.parametrize("design", ["CLI", "CEN", "MAN", "BB2"])
def test_they_are_the_tables_of_the_managers_and_the_loads_of_the_nodes(design):
    records, tables = [], []
    cluster = Cluster(scenario_of(), design, readers=(records.append,))
    cluster.running = True
    while cluster.running:
        before = len(records)
        cluster.step()
        tables += [
            (
                it.node,
                dict(cluster.servents[it.node].host.roles["manager"].table),
                [node.memory.load for node in cluster.nodes],
            )
            for it in records[before:]
            if it.kind == "decided" and it.peer is not None
        ]
    made = recording_of(scenario_of(), design, records, ())
    decisions = [it for _, it in glimpses(made) if it.chosen is not None]
    assert len(decisions) == len(tables) > 0
    for (node, table, loads), seen in zip(tables, decisions, strict=True):
        assert seen.manager == node
        assert seen.true.tolist() == loads
        for about in set(range(5)) - {node}:
            load, stated_ns = table.get(about, (32 * MB, 0))
            assert (seen.believed[about], seen.stated_ns[about]) == (load, stated_ns)


def test_the_picture_says_what_the_records_say():
    made = record(scenario_of(), "CLI", "protocol")
    waste = Waste((32 * MB,) * 5, made.constants.threshold)
    for row in rows(made.records):
        waste.read(row)
    measures = waste.measures(int(made.records["time_ns"].max()))
    count = int(made.records.loc[made.records["kind"] == "decided", "peer"].notna().sum())
    figure = draw(made, Selection())
    title = title_of(figure)
    assert title.startswith(f"CLI: {count} decisions ")
    assert count == measures["servers_chosen"]
    unheard = measures["servers_chosen_unheard"]
    age_ms = 1000 * measures["word_age_s"]["mean"]
    assert f"{count - unheard} used a load report, {age_ms:.4g} ms old on average" in title
    for whose in ("word", "prior"):
        error = f"error {measures[f'{whose}_error_mb']['mean']:,.4g} MB on average"
        assert f"{error}, bias {measures[f'{whose}_bias_mb']:+,.4g} MB" in title
    assert f"{unheard} without a report assumed the node idle: " in title
    below = figure.axes[[axes.get_xlabel() != "" for axes in figure.axes].index(True)]
    marks = sum(len(it.get_offsets()) for it in below.collections if len(it.get_offsets()))
    assert marks >= 2 * count  # what was believed, and what was true


def test_managers_beyond_a_page_are_on_the_next():
    jobs = [{"processes": 5, "memory_mb": 34 + 2 * it, "demand_s": 0.1} for it in range(2)]
    made = record(scenario_of(jobs, nodes=10), "CLI", "protocol")
    deciders = made.records.loc[made.records["kind"] == "decided", "node"].nunique()
    assert deciders > 3
    assert f"managers 1 to 3 of {deciders} (page 1" in title_of(draw(made, Selection()))
    last = -(-deciders // 3)
    assert f"page {last} of {last}" in title_of(draw(made, Selection(), page=last))
    with pytest.raises(InputError, match=f"--page: there are pages 1 to {last}"):
        draw(made, Selection(), page=last + 1)


def test_what_nobody_decides_is_refused():
    made = record(scenario_of(), "DP", "protocol")
    with pytest.raises(InputError, match="no manager decides"):
        draw(made, Selection())
