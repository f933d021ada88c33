"""A search in a file, which a later one goes on with: where its steps led, and what it has seen.

Its states are not in the file. The later search takes those steps again that led to new ones, which
takes about half as long as all steps.
"""

from dataclasses import asdict
from pathlib import Path
from time import monotonic
from zipfile import BadZipFile

import numpy as np
from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from model.core.files import Output, put_in_place, writing
from model.core.topology import canonical_hash, fingerprint
from model.core.version import version_of_rooms
from model.ground.errors import InputError
from model.pnr.explore.alike import MOST_ALIKE, Alike
from model.pnr.explore.search import Search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import Step

_ROOMS = ("agents", "topologies", "model/ground", "model/core", "model/logs", "model/pnr")


@dataclass
class _Seen:
    """What a search has seen that the steps to new states do not show again."""

    about: str  # a hash of what was searched, and with which code
    alike: Alike
    first_seen: dict[int, tuple[int, Step]]
    by_times: bool
    by_time: bool


class Keeper:
    """The file of a search: what an earlier one has left there, and what this one leaves."""

    def __init__(self, path: Path, setting: Setting) -> None:
        """Raises InputError for a file with anything else than the search of this setting."""
        self.problem: str | None = None  # why it could not be written
        self._path = path
        scenario, workload = setting.scenario.model_dump(mode="json"), repr(setting.workload)
        design = fingerprint("managers", setting.declared, setting.scenario.nodes)
        rules = "" if setting.rules_file is None else Path(setting.rules_file).read_text("utf-8")
        code = [version_of_rooms(*_ROOMS), design, rules]
        self._about = canonical_hash([asdict(setting), scenario, workload, code])
        self._firsts = np.zeros(1, np.int64)  # as in a search, and where the last one's steps end
        self._ends = np.zeros(0, np.int64)
        self._seen: _Seen | None = None
        self._kept_s = monotonic()
        if path.exists():
            self._read()
        with writing("--keep", path):
            Output(path).discard()

    def _read(self) -> None:
        problem = "no search is kept there"
        try:
            with np.load(self._path, allow_pickle=False) as file:
                self._seen = TypeAdapter(_Seen).validate_json(file["seen"].tobytes())
                self._firsts, self._ends = file["firsts"], file["ends"]
            if self._seen.about != self._about:
                problem = "it has the search of another setting, design or version of the code"
                raise ValueError
            if self._firsts[-1] != len(self._ends):
                raise ValueError
        except (OSError, ValueError, TypeError, LookupError, EOFError, BadZipFile):
            again = "give another file, or delete it to begin anew"
            raise InputError(f"--keep {self._path}: {problem}; {again}") from None

    @property
    def alike(self) -> Alike:
        return MOST_ALIKE if self._seen is None else self._seen.alike

    def begins(self, search: Search) -> None:
        """A search begins, which may see again what is kept."""
        seen, reactions = self._seen, search.world.reactions
        if seen is None or seen.alike != search.world.alike:
            self._firsts, self._ends = self._firsts[:1], self._ends[:0]
            return
        search.first_seen |= seen.first_seen
        reactions.by_times, reactions.by_time = seen.by_times, seen.by_time

    def ends_of(self, number: int) -> list[int]:
        """Where the steps from a state lead; empty if that is not known."""
        if number + 1 >= len(self._firsts):
            return []
        ends: list[int] = self._ends[slice(*self._firsts[number : number + 2])].tolist()
        return ends

    def keep(self, search: Search, every_s: float = 0) -> None:
        """Keep a search, up to the state whose steps it has begun to take; not more often than
        every so many seconds."""
        whole = len(search.firsts) - 1
        if whole < len(self._firsts) or monotonic() < self._kept_s + every_s:
            return
        self._kept_s = monotonic()
        reactions = search.world.reactions
        seen = _Seen(
            self._about,
            search.world.alike,
            {bit: at for bit, at in search.first_seen.items() if at[0] < whole},
            reactions.by_times,
            reactions.by_time,
        )
        text = np.frombuffer(TypeAdapter(_Seen).dump_json(seen), np.uint8)
        firsts, ends = np.array(search.firsts), np.array(search.ends[: search.firsts[whole]])
        try:
            with put_in_place(self._path, "--keep") as place, place.open("wb") as file:
                np.savez(file, seen=text, firsts=firsts, ends=ends)
        except InputError as error:  # what is found is told all the same
            self.problem = str(error)
