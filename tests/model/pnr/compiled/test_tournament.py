"""The tournament over the seats' pending events: whose is next, whatever has changed."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.pnr.compiled.records import NEVER, QUEUE, SEAT
from model.pnr.compiled.transport import earliest, refresh

SEATS = 6
KEYS = ("time", "cls", "receiver", "sender", "number")
# Times that often meet, and keys of which no two are alike, as of events.
times = st.sampled_from([3, 4, NEVER])
changes = st.lists(
    st.tuples(st.integers(0, SEATS - 1), times, *[st.integers(0, 1)] * 3), min_size=1, max_size=30
)


@given(changes)
def test_the_next_event_is_the_one_with_the_least_key(changes):
    seats = np.zeros(SEATS, SEAT).view(np.recarray)
    seats["time"] = NEVER
    queue = np.zeros(2 * SEATS, QUEUE).view(np.recarray)
    queue["time"] = NEVER
    queue["winner"][SEATS:] = np.arange(SEATS)
    world = SimpleNamespace(seats=seats, queue=queue)
    for count, (seat, *key) in enumerate(changes):
        for name, value in zip(KEYS, (*key, count), strict=True):
            seats[name][seat] = value
        refresh(seat, world)
        keys = {seat: tuple(int(seats[name][seat]) for name in KEYS) for seat in range(SEATS)}
        pending = [key for key in keys.values() if key[0] != NEVER]
        if pending:
            assert keys[earliest(world)] == min(pending)
        assert queue["time"][1] == min(key[0] for key in keys.values())
