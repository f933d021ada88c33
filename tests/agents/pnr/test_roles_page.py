"""The page on what a role knows is of the code, and its patterns do what it says.

`python -m tests.agents.pnr.test_roles_page` writes the page's tables anew.
"""

import inspect
import re
from dataclasses import fields
from pathlib import Path

from agents.messages import kinds_in
from agents.pnr import messages
from agents.pnr.messages import LoadBroadcast, Request, ServerRelease, ServerRequest
from agents.pnr.protocol import Client, Manager, Protocol, Role, Server
from agents.pnr.testing import Bench
from model.ground.memory import Memory
from topologies.managers.man import man

PAGE = Path(__file__).parents[3] / "agents/pnr/README.md"


def first_sentence(thing):
    paragraph = " ".join(inspect.getdoc(thing).partition("\n\n")[0].split())
    return paragraph.replace("|", "\\|")


def members(kind):
    for name, member in vars(kind).items():
        if name.startswith("_") or not inspect.getdoc(member):
            continue
        if isinstance(member, property):
            yield name, member
        elif inspect.isfunction(member):
            names = [*inspect.signature(member).parameters][1:]
            yield f"{name}({', '.join(names)})", member


def table_of(kind):
    lines = [f"| `{name}` | {first_sentence(member)} |" for name, member in members(kind)]
    return ["| | |", "|---|---|", *lines]


def table_of_messages():
    lines = ["| | fields | |", "|---|---|---|"]
    for kind in kinds_in(messages):
        if kind.phase in ("page", "barrier"):
            continue
        names = ", ".join(f"`{field.name}`" for field in fields(kind))
        lines.append(f"| `{kind.__name__}` | {names} | {first_sentence(kind)} |")
    return lines


TABLES = {kind.__name__: table_of(kind) for kind in (Role, Client, Server, Manager, Memory)}
TABLES["messages"] = table_of_messages()


def anew(page):
    for name, lines in TABLES.items():
        inside = f"<!-- {name} -->\n" + "\n".join(lines) + "\n<!-- end -->"
        pattern = rf"<!-- {name} -->\n.*?<!-- end -->"
        page, count = re.subn(pattern, lambda _, text=inside: text, page, flags=re.DOTALL)
        assert count == 1
    return page


def pattern(name):
    """The class of this name, out of the page."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (block,) = [block for block in blocks if f"class {name}(" in block]
    space = {"__name__": f"page_{name}"}
    exec(block, space)
    return space


def bench(**roles):
    graph = man(4)
    graph.graph["protocol"] = Protocol(**roles)
    return Bench(graph, ram=10)


def test_the_tables_are_of_the_code():
    page = PAGE.read_text("utf-8")
    assert page == anew(page)


def test_effects_are_filtered():
    made = bench(manager=pattern("Filtering")["Filtering"])
    made.place(1, {0: 14}, manager=0)
    told = []
    while made.messages:
        message = made.take()
        if isinstance(message.content, LoadBroadcast):
            told.append(message.target)
        made.arrive(message)
    assert told == [2]


def test_a_message_is_postponed():
    made = bench(server=pattern("OneAtATime")["OneAtATime"])
    server = made.role(1, "server")
    first, second = Request(0, "manager", 0, 1), Request(2, "manager", 0, 1)
    assert len(server.receive(0, ServerRequest(1, 3, first), 1)) == 1
    assert server.receive(2, ServerRequest(2, 4, second), 2) == []
    acknowledged, granted = server.receive(0, ServerRelease(1, 3, ((first, 3),)), 3)
    assert (acknowledged.target, granted.target, granted.content.granted) == (0, 2, 4)


def test_a_timer_of_an_epoch_that_is_over_does_nothing():
    manager = bench(manager=pattern("Watching")["Watching"]).role(0, "manager")
    assert [timer.name for timer in manager.begins() + manager.begins()] == ["watch 1", "watch 2"]
    assert manager.timer("watch 1", 5) == []
    assert [timer.name for timer in manager.timer("watch 2", 6)] == ["watch 3"]


def test_an_answer_that_comes_twice_counts_once():
    space = pattern("Asking")
    made = bench(manager=space["Asking"])
    asking, answering = made.role(0, "manager"), made.role(1, "manager")
    (question,) = asking.ask(1)
    (reply,) = answering.receive(0, question.content, 1)
    answering.memory.allocate(7, 5)
    assert answering.receive(0, question.content, 2) == [reply]
    for now_ns in (3, 4):
        asking.receive(1, reply.content, now_ns)
    assert (asking.found, asking.metrics.ignored) == ([10], 1)


if __name__ == "__main__":
    PAGE.write_text(anew(PAGE.read_text("utf-8")), "utf-8")
