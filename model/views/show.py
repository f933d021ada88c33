"""Shows one view of a journal, or of a run made for it, in files or as text; and exports it."""

import importlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

from model.core.files import put_in_place
from model.core.names import is_file_name
from model.ground.errors import InputError, shown
from model.ground.text import escaped, in_a_row
from model.pnr.scenario import Scenario
from model.systems import name_in_results
from model.views.offered import GALLERY, PICTURES, TEXTS
from model.views.recording import Recording, Selection, read_recordings, record
from model.views.style import CM_PER_IN

if TYPE_CHECKING:
    from model.core.emulation import Progress
    from model.views.picture import Picture

PAGE = ".html"
DEFAULT_FORMATS = (".png", ".svg")
FORMATS = (*DEFAULT_FORMATS, ".pdf", ".pgf")
#: What Matplotlib expects in the preamble of a paper that includes a .pgf.
_MATH = r"\providecommand{\mathdefault}[1]{#1}" "\n"
_FILMS = (".gif", ".mp4", ".webm")
_ALSO = {"sequence": (".mmd",), "network": _FILMS}
_OPTIONS = {  # options that only some kinds of view have
    "against": ("diff", "why", "gantt"),
    "record": ("story",),
    "at_s": ("story", "state"),
    "node": ("story", "state"),
    "hops": ("sequence", "mermaid"),
    "page": ("sequence", "mermaid", "knowledge", "queues"),
    "count": ("traffic",),
}
Paths = Sequence[Path]
_EVERY_HOP = ("why", GALLERY)  # kinds that need what the protocol level leaves out


@dataclass(frozen=True)
class Look:
    """How pictures are written: how wide, and whether their grey captions are left out."""

    width_cm: float | None = None
    plain: bool = False

    def __post_init__(self) -> None:
        if self.width_cm is not None and not 4 <= self.width_cm <= 100:
            raise InputError(f"--width-cm: give 4 to 100 (not {self.width_cm:g})")

    def put_on(self, figure: "Picture") -> "Picture":
        """Give a picture this look."""
        if self.plain or self.width_cm is not None:
            width_in = figure.get_figwidth()
            figure.fit(width_in if self.width_cm is None else self.width_cm / CM_PER_IN, self.plain)
        return figure


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
    stop: bool = False  # whether a run may end with that window
    progress: "Progress | None" = None  # hears how far a run is
    stage: Callable[[str], None] = lambda _: None  # hears what is being done, for people
    #: Around what may be slow.
    reading: Callable[[str], AbstractContextManager[object]] = nullcontext

    def recording(self, design: str | None = None) -> Recording:
        """The journal of this design, or of the source's own; raises InputError if it has none."""
        name = design or self.design or "MAN"
        if self.journal is None:
            of_run = (self.scenario, name, self.level, self.hops_of, self.progress, self.stop)
            return record(*of_run)
        recordings, name = self._runs, escaped(name)
        if len(recordings) == 1 and not (design or self.design):
            return recordings[0]
        for recording in recordings:
            if recording.design == name:
                return recording
        from model.core.topology import are_alike  # takes a while to import

        if is_file_name(name):
            name = name_in_results(self.scenario, name)
        for recording in recordings:
            if are_alike(recording.design, name):
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
        assert self.journal is not None
        with self.reading(f"reading {self.journal}"):
            return read_recordings(self.journal)


