"""The results of runs in a folder, one file for each run; incomplete or damaged ones are noticed.

`ab/abcd….json.gz` is the result of the run with the key abcd…; `ab/abcd….error.json` why it failed.
A result is a JSON object:

- `key`, `version` (of the model), `conditions` (the same for runs that differ in the design alone);
- `scenario`, with one design (or policy): `systems.scenario_of(result["scenario"])` makes it again;
- `summary`, as a run in summary.json; `stations`, the mean and maximum utilization and queueing
  delay of links, switches and disks;
- `jobs`: of those that ended, their `number`, `wait_ns` (with a policy: `demand_ns`) and
  `response_ns`, in order of arrival;
- `took_s`: the wall-clock time of everything;
- `checksum` of the rest.

Except for `took_s` and the summary's `wall_s`, nothing in it depends on where and when it was made.
Files may be copied from one folder to another.

`carried.json` lists what was carried over from other versions of the model (`carrying.py`).
"""

import fcntl
import gzip
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import UnionType
from typing import Any

from model.core.files import gunzip, read_file
from model.core.output import prepare_folder
from model.ground.errors import InputError
from model.systems import kind_of

Result = dict[str, Any]
Note = dict[str, Any]  # on results that were carried over

_WHOLE, _ERROR, _PART = ".json.gz", ".error.json", ".part"
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
        if (folder / _DECIDED).is_dir():
            self._complete()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the exclusive right to write here, which ends with the process, however it ends.

        Raises InputError if nothing can be written, or if another process holds the right.
        """
        prepare_folder(self.folder)
        with open(self.folder / ".lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    f"--out {self.folder}: another sweep writes there; give another folder"
                ) from None
            except OSError as error:
                raise InputError(
                    f"--out {self.folder}: {error.strerror}; give a folder that can be locked"
                ) from None
            for part in self.folder.glob(f"??/*{_PART}"):  # of a writer that was killed
                part.unlink()
            shutil.rmtree(self.folder / _STAGED, ignore_errors=True)
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
            with open(staged / _ORDER, "w") as stream:
                json.dump(order, stream)
                stream.flush()
                os.fsync(stream.fileno())
            staged.rename(self.folder / _DECIDED)
        except BaseException:
            shutil.rmtree(staged, ignore_errors=True)
            raise
        self._complete()

    def _complete(self) -> None:
        """Complete a replacement that has been decided; raises InputError if that fails."""
        try:
            self._put_in_place()
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise InputError(
                f"{self.folder}: results that were carried over cannot be put in place: {error}"
            ) from None

    def _put_in_place(self) -> None:
        decided = self.folder / _DECIDED
        order = json.loads((decided / _ORDER).read_bytes())
        for file in decided.glob(f"??/*{_WHOLE}"):
            place = self.folder / file.parent.name / file.name
            place.parent.mkdir(exist_ok=True)
            file.replace(place)
        for key in order["replaced"]:
            self._file(key, _WHOLE).unlink(missing_ok=True)
        notes = decided / _NOTES
        notes.write_text(json.dumps(order["notes"], indent=2))
        notes.replace(self.folder / _NOTES)
        shutil.rmtree(self.folder / _STAGED, ignore_errors=True)
        decided.rename(self.folder / _STAGED)  # so that it is never there without its order
        shutil.rmtree(self.folder / _STAGED, ignore_errors=True)

    def notes(self) -> list[Note]:
        """Notes on what was carried over, oldest first; raises InputError if unreadable."""
        file = self.folder / _NOTES
        try:
            notes = json.loads(read_file(file))
            if not (isinstance(notes, list) and all(isinstance(note, dict) for note in notes)):
                raise ValueError("it is no list of notes")
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{file}: {error}; delete it") from None
        return notes

    def get(self, key: str) -> Result | None:
        """The result, or None if there is none; raises Damaged if the file is damaged."""
        file = self._file(key, _WHOLE)
        try:
            raw = read_file(file)
        except (FileNotFoundError, NotADirectoryError):
            return None
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
        files = sorted(self.folder.glob(f"??/*{_WHOLE}"))
        own = (file.name for file in files if file.parent.name == file.name[:2])  # no stray copies
        return [name.removesuffix(_WHOLE) for name in own]

    def errors(self) -> dict[str, dict[str, Any]]:
        """Why runs without a result failed, by key; {} for a file that cannot be read."""
        found = {}
        for file in sorted(self.folder.glob(f"??/*{_ERROR}")):
            try:
                error = json.loads(read_file(file))
            except (OSError, ValueError, RecursionError):
                error = {}
            found[file.name.removesuffix(_ERROR)] = error if isinstance(error, dict) else {}
        return found

    def _file(self, key: str, suffix: str) -> Path:
        return self.folder / key[:2] / (key + suffix)

    def _write(self, key: str, suffix: str, content: bytes) -> None:
        """Write to another file, flush it to disk and rename it: there is never half a file."""
        file, part = self._file(key, suffix), self._file(key, _PART)
        try:
            file.parent.mkdir(exist_ok=True)
            with open(part, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)
            raise


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
    for name, kind in {system.noun: str, "jobs": int, "mean_response_s": int | float}.items():
        if not _is(summary.get(name), kind):
            raise ValueError(f"its summary has no {name}")
    columns = result["jobs"].values()
    if not all(isinstance(column, list) for column in columns) or len({*map(len, columns)}) > 1:
        raise ValueError("its jobs are no table")


def _is(value: object, kind: type | UnionType) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _checksum(result: Result) -> str:
    return sha256(_canonical(result)).hexdigest()
