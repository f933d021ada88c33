"""Where a job's time went, which the record of its end says at every level of the journal."""

from collections import defaultdict

import pytest

from model.core.journal import words
from model.core.journal.kinds import Ended
from model.ground.units import NS_PER_S
from model.pnr.metrics import BREAKDOWN, measure
from model.pnr.scenario import make_scenario
from model.sharing.metrics import measure as measure_sharing
from model.sharing.scenarios import make_sharing_scenario
from model.systems import comparison_of
from tests.journaled import journaled
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL
from tests.model.pnr.test_migration import TWO_JOBS

CRASH = {"kind": "node", "nodes": [1], "from_s": 0.15, "restart_s": 0.1}
#: A process arrives on its new node while its job runs again.
MOVES = {**TWO_JOBS, "quantum_s": 1}
SCENARIOS = {
    "two slots": ("MAN", {}),
    "paging": ("DP", {"scheduler": "space"}),
    "moves": ("MIGRATE(DP)", MOVES),
    "crash": ("MAN", {"fault": [CRASH], "grant_timeout_s": 1}),
    "memory that changes": ("CLI", {"memory_profile": "ramp"}),
}


def ends(records):
    return {r.job: (r, Ended.contents(r.payload)) for r in records if r.kind == "ended"}


def waited_for(records):
    """By job, and by node, how long other processes waited for the last one at each barrier.

    From the records of barriers and ends of processes, in the time in which the job ran.
    """
    ran_ns, since_ns = defaultdict(int), {}
    reached = defaultdict(lambda: defaultdict(list))  # by job and rank: when, in running time
    node_of, nodes = {}, defaultdict(lambda: defaultdict(int))
    for record in records:
        job, now_ns = record.job, record.time_ns
        match record.kind:
            case "resumed":
                since_ns[job] = now_ns
            case "suspended":
                ran_ns[job] += now_ns - since_ns.pop(job)
            case "killed":
                ran_ns[job] = 0
                since_ns.pop(job, None)
                reached[job].clear()
            case "barrier" | "finished":
                ran = ran_ns[job] + now_ns - since_ns[job]
                reached[job][record.rank].append(ran)
                node_of[job, record.rank] = record.node
            case "ended":
                for times in zip(
                    *(reached[job][rank] for rank in sorted(reached[job])), strict=True
                ):
                    last = max(times)
                    node = node_of[job, times.index(last)]
                    nodes[job][node] += sum(last - time for time in times)
    return nodes


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize("level", ["protocol", "all"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_parts_add_up_and_are_those_of_the_table_of_jobs(name, level, plane):
    design, parameters = SCENARIOS[name]
    scenario = make_scenario(**{"job": SCARCE, **SMALL, **parameters})
    cluster, records = journaled(scenario, design, journal_level=level, plane=plane)
    jobs = measure(cluster).jobs.set_index("job")
    found = ends(records)
    assert sorted(found) == sorted(jobs.index)
    for job, (_, says) in found.items():
        row, spent_ns, processes = jobs.loc[job], says.spent_ns, says.processes
        response_ns = round(row.response_s * NS_PER_S)
        assert spent_ns.keys() <= words.SPENT.keys()
        assert sum(spent_ns.values()) == processes * response_ns
        assert processes == row.processes
        assert min(spent_ns.values()) > 0
        for part in ("waiting", "lost", *(name.removesuffix("_s") for name in BREAKDOWN)):
            column = "wait_s" if part == "waiting" else f"{part}_s"
            expected_s = row.get(column, 0)
            assert spent_ns.get(part, 0) / processes / NS_PER_S == pytest.approx(expected_s)
    whole = [set(says.spent_ns) for _, says in found.values()]
    shows = {"moves": "moving", "crash": "lost", "paging": "disk_faults"}.get(name, "switched_out")
    assert any(shows in parts for parts in whole)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_node_behind_which_all_waited_longest_is_the_one_of_the_last_at_barriers(name):
    design, parameters = SCENARIOS[name]
    scenario = make_scenario(**{"job": SCARCE, **SMALL, **parameters})
    _, records = journaled(scenario, design, plane="actors")
    waited = waited_for(records)
    behind = 0
    for job, (_, says) in ends(records).items():
        longest_ns = max(waited[job].values())
        if not longest_ns:
            assert says.behind.node is None
            continue
        assert says.behind.waited_ns == longest_ns == waited[job][says.behind.node]
        assert longest_ns <= says.spent_ns["barriers"]
        behind += 1
    assert behind > 1


@pytest.mark.parametrize("system", ["memory", "unknown"])
def test_so_it_is_for_load_sharing(system):
    # Each node reports to each other one every second, so eight have far fewer messages than 32.
    scenario = make_sharing_scenario(system=system, jobs=40, nodes=8)
    name = scenario.compared[-1]
    found = {}

    def read(record):
        if record.kind in ("ended", "killed"):
            found[record.job] = Ended.contents(record.payload).spent_ns

    cluster = comparison_of(scenario).run(name, readers=(read,))
    jobs = measure_sharing(cluster).jobs.set_index("job")
    assert sorted(found) == sorted(jobs.index)
    for job, spent_ns in found.items():
        row = jobs.loc[job]
        assert spent_ns.keys() <= words.SPENT.keys()
        assert sum(spent_ns.values()) == round(row.response_s * NS_PER_S)
        for part in ("cpu", "queueing", "paging", "io", "migration"):
            assert spent_ns.get(part, 0) / NS_PER_S == pytest.approx(row[f"{part}_s"])
