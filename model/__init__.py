"""The emulation and everything done with it. The rooms, from the ground up:

- `ground/`: formulas and ledgers, which import nothing of ours;
- `core/`: what every emulation has: a run, a network, a journal, checks, comparison;
- `pnr/`: parallel network RAM; `live/`: its nodes as processes that talk over TCP;
- `sharing/`: load sharing; `systems.py` knows both worlds by name;
- `sweeps/`: many runs, each done once and stored;
- `views/`, `report/`: pictures and pages of what happened;
- `papers/`: what the thesis and the four papers found, and what was measured here; our studies;
- `judge/`: designs of one's own judged against others;
- `dashboard/`, `terminal/`: what a person sees while it runs;
- `interactive.py`: what a person calls in Python, `from model import compare, …`;
- `data/`: the bundled trace.

A room imports those before it, never those after it (`tests/test_rooms.py`).
"""

from importlib import import_module

_PLACES = {
    **dict.fromkeys(("compare", "explore", "read", "record"), "model.interactive"),
    "Cluster": "model.pnr.steps",
    "Node": "agents.node",
    **dict.fromkeys(("Monitor", "eventually", "leads_to", "until"), "model.core.journal.monitors"),
    "Range": "model.ground.ranges",
}
__all__ = [*_PLACES, "judge"]  # a room that can be called


def __getattr__(name: str) -> object:
    """What is offered is imported when it is used: `interactive.py` imports all rooms."""
    if name == "judge":
        return import_module("model.judge")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
