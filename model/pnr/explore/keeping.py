"""A search in a file, which a later one goes on with: where its steps led, and what it has seen.

Its states are not in the file. The later search takes those steps again that led to new ones, which
takes about half as long as all steps.
"""

import json
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from model.core.files import Output, put_in_place, writing
from model.core.topology import canonical_hash, fingerprint
from model.core.version import version_of_rooms
from model.ground.errors import InputError, cut
from model.pnr.explore.search import Search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import Step
from model.pnr.explore.trail import Trail

_ROOMS = ("agents", "topologies", "model/ground", "model/core", "model/logs", "model/pnr")
_AGAIN = "give another file, or delete it to begin anew"


@dataclass
class _Seen:
    """What was searched, and what was seen that new states do not show again."""

    setting: dict[str, object]
    workload: str
    code: str
    apart: bool
    first_seen: dict[int, tuple[int, Step]]
    by_times: bool
    by_time: bool
    never_ran: list[list[int]] | None  # lines, of each function of the trail


class Keeper:
    """The file of a search: what an earlier one has left there, and what this one leaves."""

    def __init__(self, path: Path, setting: Setting, trail: Trail | None) -> None:
        """Raises InputError for a file with anything else than the search of this setting."""
        self.path = path
        self._trail = trail
        self.problem: str | None = None  # why it could not be written
        parameters = json.loads(json.dumps(asdict(setting)))
        workload = [setting.scenario.model_dump(mode="json"), repr(setting.workload)]
        design = fingerprint("managers", setting.declared, setting.scenario.nodes)
        rules = "" if setting.rules_file is None else Path(setting.rules_file).read_text("utf-8")
        code = f"{version_of_rooms(*_ROOMS)} {design} {canonical_hash(rules)}"
        self._about = (parameters, canonical_hash(workload), code)
        self._firsts = np.zeros(1, np.int64)  # as in a search, and where the last one's steps end
        self._ends = np.zeros(0, np.int64)
        self._seen: _Seen | None = None
        self._kept_s = monotonic()
        if path.exists():
            self._read()
        with writing("--keep", path):
            Output(path).discard()

    def _read(self) -> None:
        try:
            with np.load(self.path, allow_pickle=False) as file:
                seen = TypeAdapter(_Seen).validate_json(file["seen"].tobytes())
                firsts, ends = _numbers(file["firsts"]), _numbers(file["ends"])
            if firsts[0] != 0 or firsts[-1] != len(ends) or (np.diff(firsts) < 0).any():
                raise ValueError
        except (OSError, ValueError, TypeError, LookupError, EOFError, BadZipFile):
            raise InputError(
                f"--keep {cut(str(self.path), 300)}: no search is kept there; {_AGAIN}"
            ) from None
        for name, own in self._about[0].items():
            if seen.setting.get(name) != own:
                other = f"{name} {cut(str(seen.setting.get(name)))}, not {cut(str(own))}"
                raise InputError(f"--keep {self.path}: it has another search ({other}); {_AGAIN}")
        if (seen.workload, seen.code) != self._about[1:]:
            what = "workload" if seen.workload != self._about[1] else "version of the code"
            raise InputError(f"--keep {self.path}: its search is of another {what}; {_AGAIN}")
        self._seen, self._firsts, self._ends = seen, firsts, ends

    @property
    def apart(self) -> bool:
        """Whether the times of each node are taken apart, as far as is known."""
        return self._seen is None or self._seen.apart

    def begins(self, search: Search) -> None:
        """A search begins, which may see again what is kept."""
        seen, world = self._seen, search.world
        if seen is None or seen.apart != world.apart:
            self._firsts, self._ends = self._firsts[:1], self._ends[:0]
            return
        search.first_seen |= seen.first_seen
        world.reactions.by_times |= seen.by_times
        world.reactions.by_time |= seen.by_time
        if self._trail is not None and seen.never_ran is not None:
            for own, its in zip(self._trail.codes.values(), seen.never_ran, strict=True):
                own &= {*its}

    def ends_of(self, number: int) -> list[int]:
        """Where the steps from a state lead; empty if that is not known."""
        if number + 1 >= len(self._firsts):
            return []
        first, after = self._firsts[number : number + 2]
        ends: list[int] = self._ends[first:after].tolist()
        return ends

    def keep(self, search: Search, every_s: float = 0) -> None:
        """Keep a search, up to the state whose steps it has begun to take; not more often than
        every so many seconds."""
        whole = len(search.firsts) - 1
        if whole < len(self._firsts) or monotonic() < self._kept_s + every_s:
            return
        self._kept_s = monotonic()
        firsts = np.array(search.firsts)
        reactions, trail = search.world.reactions, self._trail
        seen = _Seen(
            *self._about,
            search.world.apart,
            {bit: at for bit, at in search.first_seen.items() if at[0] < whole},
            reactions.by_times,
            reactions.by_time,
            None if trail is None else [sorted(lines) for lines in trail.codes.values()],
        )
        text = TypeAdapter(_Seen).dump_json(seen)
        ends = np.array(search.ends[: firsts[whole]])
        try:
            with put_in_place(self.path, "--keep") as place, place.open("wb") as file:
                np.savez(file, seen=np.frombuffer(text, np.uint8), firsts=firsts, ends=ends)
            self.problem = None
        except InputError as error:  # what is found is told all the same
            self.problem = str(error)


def _numbers(array: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    if array.dtype != np.int64 or array.ndim != 1:
        raise ValueError
    return array
