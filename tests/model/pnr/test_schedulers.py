"""A scheduler of one's own is a class: this one has no time slots, and knows no matrix."""

import pytest
from hypothesis import given, settings

from model.pnr.scenario import Scenario, make_scenario
from model.pnr.scheduler import ONLY_SLOT, Scheduler
from model.pnr.schedulers import SCHEDULERS
from tests.journaled import journaled
from tests.model.pnr.compiled.equality import assert_equal
from tests.model.pnr.compiled.test_equality import FAULT, HARDWARE, JOB, st


class FirstCome(Scheduler):
    """Gives each job, first come, first served, the lowest nodes that no other has, to its end."""

    def __init__(self, model):
        super().__init__(model)
        self.taken = {}  # job by node

    def _fit(self, job):
        free = [node for node in self.up if node not in self.taken]
        return (ONLY_SLOT, free[: job.size]) if len(free) >= job.size else None

    def _hold(self, job, slot, nodes):
        self.taken |= dict.fromkeys(nodes, job)

    def _release(self, job):
        self.taken = {node: held for node, held in self.taken.items() if held is not job}

    def _settle(self):
        for job in dict.fromkeys(self.taken.values()):
            if job not in self.running:
                self.running.append(job)
                if self.journal is not None:
                    self.journal.scheduled("resumed", job.number, ONLY_SLOT)
                job.resume()


@given(
    hardware=HARDWARE,
    jobs=st.lists(JOB, min_size=1, max_size=5),
    faults=st.lists(FAULT, max_size=2),
    design=st.sampled_from(["DP", "CLI", "MAN", "MIGRATE(DP)"]),
)
@settings(max_examples=12)
def test_without_slots_it_does_what_gang_scheduling_does_with_one(hardware, jobs, faults, design):
    nodes = max(3, hardware["nodes"])
    jobs = [{**job, "processes": min(job["processes"], nodes)} for job in jobs]
    faults = None if design == "MIGRATE(DP)" else faults
    given = {
        **hardware,
        "nodes": nodes,
        "job": jobs,
        "fault": faults,
        "minimum_demand_s": 0.001,
        "stall_s": 3,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SCHEDULERS, "first-come", FirstCome)
        space = make_scenario(**{**given, "scheduler": "space"})
        own = space.model_copy(update={"scheduler": "first-come"})
        assert_equal(own, design)
        assert journal(own, design) == journal(space, design)


def journal(scenario, design):
    _, records = journaled(scenario, design)
    return records


def test_a_scenario_names_the_schedulers_that_there_are():
    told = Scenario.model_fields["scheduler"].description
    assert all(f"{name}: {kind.about}" in told for name, kind in SCHEDULERS.items())
    with pytest.raises(Exception, match="'gang', 'gang-memory' or 'space'"):
        Scenario(scheduler="first-come")
