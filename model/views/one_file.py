"""What pages of one file have in common: only their own scripts and styles, and texts as texts."""

import base64
import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape


@cache
def templates_in(folder: Path) -> Environment:
    """The templates of a folder, which may include `head.html`; texts in a page are escaped."""
    return Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent]),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(
    template: Path, css: str, scripts: Sequence[str] = (), live: bool = False, **facts: Any
) -> str:
    """The page that a template makes of facts.

    It has this style, runs these scripts alone, and loads nothing; if it is `live`, it asks its
    server.
    """
    allowed = ["default-src 'none'", f"style-src {_hash(css)}", "base-uri 'none'"]
    allowed += ["form-action 'none'", *(["connect-src 'self'"] if live else [])]
    run = f"script-src {' '.join(map(_hash, scripts))} data:"
    policy = "; ".join([*allowed, run if scripts else "img-src data:"])
    page = templates_in(template.parent).get_template(template.name)
    return page.render(css=css, policy=policy, live=live, **facts)


def write_page(page: str, file: Path) -> None:
    """Write a page; what is no text stands in it as an escape."""
    file.write_text(page, encoding="utf-8", errors="backslashreplace", newline="\n")


def as_json(value: object) -> str:
    """JSON that can stand within a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
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
