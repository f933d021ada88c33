"""What a line of a registry of measures says, and what follows from it."""

from math import nan

import pandas as pd
import pytest

from model.core.measures import ABSENT, Measure, mean_of, measured, of_topic, spread, where

JOBS = pd.DataFrame({"job": [1, 2], "wait_s": [1.0, 4.0]})
MEASURES = (
    Measure("count", "Things", form="{:,}", of=len, topic="short", column="things"),
    Measure("mean_wait_s", "Mean wait", "ms", "{:.1f}", topic="short", scale=1e3,
            over_jobs=mean_of("wait_s")),
    Measure("parts.lost_s", "Lost", "s", topic="short", over_jobs=mean_of("lost_s")),
    *where(lambda things: len(things) > 3, Measure("many.of", "Many", of=max, topic="short")),
    *spread(Measure("age_s", "Age", "s", of=lambda _: {"mean": 2, "p95": 3}, topic="short")),
    Measure("twice", "Twice", derived=lambda summary: 2 * summary["count"], topic="short"),
)  # fmt: skip


def test_a_summary_has_what_is_measured_in_its_groups_and_nothing_else():
    summary = measured(MEASURES, [7, 8], JOBS)
    assert summary == {"count": 2, "mean_wait_s": 2.5, "parts": {}, "age_s": {"mean": 2, "p95": 3}}
    assert measured(MEASURES, [1, 2, 3, 9], JOBS)["many"] == {"of": 9}
    assert measured(MEASURES, [], JOBS[:0])["mean_wait_s"] is None
    assert mean_of("lost_s")(JOBS) is ABSENT


def test_a_topic_shows_what_any_run_has_scaled_and_in_its_form():
    summary = measured(MEASURES, [7, 8], JOBS)
    shown = {
        measure.title: measure.text(summary) for measure in of_topic(MEASURES, "short", [summary])
    }
    assert shown == {
        "Things": "2",
        "Mean wait (ms)": "2500.0",
        "Age, mean (s)": "2.00",
        "Age, 95th percentile (s)": "3.00",
        "Twice": "4.00",
    }


@pytest.mark.parametrize("row", [{"many.of": 4}, {"many": {"of": 4}}])
def test_rows_of_results_are_read_like_summaries(row):
    (many,) = (measure for measure in MEASURES if measure.name == "many.of")
    assert many.text(row) == "4.00"
    assert many.text({"many.of": nan}) == many.text({}) == "-"
