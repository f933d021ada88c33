"""State graphs to walk in: a page in a file, or one whose server takes the steps."""

from pathlib import Path
from typing import TYPE_CHECKING

from model.core.files import put_in_place
from model.ground.errors import InputError
from model.ground.text import escaped
from model.pnr.explore.atlas import Atlas, atlas_of
from model.pnr.explore.search import Progress
from model.pnr.explore.setting import Setting

if TYPE_CHECKING:
    from model.views.explored.html import Ways

MOST_IN_A_FILE = 20_000  # states, which take some 2 MB
_MOST_BEFORE = 50_000  # states looked at for the page's buttons before it is served


def write_state_graph(
    setting: Setting, file: Path, states: int, depth: int | None, progress: Progress
) -> int:
    """Write the page of all states; returns the exit status: whether a rule is broken somewhere.

    Of more states than a file holds none are written, unless only the first are wanted (`states`,
    `depth`). Raises InputError.
    """
    from model.views.explored.html import write

    if file.suffix != ".html":
        raise InputError(f"--page {file}: give a file that ends in .html")
    with put_in_place(file, "--page") as unfinished:
        atlas = atlas_of(setting, min(states, MOST_IN_A_FILE), depth, progress)
        if atlas.full and states > MOST_IN_A_FILE:
            raise InputError(
                f"--page {file}: {setting.design.name} has more than {MOST_IN_A_FILE:,} states "
                f"here; walk them with run.py watch --explore {setting.declared} and the same "
                f"options, or have the first with --states {MOST_IN_A_FILE}"
            )
        write(atlas, unfinished)
    print(escaped(_told(atlas, file)))
    return 1 if atlas.broken else 0


def _told(atlas: Atlas, file: Path) -> str:
    which = "all" if atlas.whole else "the first"
    states, steps = len(atlas.states), sum(map(len, atlas.steps))
    broken = f"; a rule is broken in {len(atlas.broken):,} of them" if atlas.broken else ""
    size_mb = file.stat().st_size / 1e6
    return (
        f"{atlas.world.setting.design.name}: {which} {states:,} states, {steps:,} steps"
        f"{broken}; {file} ({size_mb:.1f} MB) shows them in a browser"
    )


def look_ahead(setting: Setting, states: int, depth: int | None, progress: Progress) -> "Ways":
    """What the first states lead to, for the page's buttons."""
    from model.views.explored.html import ways_of

    return ways_of(atlas_of(setting, min(states, _MOST_BEFORE), depth, progress))


def serve_walk(setting: Setting, ways: "Ways", host: str, port: int) -> None:
    """Serve the page in which all states can be walked, until Ctrl-C. Raises InputError."""
    from model.dashboard.server import serve_app
    from model.dashboard.walk import Walk

    serve_app(Walk(setting, ways).app(), host, port)
