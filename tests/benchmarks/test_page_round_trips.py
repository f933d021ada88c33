from shutil import which

import pytest

from tests.benchmarks.page_round_trips import APART, COMPILER, emulated, in_c, in_mesa, in_simpy

DEMAND_S = 1


@pytest.fixture(scope="module")
def in_simpys():
    return in_simpy(DEMAND_S)[0]


def test_a_plain_star_has_the_round_trips_and_the_waits_of_the_model(in_simpys):
    model, _ = emulated("compiled", DEMAND_S)
    assert in_simpys.round_trips == model.round_trips > 10_000
    assert in_simpys.waited_ns == pytest.approx(model.waited_ns, rel=APART)


def test_on_mesas_event_list_each_page_arrives_at_the_same_nanosecond(in_simpys):
    assert in_mesa(DEMAND_S)[0] == in_simpys


@pytest.mark.skipif(not which(COMPILER), reason="no C compiler")
def test_in_c_each_page_arrives_at_the_same_nanosecond(in_simpys):
    assert in_c(DEMAND_S)[0] == in_simpys
