"""What pages of one file have in common: only their own scripts and styles, and texts as texts."""

import base64
import json
from hashlib import sha256
from pathlib import Path


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
