"""The page's tables: marks by the paper's own numbers, and what is not run is said so."""

import pytest

from model.papers.memory.figures import rates
from model.papers.memory.tables import TABLE_3, mark, tables
from tests.model.papers import made_up

#: How many times the best are below others at 4 MB (section 5.1), and so what NO_LS is of each.
BELOW = {"CPU_RE": 3.5, "CPU_PM": 3.2, "MEM_PM": 2.0, "CPU_MEM_HT_PM": 1.7, "CPU_MEM_HP_PM": 1.7}


@pytest.mark.parametrize("policy", TABLE_3)
def test_the_paper_s_factors_give_its_marks_of_memory_bound_jobs(policy):
    assert mark(BELOW.get(policy, 1), no_ls=5.1, best=1) == TABLE_3[policy][1]


def test_where_no_policy_helps_none_has_a_plus():
    assert mark(20, no_ls=20, best=20) == "-"


def measured(seeds=(1, 2)):
    """NO_LS at 20, all others at 4 but CPU_RE as NO_LS; with 4 MB at the highest rate."""
    case = rates(4)[-1]
    runs = [
        (case, policy, seed, (20 if policy in ("NO_LS", "CPU_RE") else 4) + seed / 10)
        for policy in ("NO_LS", *TABLE_3)
        for seed in seeds
    ]
    return made_up.measured("memory", *runs, faults_per_mi=2.5)


def test_table_3_shows_marks_and_ratios_of_what_was_run():
    page = tables(measured())
    assert "| CPU_RE | + | | not run | - | = | 1.00 (1.00 to 1.00) |" in page
    assert "| MEM_RE | - | | not run | ++ | ++ | 4.86 " in page  # sqrt(20.1/4.1 * 20.2/4.2) = 4.86


def test_the_queueing_model_s_three_answers_stand_side_by_side():
    assert "| CPU | 5.00 | 2.50 | 1.62 | 2.50 |" in tables(measured())
