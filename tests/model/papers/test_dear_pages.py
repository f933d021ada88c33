"""The study of dear pages: its closed form, against the emulation."""

import pytest

from model.papers.dear_pages.kinds import computed_share
from model.pnr.comparison import DesignComparison
from model.pnr.metrics import measure
from model.pnr.scenario import make_scenario


@pytest.mark.parametrize(
    ("seek_ms", "quantum_s"), [(2, 30), (9, 30), (9, 60), (15, 60), (9, 120), (15, 120)]
)
def test_two_processes_in_turn_compute_what_reloading_leaves_of_a_quantum(seek_ms, quantum_s):
    """Each of 24 MB on a node of 32: 16 MB, 4,096 pages, are out of RAM whenever one begins."""
    jobs = [{"processes": 1, "memory_mb": 24, "demand_s": 500}] * 2
    disk = {"seek_ms": seek_ms, "rotation": False}  # a page takes 0.078 ms more to transfer
    scenario = make_scenario(job=jobs, designs="DP", nodes=1, quantum_s=quantum_s, **disk)
    first = measure(DesignComparison(scenario).run("DP", plane="compiled")).jobs.iloc[0]
    share = first.computing_s / (first.computing_s + first.disk_faults_s)
    assert share == pytest.approx(computed_share(4096, seek_ms + 0.078125, quantum_s), rel=0.03)


@pytest.mark.parametrize("page_ms", [2.0, 13.2, 30.0])
def test_the_share_of_a_quantum_hangs_on_the_cost_of_a_page_in_quanta(page_ms):
    """Nearly: what a quantum is in walks through pages counts, too, but little."""
    shares = [computed_share(3000, page_ms * times, 60 * times) for times in (0.5, 1, 2)]
    assert max(shares) - min(shares) < 0.08


def test_without_pages_to_load_all_of_a_quantum_is_computed():
    assert computed_share(1e-9, 13.2, 60) == pytest.approx(1)
