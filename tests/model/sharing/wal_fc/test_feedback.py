"""The controller, step by step by hand; its limits, whatever it sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.sharing.wal_fc.feedback import Feedback, Knob


def feedback(history=2, weight=0.5, buffer_mb=160.0, disjoint=False):
    return Feedback(Knob(weight, 0, 1), Knob(buffer_mb, 0, 576), 0.5, 0.5, history, disjoint)


def after(*slowdowns, **start):
    controller = feedback(**start)
    for slowdown in slowdowns:
        controller.ended(slowdown)
    return controller.weight.value, controller.buffer_mb.value


def test_steps_by_hand():
    # Means of the last two: 10; 8; 7; 9; 9; 6.
    slowdowns = (10, 6, 8, 10, 8, 4)
    weights, buffers = [0.5], [160.0]
    for change, step, way in [
        (0.2, 2, +1),  # S fell from 10 to 8: on, at first up
        (1 / 8, 1, +1),
        (2 / 7, 2, -1),  # it rose: back
        (0, 0, 0),
        (1 / 3, 3, -1),  # it fell: on, as last, down
    ]:
        weights.append(weights[-1] + way * change / 2)
        buffers.append(buffers[-1] + way * step / 2)
    for ended in range(1, len(slowdowns) + 1):
        assert after(*slowdowns[:ended]) == pytest.approx((weights[ended - 1], buffers[ended - 1]))


def test_only_the_last_jobs_count():
    # One of 50 changes from 100 to 1: the mean of 50 falls by 99/50 from 100.
    controller = feedback(history=50)
    for _ in range(60):
        controller.ended(100)
    controller.ended(1)
    assert controller.buffer_mb.value == pytest.approx(160 + 99 / 50 / 2)
    assert controller.weight.value == pytest.approx(0.5 + 99 / 50 / 100 / 2)


def test_disjoint_windows_act_once_in_so_many_jobs():
    # Means of two each: 8, 9, 5, and one job that is still alone.
    slowdowns, buffers = (10, 6, 8, 10, 8, 2, 99), (160, 160, 160, 159.5, 159.5, 157.5, 157.5)
    for ended, buffer_mb in enumerate(buffers, start=1):
        weight, reached = after(*slowdowns[:ended], disjoint=True)
        assert reached == buffer_mb  # S rose by 1: down; fell by 4: on, down
    assert weight == pytest.approx(0.5 - 1 / 8 / 2 - 4 / 9 / 2)


def test_the_path_is_the_sum_of_all_turns_that_were_made():
    controller = feedback(history=1, buffer_mb=570.0)
    for slowdown in (100, 80, 60, 70, 90):  # 10 up, of which 6 are left, 0, 5 down, 5 up
        controller.ended(slowdown)
    assert controller.buffer_mb.path == 16


def test_at_a_limit_it_stays_and_comes_back():
    controller = feedback(history=1, buffer_mb=570.0)
    for slowdown, buffer_mb in [(100, 570), (80, 576), (60, 576), (70, 571), (90, 576)]:
        controller.ended(slowdown)
        assert controller.buffer_mb.value == buffer_mb


@given(st.lists(st.floats(1e-3, 1e6), max_size=200), st.integers(1, 60))
def test_both_stay_within_their_limits(slowdowns, history):
    controller = feedback(history)
    for slowdown in slowdowns:
        controller.ended(slowdown)
        assert 0 <= controller.weight.value <= 1
        assert 0 <= controller.buffer_mb.value <= 576
