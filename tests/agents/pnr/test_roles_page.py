"""The tables of the page on what a role knows are of the code.

`python -m tests.agents.pnr.test_roles_page` writes the page's tables anew.
"""

import inspect
import re
from dataclasses import fields
from pathlib import Path

from agents.messages import kinds_in
from agents.pnr import messages
from agents.pnr.protocol import Client, Manager, Role, Server
from model.ground.memory import Memory

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


def test_the_tables_are_of_the_code():
    page = PAGE.read_text("utf-8")
    assert page == anew(page)


if __name__ == "__main__":
    PAGE.write_text(anew(PAGE.read_text("utf-8")), "utf-8")
