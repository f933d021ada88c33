"""The results of runs in a folder, one file for each run; incomplete or damaged ones are noticed.

`ab/abcd….json.gz` is the result of the run with the key abcd… (64 hex digits);
`ab/abcd….error.json` why it failed. Other files are none of ours.
A result is a JSON object:

- `key`, `version` (of the model), `conditions` (the same for runs that differ in the design alone);
- `scenario`, with one design (or policy): `systems.scenario_of(result["scenario"])` makes it again;
- `summary`, as a run in summary.json (of a run that was given up: without numbers, and `stations`
  and `jobs` are empty); `stations`, the mean and maximum utilization and queueing
  delay of links, switches and disks;
- `jobs`: of those that ended, their `number`, `wait_ns` (with a policy: `demand_ns`) and
  `response_ns`, in order of arrival;
- `took_s`: the wall-clock time of everything;
- `checksum` of the rest.

Except for `took_s` and the summary's `wall_s`, nothing in it depends on where and when it was made.
Files may be copied from one folder to another. To read a folder changes nothing in it.

`carried.json` lists what was carried over from other versions of the model.
"""

import gzip
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import NoneType, UnionType
from typing import Any

from model.core.files import UNFINISHED, alone_in, gunzip, move, read_file, replacing
from model.core.measures import is_beyond
from model.ground.errors import InputError, cut, shown
from model.systems import kind_of

Result = dict[str, Any]
Note = dict[str, Any]  # on results that were carried over

_WHOLE, _ERROR = ".json.gz", ".error.json"
_KEY = re.compile("[0-9a-f]{64}")
_NOTES = "carried.json"
_STAGED, _DECIDED = ".carrying", ".carried"  # folders with results that replace others
_ORDER = "order.json"  # lists what they replace

#: What a result has to have, and of what type.
_HOLDS: dict[str, type | UnionType] = {
    **dict.fromkeys(("key", "version", "conditions"), str),
    **dict.fromkeys(("scenario", "summary", "stations", "jobs"), dict),
    "took_s": int | float,
}


class Damaged(Exception):
    """A result file is not what was written; the message names it and the difference."""