def show(
    kind: str,
    source: Source,
    selection: Selection,
    out: Path | None,
    look: Look = Look(),
    **options: Any,
) -> None:
    """Draw a picture into `out` (or KIND.png and KIND.svg here), or print a text.

    Some kinds have options: `against`, the other design of a diff; `record`, the id for a story, or
    `at_s` and `node`, whose record then it is, or whose state;
    `hops`, a sequence with its switches, and `page`, which of its pages; `count`, traffic in
    messages. A file .html is a page to look into, with every lane whatever the kind is, of all runs
    of a journal or of the design and the one it is held `against`; or, of the kind `all`, every
    picture. A run for a picture of a window ends with that. Raises InputError.
    """
    given = {name: value for name, value in options.items() if _is_given(value)}
    _check_look(kind, out, look)
    if kind != GALLERY and out is not None and out.suffix == PAGE:
        _show_page(source, selection, out, **given)
        return
    _check_options(kind, selection, given)
    source = _as_needed(kind, out, source, selection, given)
    if kind in TEXTS and out is not None:
        raise InputError(f"--out {out}: {kind} is printed; leave out --out")
    suffixes = (PAGE,) if kind == GALLERY else (*FORMATS, *_ALSO.get(kind, ()), PAGE)
    defaults = ("gallery.html",) if kind == GALLERY else [kind + it for it in DEFAULT_FORMATS]
    files = [] if kind in TEXTS else [Path(name) for name in defaults] if out is None else [out]
    with ExitStack() as stack:
        places = [stack.enter_context(put_in_place(_checked(file, suffixes))) for file in files]
        write = None if kind in TEXTS else _writer(kind, files[0].suffix, look)
        if "against" in given:
            given["against"] = source.recording(given["against"])
        recording = source.recording()
        if write is None:
            tell = _module("sequence").mermaid if kind == "mermaid" else _module(kind).tell
            print(tell(recording, selection, **given))
            return
        source.stage(f"drawing {files[0].with_suffix('')}")
        write(recording, selection, places, **given)
    for file in files:
        print(escaped(str(file)))


def _check_look(kind: str, out: Path | None, look: Look) -> None:
    """Raise InputError for a look of what is no picture: a film, a page or a text."""
    is_drawn = kind in PICTURES and (out is None or out.suffix in FORMATS)
    if look != Look() and not is_drawn and kind != GALLERY:
        option = "plain" if look.plain else "width-cm"
        raise InputError(
            f"--{option}: only for pictures ({in_a_row(FORMATS)}) and --kind {GALLERY}"
        )


def _check_options(kind: str, selection: Selection, given: dict[str, Any]) -> None:
    """Raise InputError for what the kind does not have."""
    for name in given:
        if kind not in _OPTIONS[name]:
            option = name.removesuffix("_s")
            raise InputError(f"--{option}: only for --kind {' or '.join(_OPTIONS[name])}")
    if kind == "state" and selection != Selection():
        raise InputError("--kind state: shows all of a node; leave out what selects records")
    if kind == "queues" and (selection.job is not None or selection.nodes or selection.messages):
        others = "--job, --on-nodes and --message-kind"
        raise InputError(f"--kind queues: shows what all messages wait; leave out {others}")
    if kind == "why" and selection != Selection(job=selection.job):
        others = "--from-s, --to-s, --window, --on-nodes and --message-kind"
        raise InputError(f"--kind why: shows all of a job's time; leave out {others}")


def _as_needed(
    kind: str, out: Path | None, source: Source, selection: Selection, given: dict[str, Any]
) -> Source:
    """The source with the level that a view needs; a run ends with the window of a picture."""
    if kind == "state":
        return replace(source, hops_of=Selection(to_s=given.get("at_s")), stop=True)
    film = out is not None and out.suffix in _FILMS
    level = "all" if "hops" in given or film or kind in _EVERY_HOP else source.level
    wanted = Selection(job=selection.job) if kind == "why" else selection
    stop = selection.to_s is not None and kind in (*PICTURES, GALLERY) and kind != "queues"
    kept = wanted if stop or level != source.level else source.hops_of
    return replace(source, level=level, hops_of=kept, stop=stop)


def figure_of(kind: str, recording: Recording, selection: Selection, **options: Any) -> "Picture":
    """A picture of a recording as a figure of Matplotlib.

    Raises InputError for an unknown kind, or an option that the kind does not have.
    """
    given = {name: value for name, value in options.items() if _is_given(value)}
    if kind not in PICTURES:
        raise InputError(f"{kind} is no picture; draw one of {', '.join(PICTURES)}")
    _check_options(kind, selection, given)
    picture: Picture = _module(kind).draw(recording, selection, **given)
    return picture


