"""The version of code: a hash of what decides results, and the commit where it stands.

Results and compiled code are valid for the code that made them. Every change of a file counts, also
that of a comment.
"""

import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from model.ground.errors import InputError

ROOT = Path(__file__).parents[2]
_OURS = ("agents", "model", "topologies")
_CODE = (".py", ".csv")  # tables of numbers count as code does; presets count by what they set
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))", re.MULTILINE
)


@cache
def version_of_rooms(*rooms: str) -> str:
    """The version of all code in these folders, with the names of its files: 16 hex digits."""
    files = (file for room in rooms for file in sorted((ROOT / room).rglob("*")))
    return _hash(
        part
        for file in files
        if file.suffix in _CODE
        for part in (file.relative_to(ROOT).as_posix().encode(), file.read_bytes())
    )


def version_of_file(file: Path) -> str:
    """The version of a file and of all that it imports from beside it, wherever they stand.

    Of a file of ours, what it imports of ours counts, too; of a user's it does not, since a run's
    version covers it. Raises InputError for a file that cannot be read.
    """
    file = file.resolve()
    is_ours = file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in _OURS
    places = (ROOT,) if is_ours else (file.parent, ROOT)
    found: dict[Path, bytes] = {}
    waiting = [file]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        try:
            found[one] = one.read_bytes()
        except OSError as error:
            raise InputError(f"{one}: {error.strerror}; give a readable Python file") from None
        for name in dict.fromkeys(_imported(found[one].decode(errors="replace"))):
            parts = name.lstrip(".").split(".")
            dots = len(name) - len(name.lstrip("."))
            if is_ours or parts[0] not in _OURS:
                for place in (one.parents[dots - 1],) if dots else places:
                    waiting += _modules(place, parts)
    return _hash(sorted(found.values()))


def _imported(code: str) -> Iterator[str]:
    """What code imports, each name with its module, as `module.name` or `.module.name`."""
    for source, names, modules in _IMPORT.findall(code):
        within = f"{source}." if source.strip(".") else source
        for name in re.sub(r"[()]|#.*", "", names or modules).split(","):
            if words := name.split():
                yield within + words[0]


def _modules(place: Path, parts: Sequence[str]) -> Iterator[Path]:
    """The files that an import runs: those of packages, and of a module in the last."""
    for part in parts:
        place = place / part
        for file in (place / "__init__.py", place.with_name(f"{part}.py")):
            if file.is_file():
                yield file
        if not place.is_dir():
            return


def _hash(parts: Iterable[bytes]) -> str:
    digests = [sha256(part).digest() for part in parts]
    return sha256(b"".join(digests)).hexdigest()[:16]


@cache
def code_version() -> str:
    """The project's version and, in a git clone, the commit, with -dirty if files have changed."""
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    git = ["git", "--no-optional-locks", f"--git-dir={ROOT / '.git'}", f"--work-tree={ROOT}"]
    try:
        commit, changes = (
            subprocess.run([*git, *words], capture_output=True, text=True, check=True).stdout
            for words in (
                ("rev-parse", "--short=12", "HEAD"),
                ("status", "--porcelain", "--untracked-files=no"),  # `describe` writes the index
            )
        )
    except (OSError, subprocess.CalledProcessError):
        return version
    return f"{version}, commit {commit.strip()}{'-dirty' if changes else ''}"
