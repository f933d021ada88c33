"""What a policy may answer, and what a workstation refuses in one line."""

import numpy as np
import pytest

from agents.sharing.policy import Hold, Kill, Move, Policy
from model.ground.errors import InputError
from model.sharing.memory.system import SYSTEM
from model.sharing.scenarios import make_sharing_scenario
from model.systems import run

JOBS = [{"submit_s": i, "home": i % 3, "memory_mb": 30, "demand_s": 5} for i in range(6)]


@pytest.fixture
def emulate(monkeypatch):
    """Runs a policy that answers so to one of its questions."""

    def emulate(question, answer):
        policy = type("Mine", (Policy,), {question: answer})
        monkeypatch.setitem(SYSTEM.policies, "MINE", policy)
        return run(make_sharing_scenario(system="memory", nodes=3, job=JOBS), "mine", check=True)

    return emulate


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda job: Move(job, 3), "Move of job 1 to node 3: the nodes are the numbers 0 to 2"),
        (lambda job: Move(job, "1"), "Move of job 1 to node '1': the nodes are the numbers 0 to 2"),
        (lambda job: Move, "answers .*take Move, Hold, Kill"),
        (lambda job: Move(1, 1), "names the job .*: give one of"),
    ],
)
def test_an_answer_names_a_job_and_a_node_that_there_are(emulate, answer, why):
    with pytest.raises(InputError, match=rf"^MINE at node 0, 0 s: {why}"):
        emulate("arrived", lambda self, view, job: answer(job))


@pytest.mark.parametrize("kind", [int, np.int64])
def test_a_target_is_a_whole_number_of_any_kind(emulate, kind):
    cluster = emulate("arrived", lambda self, view, job: Move(job, kind((view.node + 1) % 3)))
    assert [job.remote_submissions for job in cluster.jobs] == [1] * 6


def moved_again():
    """Answers that move the first job anew at each report, wherever it is by then."""
    first = []

    def answer(self, view):
        first.extend(view.jobs[:1] if not first else ())
        return Move(first[0], (view.node + 1) % 3) if first else None

    return answer


@pytest.mark.parametrize(
    ("question", "answer", "why"),
    [
        ("ended", lambda self, view, job: Move(job, 2), "Move of job 1: the job is not on this"),
        ("ended", lambda self, view, job: Kill(job), "Kill of job 1: the job is not on this node"),
        ("ended", lambda self, view, job: Hold(job), "Hold of job 1: only a job that has just"),
        (
            "reported",
            lambda self, view: Hold(view.jobs[0]) if view.jobs else None,
            "Hold of job 1: only a job that has just arrived is held back",
        ),
        (
            "reported",
            lambda self, view: Move(view.jobs[0], view.node) if view.jobs else None,
            "Move of job 1 to node 0: the job is there",
        ),
        ("reported", moved_again(), "Move of job 1: the job is not on this node"),
    ],
)
def test_an_answer_is_about_a_job_that_is_there(emulate, question, answer, why):
    with pytest.raises(InputError, match=rf"^MINE at node \d, [\d.]+ s: {why}"):
        emulate(question, answer)