class Store:
    """Reads and writes the results in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the exclusive right to write here, as `alone_in` does; raises InputError."""
        with alone_in(self.folder):
            for left in self.folder.glob(f"??/{UNFINISHED}*"):  # by a writer that was killed
                shutil.rmtree(left, ignore_errors=True)
            shutil.rmtree(self.folder / _STAGED, ignore_errors=True)
            self._complete()
            yield

    def put(self, result: Result) -> None:
        """Store a result in one step, and delete an earlier failure; raises OSError."""
        text = _canonical({**result, "checksum": _checksum(result)})
        self._write(result["key"], _WHOLE, gzip.compress(text, compresslevel=6, mtime=0))
        self._file(result["key"], _ERROR).unlink(missing_ok=True)

    def put_error(self, key: str, error: Mapping[str, object]) -> None:
        """Record why a run failed; raises OSError."""
        self._write(key, _ERROR, json.dumps(error, indent=2).encode())

    def replace(self, keys: list[str], results: Iterable[Result], notes: list[Note]) -> None:
        """Replace the results with these keys by other results, and add notes; raises OSError.

        All are replaced or none, however this process ends: they are staged in a separate folder,
        and renaming it decides. Whoever writes here next completes what is then left to do.
        """
        staged = self.folder / _STAGED
        try:
            beside = Store(staged)
            staged.mkdir()
            for result in results:
                beside.put(result)
            order = {"replaced": keys, "notes": [*self.notes(), *notes]}
            with replacing(staged / _ORDER) as place:
                place.write_text(json.dumps(order))
            staged.rename(self.folder / _DECIDED)
        except BaseException:
            shutil.rmtree(staged, ignore_errors=True)
            raise
        self._complete()

    def _complete(self) -> None:
        """Complete a replacement that has been decided, if any; raises InputError if that fails."""
        order = self._order()
        if order is None:
            return
        try:
            self._put_in_place(order)
        except OSError as error:
            raise InputError(
                f"{self.folder}: results that were carried over cannot be put in place: {error}"
            ) from None

    def _order(self) -> dict[str, Any] | None:
        """What has been decided but is not done yet; raises InputError if it is no order of ours.

        It has the keys that are `replaced`, and the `notes` on that.
        """
        file = self.folder / _DECIDED / _ORDER
        try:
            if file.parent.is_symlink():
                raise ValueError("a link leads there")
            order = json.loads(read_file(file))
            replaced: object = order["replaced"]
            are_keys = isinstance(replaced, list) and all(map(_is_key, replaced))
            if not are_keys or not _are_notes(order["notes"]):
                raise ValueError("it is no order of ours")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise InputError(f"{file}: {cut(str(error))}; delete {file.parent}") from None
        found: dict[str, Any] = order
        return found

    def _put_in_place(self, order: Mapping[str, Any]) -> None:
        decided = self.folder / _DECIDED
        new = Store(decided)._keys(_WHOLE)
        for key in new:
            place = self._file(key, _WHOLE)
            place.parent.mkdir(exist_ok=True)
            move(Store(decided)._file(key, _WHOLE), place)
        for key in order["replaced"]:
            if key not in new:
                self._file(key, _WHOLE).unlink(missing_ok=True)
        with replacing(self.folder / _NOTES) as place:
            place.write_text(json.dumps(order["notes"], indent=2))
        shutil.rmtree(self.folder / _STAGED, ignore_errors=True)
        decided.rename(self.folder / _STAGED)  # so that it is never there without its order
        shutil.rmtree(self.folder / _STAGED, ignore_errors=True)

    def notes(self) -> list[Note]:
        """Notes on what was carried over, oldest first; raises InputError if unreadable."""
        if (order := self._order()) is not None:
            decided: list[Note] = order["notes"]
            return decided
        file = self.folder / _NOTES
        try:
            notes: list[Note] = json.loads(read_file(file))
            if not _are_notes(notes):
                raise ValueError("it is no list of notes")
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{file}: {error}; delete it") from None
        return notes

    def get(self, key: str) -> Result | None:
        """The result, or None if there is none; raises Damaged if the file is damaged."""
        if not _is_key(key):
            return None
        file = self._file(key, _WHOLE)
        try:
            raw = read_file(file)
        except (FileNotFoundError, NotADirectoryError):
            if self._order() is None:
                return None
            return Store(self.folder / _DECIDED).get(key)  # it is not in its place yet
        except OSError as error:
            raise Damaged(f"{file}: {error.strerror}") from None
        try:
            result = json.loads(gunzip(raw))
            if not isinstance(result, dict):
                raise ValueError("it is not a result")
            checksum = result.pop("checksum")
            if checksum != _checksum(result):
                raise ValueError("its checksum is wrong")
            if result["key"] != key:
                raise ValueError("it is another run's result")
            _check(result)
        except (ValueError, LookupError, RecursionError) as error:
            raise Damaged(f"{file}: damaged ({error})") from None
        return result

    def of(self, key: str) -> Result:
        """The result; raises Damaged if there is none, too."""
        if (result := self.get(key)) is None:
            raise Damaged(f"{self.folder}: has no run {key}")
        return result

    def all_keys(self) -> list[str]:
        """The keys of all results, damaged or not, of any version of the model."""
        keys = self._keys(_WHOLE)
        if (order := self._order()) is None:
            return keys
        new = Store(self.folder / _DECIDED)._keys(_WHOLE)
        replaced = frozenset(order["replaced"])
        return sorted({*new, *(key for key in keys if key not in replaced)})

    def errors(self) -> dict[str, dict[str, Any]]:
        """Why runs without a result failed, by key; {} for a file that cannot be read."""
        found = {}
        for key in self._keys(_ERROR):
            try:
                error = json.loads(read_file(self._file(key, _ERROR)))
            except (OSError, ValueError, RecursionError):
                error = {}
            found[key] = error if isinstance(error, dict) else {}
        return found

    def _keys(self, suffix: str) -> list[str]:
        """The keys of the files of a kind that are in their places, in order: no stray copies."""
        files = self.folder.glob(f"??/*{suffix}")
        keys = ((file.name.removesuffix(suffix), file.parent.name) for file in files)
        return sorted(key for key, folder in keys if _is_key(key) and folder == key[:2])

    def _file(self, key: str, suffix: str) -> Path:
        if not _is_key(key):
            raise ValueError(f"{shown(key)} is no key of a result")
        return self.folder / key[:2] / (key + suffix)

    def _write(self, key: str, suffix: str, content: bytes) -> None:
        file = self._file(key, suffix)
        file.parent.mkdir(exist_ok=True)
        with replacing(file) as place:
            place.write_bytes(content)


def _check(result: Result) -> None:
    """Raise ValueError if it does not hold what readers of results rely on."""
    for name, kind in _HOLDS.items():
        if not _is(result.get(name), kind):
            raise ValueError(f"it has no {name}")
    scenario, summary = result["scenario"], result["summary"]
    try:
        system = kind_of(scenario)
        system.as_run(scenario)
    except (LookupError, TypeError, ValueError):
        raise ValueError("its scenario is none") from None
    mean = NoneType if is_beyond(summary) else int | float
    for name, kind in {system.noun: str, "jobs": int, "mean_response_s": mean}.items():
        if not _is(summary.get(name), kind):
            raise ValueError(f"its summary has no {name}")
    columns = result["jobs"].values()
    if not all(isinstance(column, list) for column in columns) or len({*map(len, columns)}) > 1:
        raise ValueError("its jobs are no table")


def _is_key(value: object) -> bool:
    return isinstance(value, str) and _KEY.fullmatch(value) is not None


def _are_notes(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(note, dict) for note in value)


def _is(value: object, kind: type | UnionType) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _checksum(result: Result) -> str:
    return sha256(_canonical(result)).hexdigest()
