"""Shows one view of a journal, or of a run made for it, in files or as text; and exports it."""

import importlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.core.names import is_file_name
from model.core.output import put_in_place
from model.ground.errors import InputError
from model.pnr.scenario import Scenario
from model.systems import comparison_of
from model.views.offered import PICTURES, TEXTS
from model.views.recording import Recording, Selection, read_recordings, record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from model.core.emulation import Progress

PAGE = ".html"
DEFAULT_FORMATS = (".png", ".svg")
FORMATS = (*DEFAULT_FORMATS, ".pdf")
_ALSO = {"sequence": (".mmd",), "network": (".gif", ".mp4", ".webm")}
_OPTIONS = {  # options that only some kinds of view have
    "against": ("diff", "why", "gantt"),
    "record": ("story",),
    "at_s": ("story",),
    "node": ("story",),
    "hops": ("sequence", "mermaid"),
    "page": ("sequence", "mermaid", "knowledge", "queues"),
    "count": ("traffic",),
}


@dataclass(frozen=True)
class Source:
    """Where a journal comes from: a file, or else a run of the scenario.

    A file of several runs needs the name of a design; a run without one takes MAN.
    """

    journal: Path | None
    scenario: Scenario
    design: str | None
    level: str
    hops_of: Selection | None = None  # of a run: the only window whose pages, … are of interest
    progress: "Progress | None" = None  # hears how far a run is
    stage: Callable[[str], None] = lambda _: None  # hears what is being done, for people

    def recording(self, design: str | None = None) -> Recording:
        """The journal of this design, or of the source's own; raises InputError if it has none."""
        name = design or self.design or "MAN"
        if self.journal is None:
            return record(self.scenario, name, self.level, self.hops_of, self.progress)
        if is_file_name(name):
            (name,) = comparison_of(self.scenario.comparing(name)).contestants
        recordings = self._runs
        if not (design or self.design):
            if len(recordings) == 1:
                return recordings[0]
            if recordings and all(recording.design != name for recording in recordings):
                several = ", ".join(recording.design for recording in recordings)
                raise InputError(f"{self.journal}: has runs of {several}; name one (--design)")
        for recording in recordings:
            if recording.design.upper() == name.upper():
                return recording
        held = ", ".join(recording.design for recording in recordings) or "none"
        raise InputError(f"{self.journal}: has no run of {name}; it has {held} (--design)")

    def recordings(self, against: str | None = None) -> list[Recording]:
        """All runs of the file, or those of the source's design and of another where one is named.

        Raises InputError.
        """
        if self.journal is not None and not (self.design or against):
            return self._runs
        others = [] if against is None else [self.recording(against)]
        return [self.recording(), *others]

    @cached_property
    def _runs(self) -> list[Recording]:
        """Those of the file, which a picture of two runs reads once."""
        self.stage(f"reading {self.journal}")
        return read_recordings(self.journal)


def show(kind: str, source: Source, selection: Selection, out: Path | None, **options: Any) -> None:
    """Draw a picture into `out` (or KIND.png and KIND.svg here), or print a text.

    Some kinds have options: `against`, the other design of a diff; `record`, the id for a story, or
    `at_s` and `node`, whose record then it is;
    `hops`, a sequence with its switches, and `page`, which of its pages; `count`, traffic in
    messages. A file .html is a page to look into, with every lane whatever the kind is, of all runs
    of a journal or of the design and the one it is held `against`. Raises InputError.
    """
    if out is not None and out.suffix == PAGE:
        _show_page(source, selection, out, **options)
        return
    given = {name: value for name, value in options.items() if _is_given(value)}
    for name in given:
        if kind not in _OPTIONS[name]:
            option = name.removesuffix("_s")
            raise InputError(f"--{option}: only for --kind {' or '.join(_OPTIONS[name])}")
    if kind == "why" and selection != Selection(job=selection.job):
        others = "--from-s, --to-s, --window, --on-nodes and --message-kind"
        raise InputError(f"--kind why: shows all of a job's time; leave out {others}")
    if kind in TEXTS:
        if out is not None:
            raise InputError(f"--out {out}: {kind} is printed; leave out --out")
        print(_text(kind, source, selection, **given))
        return
    suffixes = (*FORMATS, *_ALSO.get(kind, ()), PAGE)
    files = [Path(kind + suffix) for suffix in DEFAULT_FORMATS] if out is None else [out]
    with ExitStack() as stack:
        places = [stack.enter_context(put_in_place(_checked(file, suffixes))) for file in files]
        write = _writer(kind, files[0].suffix)
        if kind == "queues" or files[0].suffix in _ALSO["network"]:
            source = replace(source, level="all", hops_of=selection)
        elif kind == "why":
            source = replace(source, level="all", hops_of=Selection(job=selection.job))
        if "against" in given:
            given["against"] = source.recording(given["against"])
        recording = source.recording()
        source.stage(f"drawing {files[0].with_suffix('')}")
        write(recording, selection, places, **given)
    for file in files:
        print(file)


