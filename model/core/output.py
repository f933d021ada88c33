"""Writes a comparison's results into a folder, complete or marked as partial."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel

from model.core.result import RunResult
from model.ground.errors import InputError


def prepare_folder(folder: Path) -> None:
    """Make the folder; raises InputError if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"--out {folder}: {error.strerror}; give a folder that can be written"
        ) from None


@contextmanager
def put_in_place(file: Path) -> Iterator[Path]:
    """A path next to `file` to write to, which is renamed to `file` unless an error occurs.

    Raises InputError, at once if possible, if nothing can be written there.
    """
    try:
        if file.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".unfinished-") as folder:
            unfinished = Path(folder, file.name)
            yield unfinished
            unfinished.replace(file)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"--out {file}: {reason}; give a file that can be written") from None


def write_results(
    folder: Path,
    scenario: BaseModel,
    results: Sequence[RunResult],
    complete: bool,
    draw: Callable[[list[Any], Path], list[Path]],
) -> None:
    """Write summary.json, jobs.csv, stations.csv and the figures.

    All files are written elsewhere first and then renamed, summary.json last: where it stands, the
    others are whole. If runs are missing (`complete` is False), the names begin with "partial-".
    `draw` draws the figures into a folder and returns their files.
    """
    prefix = "" if complete else "partial-"
    with tempfile.TemporaryDirectory(dir=folder, prefix=".unfinished-") as name:
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


def _table(tables: list[pd.DataFrame], file: Path) -> None:
    pd.concat(tables).to_csv(file, index=False)
