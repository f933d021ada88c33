import signal

import pytest

from model.pnr.explore.world import World


@pytest.fixture
def ctrl_c_at(monkeypatch):
    """Lets Ctrl-C come when a search looks at a state, counted from now on."""

    def ctrl_c_at(number, steps=World.steps):
        looked_at = []

        def steps_until_then(world, state):
            looked_at.append(state)
            if len(looked_at) == number:
                signal.raise_signal(signal.SIGINT)
            return steps(world, state)

        monkeypatch.setattr(World, "steps", steps_until_then)

    return ctrl_c_at
