"""Writes a comparison's results into a folder, complete or marked as partial."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from model.core.files import writing

if TYPE_CHECKING:
    import pandas as pd

    from model.core.result import RunResult

_FOLDER = "a folder that can be written"


def prepare_folder(folder: Path) -> None:
    """Make the folder; raises InputError if nothing can be written there."""
    with writing("--out", folder, _FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass


@contextmanager
def put_in_place(file: Path, option: str = "--out") -> Iterator[Path]:
    """A path in a folder beside `file`, which is renamed to `file` at the end of the block.

    It has the same name. What is written beside it, as images of a .pgf are, goes along. After an
    error nothing is left. Raises InputError, which names the option that gave `file`, if nothing
    can be written there: at once, as far as that is known.
    """
    with writing(option, file):
        if file.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".unfinished-") as folder:
            unfinished = Path(folder, file.name)
            yield unfinished
            for written in sorted(Path(folder).iterdir(), key=unfinished.__eq__):  # it comes last
                written.replace(file.parent / written.name)


def write_results(
    folder: Path,
    scenario: BaseModel,
    results: "Sequence[RunResult]",
    complete: bool,
    draw: "Callable[[Sequence[RunResult], Path], list[Path]]",
) -> None:
    """Write summary.json, jobs.csv, stations.csv and the figures.

    All files are written elsewhere first and then renamed, summary.json last: where it stands, the
    others are whole. If runs are missing (`complete` is False), the names begin with "partial-".
    `draw` draws the figures into a folder and returns their files.
    """
    prefix = "" if complete else "partial-"
    with (
        writing("--out", folder, _FOLDER),
        tempfile.TemporaryDirectory(dir=folder, prefix=".unfinished-") as name,
    ):
        unfinished = Path(name)
        _table([result.jobs for result in results], unfinished / "jobs.csv")
        _table([result.stations for result in results], unfinished / "stations.csv")
        files = [unfinished / "jobs.csv", unfinished / "stations.csv"]
        files += draw(results, unfinished)
        summary = {
            "scenario": scenario.model_dump(mode="json"),
            "complete": complete,
            "runs": [result.summary for result in results],
        }
        (unfinished / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
        (folder / f"{prefix}summary.json").unlink(missing_ok=True)
        for file in [*files, unfinished / "summary.json"]:
            file.replace(folder / (prefix + file.name))


def _table(tables: "list[pd.DataFrame]", file: Path) -> None:
    import pandas as pd  # slow to import, and not needed by whoever writes another file

    pd.concat(tables).to_csv(file, index=False)
