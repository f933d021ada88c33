"""The page of what was predicted and measured: its numbers, and a calibration that it reads."""

from dataclasses import replace

import pandas as pd
import pytest

from model.core.result import RunResult
from model.ground.errors import InputError
from model.live.calibration import Calibration, preset
from model.pnr.scenario import Scenario
from model.report.predictions import Prediction, on_machine, write_predictions


def result(mean_s, messages, **faults):
    """A run whose two jobs took a second less and a second more than the mean."""
    summary = {
        "mean_response_s": mean_s,
        "breakdown": {"waiting_s": 0.0, "computing_s": mean_s - 1, "disk_faults_s": 1.0},
        "messages": messages,
        "faults_disk": 100,
        "faults_network": 20,
    }
    if faults:
        summary["faults"] = faults
    jobs = pd.DataFrame({"job": [1, 2], "response_s": [mean_s - 1, mean_s + 1]})
    return RunResult(summary, jobs, pd.DataFrame(), {})


@pytest.fixture
def prediction():
    """Predicted are 10 s and 4 requests; measured were 11 and 13 s, and 5 and 3 of them."""
    runs = [
        result(11.0, {"RamRequest": 5, "Ack": 2}, leaked_mb=1.5),
        result(13.0, {"RamRequest": 3}, leaked_mb=0.5),
    ]
    return Prediction("MAN", result(10.0, {"RamRequest": 4, "RamGrant": 0}), runs)


def test_numbers_are_means_over_the_runs_with_their_difference(prediction):
    assert prediction.response.measured.mean == 12
    assert prediction.response.difference_pct == pytest.approx(20)
    assert [(it.what, it.predicted, it.measured.mean) for it in prediction.jobs()] == [
        ("job 1", 9, 11),
        ("job 2", 11, 13),
    ]
    assert [it.measured.mean for it in prediction.parts()] == [11, 1]  # and nothing in the queue
    assert [(it.what, it.predicted, it.measured.mean) for it in prediction.kinds()] == [
        ("RamRequest", 4, 4),
        ("Ack", 0, 1),
    ]
    assert [(it.predicted, it.measured.mean) for it in prediction.pages()] == [
        (100, 100),
        (20, 20),
        (0, 1),
    ]


def test_where_one_is_nothing_there_is_no_difference(prediction):
    nothing = prediction.emulated.summary | {"mean_response_s": None}
    stuck = Prediction("MAN", replace(prediction.emulated, summary=nothing), [])
    assert stuck.response.difference_pct is None
    assert stuck.response.shown(3) == ["–", "–", "–"]  # nor is anything known


#: A message takes 200 µs and 0.05 µs a byte; steps are 20 µs late, a page from the file 50 µs.
MEASURED = Calibration(
    {size: [200_000 + 50 * size] * 3 for size in (64, 128, 4160)}, disk=50_000, lateness=20_000
)


def test_a_calibration_is_a_scenario_that_the_page_reads(tmp_path, prediction):
    machine = tmp_path / "mine.toml"
    machine.write_text(preset(MEASURED, "a machine"))
    scenario = Scenario(seek_ms=4)
    there = on_machine(scenario, machine)
    assert there.latency_ns == 200_000 + 20_000 / 2
    assert there.bandwidth_mbps == pytest.approx(8 / 0.05)
    assert there.seek_ms == pytest.approx(4.05)
    assert there.topology == "connected"
    page = tmp_path / "predictions.html"
    write_predictions([prediction], scenario, machine, page)
    text = page.read_text()
    assert "+20.0 %" in text
    assert "4160 bytes: 0.408 ms" in text
    machine.write_text("latency_ns = 3\n")
    with pytest.raises(InputError, match="topology is missing; give a file that"):
        on_machine(scenario, machine)
