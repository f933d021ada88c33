"""`run.py calibrate`."""

import platform
from pathlib import Path
from typing import Annotated

import typer

from model.terminal.command import Command


class Calibrate(Command):
    """Measure what messages, pages and waits of live runs take on this machine.

    Writes a scenario file, for run.py live --against. Do nothing else meanwhile.

    Example: run.py calibrate --out mine.toml
    """

    out: Annotated[Path, typer.Option()]
    """The scenario file to write."""
    pages: Annotated[int, typer.Option(min=10, max=10**6)] = 1000
    """How many pages to move, about: 1000 take ten seconds or so."""

    def run(self) -> None:
        """Measure, and write the file."""
        from model.core.files import put_in_place
        from model.live.calibration import calibrate, preset

        with put_in_place(self.out) as place:
            text = preset(calibrate(self.pages), f"{processor()}, {platform.system()}")
            place.write_text(text, encoding="utf-8")
        print(text, end="")


def processor() -> str:
    """What this machine calls its processor."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
