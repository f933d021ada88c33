"""Writes a comparison's results into a folder, complete or marked as partial."""

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pydantic import BaseModel

from model.core.files import Output, writing

if TYPE_CHECKING:
    import pandas as pd

    from model.core.result import RunResult

_FOLDER = "a folder that can be written"
_PARTIAL = "partial-"
_SUMMARY, _JOBS, _STATIONS, _PAGES = "summary.json", "jobs.csv", "stations.csv", "pages.csv"


def places(folder: Path) -> list[Path]:
    """The files of results in this folder, whole or partial; figures are not among them."""
    names = (_SUMMARY, _JOBS, _STATIONS, _PAGES)
    return [folder / f"{prefix}{name}" for name in names for prefix in ("", _PARTIAL)]


def check_places(folder: Path) -> None:
    """Raise InputError if one of the files of results could not be written into this folder."""
    with writing("--out", folder, _FOLDER):
        for place in places(folder):
            Output(place).discard()


def write_results(
    folder: Path,
    scenario: BaseModel,
    results: "Sequence[RunResult]",
    complete: bool,
    draw: "Callable[[Sequence[RunResult], Path], list[Path]]",
) -> None:
    """Write summary.json, jobs.csv, stations.csv, pages.csv (if counted) and the figures.

    All files are written elsewhere first and then put in place, summary.json last: where it stands,
    the others are whole. If runs are missing (`complete` is False), the names begin with
    "partial-". `draw` draws the figures into a folder and returns their files.
    """
    outputs: list[Output] = []

    def place(name: str) -> Path:
        outputs.append(Output(folder / name if complete else folder / f"{_PARTIAL}{name}"))
        stack.callback(outputs[-1].discard)
        return outputs[-1].unfinished

    with writing("--out", folder, _FOLDER), ExitStack() as stack:
        drawn = Path(stack.enter_context(TemporaryDirectory()))
        _table([result.jobs for result in results], place(_JOBS))
        _table([result.stations for result in results], place(_STATIONS))
        if any(len(result.pages) for result in results):
            _table([result.pages for result in results], place(_PAGES))
        for figure in draw(results, drawn):
            shutil.copyfile(figure, place(figure.name))
        summary = {
            "scenario": scenario.model_dump(mode="json"),
            "complete": complete,
            "runs": [result.summary for result in results],
        }
        place(_SUMMARY).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
        outputs[-1].take_away_old()
        for output in outputs:
            output.put_in_place()


def _table(tables: "list[pd.DataFrame]", file: Path) -> None:
    import pandas as pd  # slow to import, and not needed by whoever writes another file

    pd.concat(tables).to_csv(file, index=False)
