"""The results of runs in a sweep's folder: one SQLite file, `results.sqlite`.

A row of its table `runs` is the result of one run, written in one transaction:

- `key` of the run; `version` of the model and, in `code`, the commit that made the result;
- `result`, as JSON: `conditions` (the same for runs that differ in the design alone); `scenario`,
  with one design (or policy): `systems.scenario_of(result["scenario"])` makes it again; `summary`,
  as a run in summary.json (of a run that was given up: without numbers, and `stations` and `jobs`
  are empty); `stations`, the mean and maximum utilization and queueing delay of links, switches and
  disks; `took_s`, the CPU time of everything;
- `jobs`, as compressed JSON: of those that ended, their `number`, `wait_ns` (with a policy:
  `demand_ns`) and `response_ns`, in order of arrival;
- `checksum` of the rest.

A row of `failures` says why a run has no result. To Python, a result is a dictionary of all these.
Except for `took_s` and the summary's `wall_s`, nothing in it depends on where and when it was made.
"""

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from model.core.files import alone_in
from model.ground.errors import InputError

Result = dict[str, Any]

# A rollback journal, SQLite's default: a write-ahead log does not work in network folders.
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    key TEXT PRIMARY KEY, version TEXT, code TEXT, result TEXT, jobs BLOB, checksum TEXT
);
CREATE TABLE IF NOT EXISTS failures (
    key TEXT PRIMARY KEY, version TEXT, run TEXT, error TEXT, traceback TEXT
);
"""
_BUSY_S = 60  # how long to wait while another process writes or reads
_COLUMNS = ("key", "version", "code")  # of a result, beside its jobs and the rest


class Failed(NamedTuple):
    """Why a run has no result."""

    key: str
    version: str
    run: dict[str, Any]  # its parameters
    error: str  # one line
    traceback: str


class Store:
    """Reads and writes the results in a folder; raises InputError if it cannot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "results.sqlite"

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the exclusive right to write here, as `alone_in` does."""
        with alone_in(self.folder):
            with self._open("rwc") as file:
                file.executescript(f"BEGIN; {_TABLES} COMMIT;")
            yield

    def put(self, result: Result) -> None:
        """Store a result in one step, and forget an earlier failure."""
        rest = {name: of for name, of in result.items() if name not in (*_COLUMNS, "jobs")}
        texts = [*(result[name] for name in _COLUMNS), _json(rest)]
        jobs = zlib.compress(_json(result["jobs"]).encode())
        row = (*texts, jobs, _checksum(texts, jobs))
        with self._open() as file:
            file.execute("REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)", row)
            file.execute("DELETE FROM failures WHERE key = ?", (result["key"],))

    def put_failure(self, failed: Failed) -> None:
        """Record why a run failed."""
        key, version, run, *why = failed
        with self._open() as file:
            row = (key, version, _json(run), *why)
            file.execute("REPLACE INTO failures VALUES (?, ?, ?, ?, ?)", row)

    def results(self, versions: Collection[str]) -> tuple[list[Result], list[str]]:
        """The results of these versions of the model, and the keys of those that are damaged.

        Jobs are left out, since they are large, except of runs in which some may never have ended.
        """
        whole, damaged = [], []
        for row in self._rows(f"runs {_of(versions)} ORDER BY key", *versions):
            if (result := _result(row)) is None:
                damaged.append(row[0])
            else:
                whole.append(result)
        return whole, damaged

    def get(self, key: str) -> Result:
        """A run's result, with its jobs."""
        for row in self._rows("runs WHERE key = ?", key):
            if (result := _result(row, with_jobs=True)) is not None:
                return result
            raise InputError(f"{self.file}: the result of run {key} is damaged; run it again")
        raise InputError(f"{self.file}: has no run {key}")

    def versions(self) -> dict[str, tuple[str, int]]:
        """By version of the model the code that made results, and how many there are."""
        rows = self._rows("runs GROUP BY version", what="version, code, count(*)")
        return {version: (code, count) for version, code, count in rows}

    def failures(self, versions: Collection[str]) -> list[Failed]:
        """Why runs of these versions of the model failed."""
        rows = self._rows(f"failures {_of(versions)} ORDER BY key", *versions)
        return [Failed(key, version, json.loads(run), *why) for key, version, run, *why in rows]

    def _rows(self, of: str, *values: str, what: str = "*") -> Iterator[tuple[Any, ...]]:
        if self.file.is_file() and self.file.stat().st_size:  # empty: a writer was killed early
            with self._open() as file:
                yield from file.execute(f"SELECT {what} FROM {of}", values)

    @contextmanager
    def _open(self, mode: str = "rw") -> Iterator[sqlite3.Connection]:
        """The file, in a transaction."""
        place = f"{self.file.resolve().as_uri()}?mode={mode}"
        try:
            with closing(sqlite3.connect(place, timeout=_BUSY_S, uri=True)) as file, file:
                file.text_factory = lambda text: text.decode(errors="replace")  # if it is damaged
                yield file
        except sqlite3.OperationalError as error:
            raise InputError(f"{self.file}: {error}") from None
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self.file}: {error}; move it away, and the sweep does its runs again"
            ) from None


def _of(versions: Collection[str]) -> str:
    return f"WHERE version IN ({', '.join('?' * len(versions))})"


def _result(row: tuple[Any, ...], with_jobs: bool = False) -> Result | None:
    """The result in a row; None if it is damaged."""
    *texts, jobs, checksum = row
    try:
        if checksum != _checksum(texts, jobs):
            return None
    except TypeError:  # a value of another type
        return None
    *columns, rest = texts
    result = {**dict(zip(_COLUMNS, columns, strict=True)), **json.loads(rest), "jobs": {}}
    if with_jobs or isinstance(result["summary"].get("faults"), dict):
        result["jobs"] = json.loads(zlib.decompress(jobs))
    return result


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _checksum(texts: Sequence[str], jobs: bytes) -> str:
    return sha256("\n".join(texts).encode() + jobs).hexdigest()
