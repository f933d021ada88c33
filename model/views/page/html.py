"""Writes the interactive page: tables of the runs, scripts and drawing library, in one file."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import pandas as pd

from agents.messages import DATA_PHASES
from model.core.journal.kinds import DETAILS
from model.ground.errors import InputError
from model.views.one_file import as_json, import_map, rendered, write_page
from model.views.page.opening import opening
from model.views.page.packing import pack
from model.views.page.tables import RISING, Codes, tables_of
from model.views.recording import Recording, Selection

_HERE = Path(__file__).parent
MOST_RECORDS = 2_000_000  # of all runs together; of more the details are left out
_LIBRARY = "vendor/d3.min.js"
_START = 'import { open } from "page/app"; open();'


def write(
    recordings: Sequence[Recording],
    selection: Selection,
    file: Path,
    shown: Sequence[str] = (),
) -> None:
    """Write the page of these runs; it shows the first two, or the one or two runs `shown`.

    The page has the runs whole; the selection is where it starts: its window, its search for a job
    and for nodes, and the kinds of messages that are not filtered out. Raises InputError if it
    selects nothing of any run.
    """
    _check(recordings, selection)
    likeness = Codes()
    made = []
    for recording in recordings:
        fewer, left_out = _as_fits(recording, selection, MOST_RECORDS // len(recordings))
        run, part = tables_of(fewer, likeness, left_out)
        part.about["caption"] += _in_words(left_out)
        made.append((run, part))
    runs, parts = zip(*made, strict=True)
    begin = opening(runs, shown, selection.job)
    packed = [{"about": it.about, **pack(it.tables, it.texts, RISING)} for it in parts]
    from_s, to_s = selection.times_s(recordings[0])
    start = begin | {
        "from_s": from_s,
        "to_s": to_s,
        "job": selection.job,
        "nodes": list(selection.nodes),
        "messages": list(selection.messages),
    }
    page = _page(" and ".join(cast(list[str], begin["runs"])) + ": messages", start, packed)
    write_page(page, file)


def live_page() -> str:
    """The page whose server, where it comes from, has a run that goes on; see `live.js`."""
    nothing = {"job": None, "from_s": None, "to_s": None}
    none: dict[str, object] = {"nodes": [], "messages": [], "stories": {}}
    return _page("Parallel Network RAM", {"live": True, **nothing, **none}, [])


def _page(title: str, start: Mapping[str, object], runs: Sequence[object]) -> str:
    css = (_HERE / "page.css").read_text("utf-8")
    library = (_HERE / _LIBRARY).read_text("utf-8")
    modules = import_map({"page": sorted(_HERE.glob("*.js"))})
    return rendered(
        _HERE / "page.html",
        title=title,
        css=css,
        scripts=[library, modules, _START],
        live="live" in start,
        library=library,
        modules=modules,
        begin=_START,
        start=as_json(start),
        runs=[as_json(run) for run in runs],
    )


def _as_fits(
    recording: Recording, selection: Selection, most: int
) -> tuple[Recording, pd.DataFrame | None]:
    """A run of at most so many records, and its details that are left out for that.

    Details that are selected by time or job stay, as long as they are few enough.
    """
    records = recording.records
    if len(records) <= most:
        return recording, None
    is_detail = records["kind"].isin(DETAILS) | records["phase"].isin(DATA_PHASES)
    wanted = Selection(selection.job, selection.from_s, selection.to_s, window=selection.window)
    stays = ~is_detail
    with suppress(InputError):  # nothing of this run is selected
        chosen = wanted.of(recording)
        its = is_detail & records["id"].isin(chosen["id"])
        if (stays | its).sum() <= most:
            stays |= its
    return replace(recording, records=records[stays]), records[~stays]


def _in_words(left_out: pd.DataFrame | None) -> str:
    if left_out is None:
        return ""
    return (
        f" · {len(left_out):,} records of hops, pages and barriers are left out, because a browser "
        "cannot hold them: choose a part with --from-s and --to-s, or --job"
    )


def _check(recordings: Sequence[Recording], selection: Selection) -> None:
    for turn, recording in enumerate(recordings):
        try:
            selection.of(recording)
            return
        except InputError:
            if turn == len(recordings) - 1:
                raise
