"""Shows one view of a journal, or of a run made for it: to picture files, or as text."""

import importlib
from pathlib import Path

from model.scenario import InputError, Scenario
from model.views.recording import Recording, Selection, read_recordings, record

PICTURES = ("sequence", "space-time", "traffic", "network", "memory", "gantt")
TEXTS = ("story", "diff")
FORMATS = (".png", ".svg")


def show(
    kind: str,
    journal: Path | None,
    scenario: Scenario,
    design: str | None,
    selection: Selection,
    *,
    against: str | None = None,
    number: int | None = None,
    level: str = "protocol",
    out: Path | None = None,
) -> None:
    """Draw a picture into `out` (or KIND.png and KIND.svg here), or print a text.

    Without a journal file the scenario is run with `design`; a journal of several runs needs one
    named. `against` is the other design of a diff, `number` the record of a story. Raises
    InputError.
    """
    module = importlib.import_module(f"model.views.{kind.replace('-', '_')}")
    chosen = _recording(journal, scenario, design or "MAN", design is None, level)
    if kind == "diff":
        if against is None:
            raise InputError("--against: name the design to compare with")
        other = _recording(journal, scenario, against, False, level)
        print(module.tell(chosen, other, selection))
    elif kind == "story":
        print(module.tell(chosen, selection, number))
    else:
        files = [Path(kind + suffix) for suffix in FORMATS] if out is None else [out]
        for file in files:
            if file.suffix not in FORMATS:
                raise InputError(f"--out {file}: give a file that ends in {' or '.join(FORMATS)}")
        figure = module.draw(chosen, selection)
        for file in files:
            try:
                figure.savefig(file, dpi=200)
            except OSError as error:
                reason = error.strerror or error
                raise InputError(f"--out {file}: {reason}; give a file to write") from None
            print(file)


def _recording(
    journal: Path | None, scenario: Scenario, design: str, by_default: bool, level: str
) -> Recording:
    if journal is None:
        return record(scenario, design, level)
    recordings = read_recordings(journal)
    if by_default and len(recordings) == 1:
        return recordings[0]
    for recording in recordings:
        if recording.design.upper() == design.upper():
            return recording
    held = ", ".join(recording.design for recording in recordings) or "none"
    raise InputError(f"{journal}: has no run of {design}; it has {held} (--design)")
