"""`run.py new`."""

import builtins
import importlib.util
import os
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Literal

import typer

from model.core.files import put_in_place
from model.core.names import known
from model.ground.errors import InputError
from model.terminal.command import Command

_PROTOCOL = Path(__file__).with_name("protocol.txt").read_text("utf-8")


class New(Command):
    """Write a first file of your own: a protocol that runs, can be explored, and has a test.

    Example: run.py new protocol auction
    """

    what: Annotated[Literal["protocol"], typer.Argument()]
    """What to write."""
    name: Annotated[str, typer.Argument()]
    """Name of the file and of its function."""

    def run(self) -> None:
        name, file = self.name.lower(), Path(f"{self.name.lower()}.py")
        if not name.isidentifier() or iskeyword(name):
            raise InputError(f"new: {self.name} is no name of a function; take letters and _")
        if os.path.lexists(file):
            raise InputError(f"new: {file} is there already; take another name")
        if _means_something(name):
            raise InputError(f"new: {name} is the name of something else already; take another")
        with put_in_place(file, "new") as unfinished:
            text = _PROTOCOL.replace("NAME", name).replace("CAPITALS", name.upper())
            unfinished.write_text(text, encoding="utf-8")
        print(
            f"{file} is written. uv run pytest {file}\n"
            f"uv run run.py compare --designs DP,MAN,{file}:{name}\n"
            f'uv run run.py compare --designs "{file}:{name}(every_s=5)"\n'
            f"uv run run.py explore {file}:{name} --states 10000"
        )


def _means_something(name: str) -> bool:
    """Whether the file, or whoever runs it, would find something else by the name, or the other
    way round."""
    return (
        hasattr(builtins, name)
        or name in compile(_PROTOCOL, "new", "exec").co_names
        or name.rstrip("0123456789") in known("managers")
        or importlib.util.find_spec(name) is not None
    )
