"""Writes the interactive page: tables of the runs, scripts and drawing library, in one file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from model.ground.errors import InputError
from model.views.one_file import as_json, hash_of, import_map, rendered, write_page
from model.views.page.opening import opening
from model.views.page.packing import pack
from model.views.page.tables import RISING, Codes, tables_of
from model.views.recording import Recording, Selection

_HERE = Path(__file__).parent
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
    runs, parts = zip(*(tables_of(it, likeness) for it in recordings), strict=True)
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
        live="live" in start,
        css=css,
        library=library,
        modules=modules,
        begin=_START,
        start=as_json(start),
        runs=[as_json(run) for run in runs],
        style_hash=hash_of(css),
        script_hashes=[hash_of(script) for script in (library, modules, _START)],
    )


def _check(recordings: Sequence[Recording], selection: Selection) -> None:
    for turn, recording in enumerate(recordings):
        try:
            selection.of(recording)
            return
        except InputError:
            if turn == len(recordings) - 1:
                raise
