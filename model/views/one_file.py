"""What pages of one file have in common: only their own scripts and styles, and texts as texts."""

import base64
import json
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def rendered(template: Path, **facts: object) -> str:
    """The page that a template, a file, makes of facts; texts among them are escaped."""
    loader = FileSystemLoader(template.parent)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template(template.name).render(**facts)


def write_page(page: str, file: Path) -> None:
    """Write a page; what is no text stands in it as an escape."""
    file.write_text(page, encoding="utf-8", errors="backslashreplace", newline="\n")


def as_json(value: object) -> str:
    """JSON that can stand within a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def hash_of(text: str) -> str:
    """By which a Content-Security-Policy knows the content of a script or style element."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def import_map(rooms: dict[str, list[Path]]) -> str:
    """Scripts by the names under which they import each other, "room/stem", as data URIs."""
    return as_json(
        {
            "imports": {
                f"{room}/{file.stem}": "data:text/javascript;base64,"
                + base64.b64encode(file.read_bytes()).decode("ascii")
                for room, files in rooms.items()
                for file in files
            }
        }
    )