def figure_of(kind: str, recording: Recording, selection: Selection, **options: Any) -> "Figure":
    """A picture of a recording as a figure of Matplotlib; raises InputError for an unknown kind."""
    if kind not in PICTURES:
        raise InputError(f"{kind} is no picture; draw one of {', '.join(PICTURES)}")
    return _module(kind).draw(recording, selection, **options)


def _is_given(value: object) -> bool:
    """Whether an option was given: 0 is a value, too."""
    return value is not None and value is not False


def _show_page(
    source: Source, selection: Selection, out: Path, against: str | None = None, **options: object
) -> None:
    for name, value in options.items():
        if _is_given(value):
            raise InputError(f"--{name}: not for a page ({out}); leave it out")
    from model.views.page.html import write

    with put_in_place(out) as place:
        recordings = source.recordings(against)
        source.stage(f"writing {out}")
        write(recordings, selection, place)
    print(out)


def export(source: Source, selection: Selection, out: Path, form: str | None = None) -> None:
    """Write the selected records for another program, in a format by name or by `out`'s ending.

    Formats of several runs hold all of a journal's, unless the source names one. Raises
    InputError.
    """
    from model.views.exports.formats import format_of

    if source.journal is not None and out.resolve() == source.journal.resolve():
        raise InputError(f"--out {out}: is the journal itself; name another file")
    chosen = format_of(out, form)
    if chosen.suffix is None:  # a folder
        recording = source.recording()
        source.stage(f"writing {out}")
        for file in chosen.write(recording, selection, out):
            print(file)
        return
    with put_in_place(out) as place:
        made = source.recordings() if chosen.several else source.recording()
        source.stage(f"writing {out}")
        chosen.write(made, selection, place)
    print(out)


def _text(
    kind: str,
    source: Source,
    selection: Selection,
    against: str | None = None,
    record: str | None = None,
    at_s: float | None = None,
    node: int | None = None,
    hops: bool = False,
    page: int = 1,
) -> str:
    if kind == "mermaid":
        recording = source.recording()
        return _module("sequence").mermaid(recording, selection, hops, page)
    if kind == "story":
        recording = source.recording()
        return _module(kind).tell(recording, selection, record, at_s, node)
    if against is None:
        raise InputError("--against: name the design to compare with")
    return _module(kind).tell(source.recording(), source.recording(against), selection)


def _writer(kind: str, suffix: str) -> Callable[..., None]:
    """A function that writes such files; raises InputError if a program for it is missing."""
    if suffix == ".mmd":
        return _write_mermaid
    if suffix in _ALSO["network"]:
        return _module("animation").writer(suffix)

    def draw(
        recording: Recording, selection: Selection, files: Sequence[Path], **given: object
    ) -> None:
        from model.views.titles import save_svg

        figure = _module(kind).draw(recording, selection, **given)
        for file in files:
            if file.suffix == ".svg":
                save_svg(figure, file)
            else:
                figure.savefig(file, dpi=200)

    return draw


def _write_mermaid(
    recording: Recording, selection: Selection, files: Sequence[Path], **given: object
) -> None:
    text = _module("sequence").mermaid(recording, selection, **given)
    for file in files:
        file.write_text(text + "\n", encoding="utf-8")


def _checked(file: Path, suffixes: tuple[str, ...]) -> Path:
    if file.suffix not in suffixes:
        *some, last = suffixes
        raise InputError(f"--out {file}: give a file that ends in {', '.join(some)} or {last}")
    return file


def _module(kind: str) -> Any:
    return importlib.import_module(f"model.views.{kind.replace('-', '_')}")
