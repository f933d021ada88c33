"""What is built in a thread can be stopped."""

import threading
import time

import pytest

from model.dashboard.building import Builder
from model.ground.errors import InputError


def test_what_is_built_comes_back():
    assert Builder().build(lambda: 5) == 5


def test_what_takes_for_ever_can_be_stopped():
    builder, begun = Builder(), threading.Event()

    def for_ever():
        begun.set()
        while True:
            time.sleep(0.001)

    def stop():
        begun.wait()
        builder.stop()

    threading.Thread(target=stop).start()
    with pytest.raises(InputError, match="stopped while it was built"):
        builder.build(for_ever)
    assert builder.build(lambda: 5) == 5


def test_where_nothing_is_built_nothing_is_stopped():
    builder = Builder()
    builder.stop()
    assert builder.build(lambda: 5) == 5