def _is_given(value: object) -> bool:
    """Whether an option was given: 0 is a value, too."""
    return value is not None and value is not False


def _show_page(
    source: Source, selection: Selection, out: Path, against: str | None = None, **given: object
) -> None:
    for name in given:
        option = name.removesuffix("_s")
        raise InputError(f"--{option}: not for a page ({out}); leave it out")
    from model.views.page.html import write

    with put_in_place(out) as place:
        recordings = source.recordings(against)
        source.stage(f"writing {out}")
        write(recordings, selection, place)
    print(escaped(str(out)))


def export(source: Source, selection: Selection, out: Path, form: str | None = None) -> None:
    """Write the selected records for another program, in a format by name or by `out`'s ending.

    Formats of several runs hold all of a journal's, unless the source names one. Raises
    InputError.
    """
    from model.views.exports.formats import format_of

    chosen = format_of(out, form)
    if chosen.suffix is None:  # a folder
        recording = source.recording()
        source.stage(f"writing {out}")
        for file in chosen.write(recording, selection, out):
            print(escaped(str(file)))
        return
    with put_in_place(out) as place:
        made = source.recordings() if chosen.several else source.recording()
        source.stage(f"writing {out}")
        chosen.write(made, selection, place)
    print(escaped(str(out)))


def _writer(kind: str, suffix: str, look: Look) -> Callable[..., None]:
    """A function that writes such files; raises InputError if a program for it is missing."""
    if suffix == ".mmd":
        return _write_mermaid
    if suffix in _FILMS:
        film: Callable[..., None] = _module("animation").writer(suffix)
        return film
    if suffix == ".pgf" and which("xelatex") is None:
        raise InputError("--out: a .pgf needs XeLaTeX, which measures its letters; or give a .pdf")

    def draw(recording: Recording, selection: Selection, files: Paths, **given: object) -> None:
        figure = look.put_on(figure_of(kind, recording, selection, **given))
        if suffix == ".pgf":
            _check_tex(figure)
        for file in files:
            # a PNG packed as fast as can be: a tenth larger
            packing: dict[str, Any] = {"pil_kwargs": {"compress_level": 1}}
            figure.savefig(file, dpi=200, **(packing if file.suffix == ".png" else {}))
            if file.suffix == ".pgf":
                file.write_text(_MATH + file.read_text("utf-8"), encoding="utf-8")
            figure.set_layout_engine("none")  # it is as it is in all files

    def draw_all(recording: Recording, selection: Selection, files: Paths) -> None:
        from model.views import gallery

        def drawn(kind: str) -> "Picture":
            wanted = Selection(job=selection.job) if kind == "why" else selection
            return look.put_on(figure_of(kind, recording, wanted))

        for file in files:
            gallery.write(recording, selection, drawn, file)

    return draw_all if kind == GALLERY else draw


def _check_tex(figure: "Picture") -> None:
    """Raise InputError for a name that holds a command, which TeX would carry out."""
    from matplotlib.text import Text  # slow to import

    for artist in figure.findobj(Text):
        if isinstance(artist, Text) and "\\" in artist.get_text():
            name = shown(artist.get_text())
            raise InputError(
                f"--out: a .pgf is TeX, which would carry out what stands in {name}; give a .pdf"
            )


def _write_mermaid(
    recording: Recording, selection: Selection, files: Paths, **given: object
) -> None:
    text = _module("sequence").mermaid(recording, selection, **given)
    for file in files:
        file.write_text(text + "\n", encoding="utf-8")


def _checked(file: Path, suffixes: tuple[str, ...]) -> Path:
    if file.suffix not in suffixes:
        raise InputError(f"--out {file}: give a file that ends in {in_a_row(suffixes, 'or')}")
    return file


def _module(kind: str) -> Any:
    return importlib.import_module(f"model.views.{kind.replace('-', '_')}")
