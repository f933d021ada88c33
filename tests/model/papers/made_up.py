"""Results that were never run, whose means are known."""

from math import nan

import pandas as pd

from model.papers.cases import base_case
from model.papers.study import study_of

#: What measures of studies are computed from.
_OF_OTHERS = (
    *("need_mb", "need_unmet_mb", "mean_wait_s", "mean_response_s", "breakdown.migration_s"),
    *("shares.paging_s", "shares.migration_s", "faults", "killed", "jobs", "migrations"),
    *("remote_submissions", "final_buffer_mb"),
)


def rows(name, *runs, **others):
    """Rows of a paper's results: of each run its case, design, seed and value of its measure."""
    measure = study_of(name).states.measure
    return [
        {
            **{**dict.fromkeys(_OF_OTHERS, nan), **base_case(name), **case.parameters},
            **{"design": design, "seed": seed},
            **{"key": f"{case} {design} {seed}", "version": "v", "conditions": f"{case} {seed}"},
            **{**others, measure: value},
        }
        for case, design, seed, value in runs
    ]


def measured(name, *runs, **others):
    """The same as measurements."""
    return measured_of(name, rows(name, *runs, **others))


def measured_of(name, rows):
    """Measurements of such rows."""
    return study_of(name).measured(pd.DataFrame(rows))
