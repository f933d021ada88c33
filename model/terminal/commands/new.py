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

PROTOCOL = '''\
"""{capitals}: managers tell one other of what they have learned, drawn anew each time."""

from agents.messages import Content
from agents.pnr.protocol import Manager, Protocol, Send, SetTimer, message
from agents.pnr.testing import Bench
from topologies.managers.man import man


@message(phase="telling", hears="manager", size_bytes=64)
class Hint(Content):
    """Manager -> another: the load of my node, bytes."""

    load: int


class Hinting(Manager):
    """Tells another manager its load, from time to time."""

    shows = ("hints",)  # what people see where they look at a node

    def __init__(self, site):
        super().__init__(site)
        self.hints = {{}}  # node -> the load that it has hinted
        self.drawn = self.stream("whom to tell")

    def start(self, now_ns):
        return [SetTimer("hint", self.period_ns)] if self.nodes > 1 else []

    def timer(self, name, now_ns):
        place = int(next(self.drawn) * (self.nodes - 1))
        target = place + (place >= self.node)  # never itself
        self.count("hints sent")
        return [Send(target, Hint(self.memory.load)), SetTimer("hint", self.period_ns)]

    def receive(self, sender, content, now_ns):
        if not isinstance(content, Hint):
            return super().receive(sender, content, now_ns)
        self.hints[sender] = content.load
        return []

    @property
    def period_ns(self):
        return round(self.parameters["every_s"] * 10**9)


def {name}(nodes: int, every_s: float = 60):
    """Every node manages, as in MAN, and hints its load every `every_s` seconds."""
    graph = man(nodes)
    graph.graph |= {{
        "name": "{capitals}",
        "protocol": Protocol(manager=Hinting),
        "every_s": every_s,
    }}
    return graph


def nobody_hints_more_than_all_ram(before, step, after):
    """A property: run.py explore checks it after each step."""
    for node in after.nodes:
        if not node.is_down and any(
            load > node.memory.ram for load in node.roles["manager"].hints.values()
        ):
            return f"node {{node.node}} believes in more RAM than there is"
    return None


def test_a_hint_arrives():
    bench = Bench({name}(3), ram=10)
    bench.place(1, {{0: 4}})
    bench.settle()
    bench.fire(0, "hint")
    hint = bench.take("Hint", sender=0)
    assert hint.content == Hint(6)
    bench.arrive(hint)
    assert bench.role(hint.target, "manager").hints == {{0: 6}}
'''


class New(Command):
    """Write a file to begin with: a protocol that runs, explores and has its first test.

    Example: run.py new protocol auction
    """

    what: Annotated[Literal["protocol"], typer.Argument()]
    """What to begin."""
    name: Annotated[str, typer.Argument()]
    """Its name, which is that of the file and of its function."""

    def run(self) -> None:
        name, file = self.name.lower(), Path(f"{self.name.lower()}.py")
        if not name.isidentifier() or iskeyword(name):
            raise InputError(f"new: {self.name} is no name of a function; take letters and _")
        if os.path.lexists(file):
            raise InputError(f"new: {file} is there already; take another name")
        if _means_something(name):
            raise InputError(f"new: {name} is the name of something else already; take another")
        with put_in_place(file, "new") as unfinished:
            text = PROTOCOL.format(name=name, capitals=name.upper())
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
        or name in compile(PROTOCOL.format(name="_", capitals="_"), "new", "exec").co_names
        or name.rstrip("0123456789") in known("managers")
        or importlib.util.find_spec(name) is not None
    )
