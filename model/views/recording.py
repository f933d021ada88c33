"""A journal to look at: one run's records as a table, and the selection of a part of them."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import ValidationError

from agents.messages import DATA_PHASES
from model.core.journal.check import Damaged, check_managers, check_records, check_types
from model.core.journal.file import SCHEMA, rows
from model.core.journal.kinds import (
    DETAILS,
    WAY_ENDS,
    Ended,
    Hop,
    Kind,
    Note,
    Queued,
    Record,
    Sent,
    Submitted,
    is_detail,
)
from model.core.journal.over_time import Outage, Span, outages, spans_of_jobs
from model.core.names import is_file_name
from model.core.scenario import BaseScenario
from model.ground.clock import SAMPLE
from model.ground.errors import InputError
from model.ground.text import escaped
from model.ground.units import NS_PER_S
from model.pnr.constants import Constants
from model.pnr.scenario import Scenario
from model.pnr.waste import OUTDATED, Waste
from model.systems import comparison_of, declared_as, scenario_of
from model.views.style import in_order

if TYPE_CHECKING:
    import networkx as nx

    from model.core.emulation import Progress

#: In a text in JSON: an escape of what is no letter, other than a quote or a backslash.
_HAS_ESCAPES = re.compile(r"\\[^\"\\]")
MOST_RECORDS = 40_000_000  # of a journal; they take some 17 GB of memory
_BEFORE_S = 60
_BUSY = 60  # messages in the busiest window: a page of a sequence


@dataclass(frozen=True)
class Recording:
    """The journal of one run: one row per record; columns as in `model.core.journal.kinds.Record`.

    Whole numbers are pandas' Int64, so that fields that a kind does not have can be missing.
    """

    scenario: BaseScenario
    design: str  # or policy
    records: pd.DataFrame
    managers: tuple[int, ...] = ()  # the nodes whose servents manage
    own_network: str | None = None  # as `topology.as_text` has it, if a user's file made it
    part: tuple[str, ...] = ()  # what an export has selected of a journal, if it is not whole
    stopped: bool = False  # whether the run was stopped when a window was over
    detailed: bool = False  # whether all was recorded, even if none of it is a detail

    def of_kinds(self, *kinds: type[Kind]) -> pd.DataFrame:
        """The records of these kinds."""
        return self.records[self.records["kind"].isin([kind.name for kind in kinds])]

    def each(self, *kinds: type[Kind]) -> Iterator[Record]:
        """Its records one by one: of these kinds, or all."""
        return rows(self.of_kinds(*kinds) if kinds else self.records)

    @cached_property
    def outages(self) -> list[Outage]:
        """When nodes and servents were down, by node and in the order of time."""
        return outages(self.records, self.scenario.nodes)

    @cached_property
    def job_spans(self) -> list[Span]:
        """The states of its jobs over time; if the run was stopped, none is known to last."""
        spans = spans_of_jobs(self.records, self.scenario.nodes)
        return [replace(it, lasts=False) for it in spans] if self.stopped else spans

    @property
    def every_hop(self) -> bool:
        """Whether hops, faults and barriers were journaled, not the protocol alone."""
        return bool((self.records["kind"] == Hop.name).any())

    @property
    def in_detail(self) -> bool:
        """Whether its journal has more than the protocol: hops, pages, faults or barriers."""
        return self.detailed or bool(self.records["kind"].isin(DETAILS).any())

    @property
    def finding(self) -> str | None:
        """What `explore` has found at the end of a path, whose steps are 1 s each, and in which of
        them it was lost; or None."""
        records = self.records
        notes = records[(records["kind"] == Note.name) & (records["hears"] == "explore")]
        if notes.empty:
            return None
        found = str(Note.contents(notes["payload"].iloc[-1]))
        if len(notes) == 1:
            return found
        return f"{found}; doomed from step {int(notes['time_ns'].iloc[0]) // NS_PER_S}"

    @cached_property
    def queues(self) -> pd.DataFrame:
        """What stations have served, by class of messages (`what`) and window of time.

        A delay is summed over all that came in the window; the peak is the longest delay.
        """
        rows = []
        for record in self.each(Queued):
            found = Queued.contents(Queued.of(record).payload)
            for it in found.served:
                from_ns = it.window * found.window_ns
                span = from_ns, from_ns + found.window_ns
                rows.append((record.station, it.what, *span, it.services, it.delay_ns, it.peak_ns))
        return pd.DataFrame(
            rows,
            columns=["station", "what", "from_ns", "to_ns", "services", "delay_ns", "peak_ns"],
        )

    @cached_property
    def use_of(self) -> dict[int, str]:
        """What each protocol message was good for, by its id: see `model/pnr/waste.py`.

        Lost messages, and those of load sharing, have no use; in a part of a journal none has,
        since it lacks other messages that may have had the same words later. Nor has one that is
        outdated only because the run was stopped.
        """
        if self.part or not self.scenario.lends_memory:
            return {}
        constants = self.constants
        waste = Waste(constants.rams, constants.threshold)
        records = self.records
        for record in rows(records[~records["kind"].isin(DETAILS)]):
            waste.read(record)
        if self.stopped:
            return {it: use for it, use in waste.use_of.items() if use != OUTDATED}
        return waste.use_of

    @cached_property
    def constants(self) -> Any:
        """The scenario's constants, in ns and bytes."""
        if self.scenario.lends_memory:
            assert isinstance(self.scenario, Scenario)
            return Constants.of(self.scenario)
        return comparison_of(self.scenario).constants

    @property
    def rams(self) -> NDArray[np.int64]:
        """The RAM of all nodes in bytes, as a column with a row a node."""
        return np.array(self.constants.rams, np.int64)[:, None]

    @cached_property
    def network(self) -> "nx.Graph":
        """The graph of the network; raises InputError if the journal lacks it.

        Looking at a journal runs no code that it names: what a file has made must be in it.
        """
        from model.core.topology import from_text, load_topology  # slow to import

        name, nodes = self.scenario.topology, self.scenario.nodes
        if not is_file_name(name):
            times_ns = self.constants.latency_ns, self.constants.switch_ns
            links = self.scenario.bandwidth_mbps, *times_ns
            return self.scenario.with_own_links(load_topology("networks", name, nodes, *links))
        from model.core.network import check_network  # imports Mesa

        if self.own_network is None:
            raise InputError(f"the journal lacks the network of {name}; write it again")
        graph = from_text(self.own_network)
        check_network(name, graph, nodes)
        return graph


def over_network(records: pd.DataFrame) -> pd.DataFrame:
    """The sending of each message over the network; those of a node to itself count nowhere."""
    return records[(records["kind"] == Sent.name) & (records["node"] != records["peer"])]


@dataclass(frozen=True)
class Selection:
    """A part of a journal: of one job, a time window [from_s, to_s), nodes or kinds of messages."""

    job: int | None = None
    from_s: float | None = None
    to_s: float | None = None
    nodes: tuple[int, ...] = ()
    messages: tuple[str, ...] = ()
    window: str | None = None  # by name: "busiest" or "job:4639"; `times_s` finds its times

    def __post_init__(self) -> None:
        if self.window is not None:
            if not re.fullmatch(r"busiest|job:\d+", self.window):
                raise InputError(
                    f"--window {self.window}: give busiest, or job: and a number (job:4639)"
                )
            if (self.from_s, self.to_s) != (None, None):
                raise InputError("--window: names the time to show; leave out --from-s and --to-s")

    def times_s(self, recording: Recording) -> tuple[float | None, float | None]:
        """From when to when, in s; None where the run's own beginning or end is meant.

        Raises InputError if the recording has no window of that name.

        busiest: the shortest time in which 60 messages (or all, if they are fewer) are sent over
        the network, until they have arrived; pages and barriers count if there are no others.
        job:N: from the submission of a job to its end, whoever does something then.
        """
        if self.window is None:
            return self.from_s, self.to_s
        records = recording.records
        if self.window == "busiest":
            first_ns, last_ns = _busiest(recording)
        else:
            job = int(self.window.removeprefix("job:"))
            limits = recording.of_kinds(Submitted, Ended)
            limits = limits[limits["job"] == job]
            if limits.empty:
                raise InputError(
                    f"--window {self.window}: job {job} is not in the journal of {recording.design}"
                )
            first_ns = int(limits["time_ns"].min())
            ended = (limits["kind"] == Ended.name).any()
            last_ns = int((limits if ended else records)["time_ns"].max())
        return first_ns / NS_PER_S, (last_ns + 1) / NS_PER_S

    def of_any_time(self) -> "Selection":
        """The same job, nodes and kinds, over the whole run."""
        return replace(self, from_s=None, to_s=None, window=None)

    def of(self, recording: Recording) -> pd.DataFrame:
        """The selected records; a message belongs to its sender and its receiver.

        Raises InputError if the journal has no such job, node or kind, or nothing is left.
        """
        records = recording.records
        nodes = self.nodes_of(recording)
        from_s, to_s = self.times_s(recording)
        if self.job is not None:
            if not (records["job"] == self.job).any():
                raise InputError(f"--job: job {self.job} is not in the journal of this run")
            records = records[records["job"] == self.job]
        if from_s is not None:
            records = records[records["time_ns"] >= round(from_s * NS_PER_S)]
        if to_s is not None:
            records = records[records["time_ns"] < round(to_s * NS_PER_S)]
        if self.nodes:
            records = records[records["node"].isin(nodes) | records["peer"].isin(nodes)]
        if self.messages:
            sent = recording.records["kind"] == Sent.name
            kinds = in_order(recording.records.loc[sent, "what"])
            for kind in self.messages:
                if kind not in kinds:
                    raise InputError(
                        f"--message-kind: no message in the journal of {recording.design} is a "
                        f"{kind!r}; take {', '.join(kinds) or 'none'}"
                    )
            records = records[records["what"].isin(self.messages)]
        if records.empty:
            if from_s is not None and to_s is not None and to_s <= from_s:
                raise InputError(f"--to-s {to_s:g}: give a time after --from-s {from_s:g}")
            last_s = recording.records["time_ns"].max() / NS_PER_S
            raise InputError(
                f"nothing is selected: the journal of {recording.design} goes from 0 to "
                f"{last_s:.6f} s; widen --from-s, --to-s, --on-nodes or --message-kind"
            )
        return records

    def each(self, recording: Recording) -> Iterator[Record]:
        """The same, one by one."""
        return rows(self.of(recording))

    def ways(self, recording: Recording, *kinds: type[Kind]) -> pd.DataFrame:
        """All records of the messages of which any is selected: one may arrive after a window.

        Of these kinds, or the sending and the end of each.
        """
        names = [kind.name for kind in kinds] or [Sent.name, *WAY_ENDS]
        chosen, records = self.of(recording), recording.records
        ids = chosen.loc[chosen["kind"].isin(names), "id"]
        return records[records["id"].isin(ids) & records["kind"].isin(names)]

    def nodes_of(self, recording: Recording) -> list[int]:
        """The selected nodes in order, or all; raises InputError for a node that does not exist."""
        count = recording.scenario.nodes
        for node in self.nodes:
            if not 0 <= node < count:
                raise InputError(f"--on-nodes: the nodes are 0 to {count - 1} (not {node})")
        return sorted(set(self.nodes)) or list(range(count))

    def window_ns(self, *recordings: Recording) -> tuple[int, int]:
        """The time to show: as selected, within the runs or the selected job's lifetime in them."""
        windows_ns = [self._of_run_ns(recording) for recording in recordings]
        first_ns, last_ns = windows_ns[0][0], max(last_ns for _, last_ns in windows_ns)
        if first_ns >= last_ns:
            self.of(recordings[0])  # raises what is wrong, if nothing is left
        return first_ns, max(last_ns, first_ns + 1)

    def _of_run_ns(self, recording: Recording) -> tuple[int, int]:
        records, first_ns = recording.records, 0
        if self.job is not None:
            records = Selection(job=self.job).of(recording)
            first_ns = int(records["time_ns"].min())
        last_ns = int(records["time_ns"].max())
        from_s, to_s = self.times_s(recording)
        if from_s is not None:
            first_ns = max(first_ns, round(from_s * NS_PER_S))
        if to_s is not None:
            until_ns = round(to_s * NS_PER_S)  # up to which a run that was stopped has gone on
            going_on = recording.stopped and self.job is None
            last_ns = until_ns if going_on else min(last_ns, until_ns)
        return first_ns, last_ns


def _busiest(recording: Recording) -> tuple[int, int]:
    records = recording.records
    sent = over_network(records)
    protocol = sent[~sent["phase"].isin(DATA_PHASES)]
    sent = sent if protocol.empty else protocol
    if sent.empty:
        raise InputError(
            f"--window busiest: no message is sent in the journal of {recording.design}"
        )
    times_ns = sent["time_ns"].to_numpy(np.int64)
    count = min(_BUSY, len(times_ns))
    spans_ns = times_ns[count - 1 :] - times_ns[: len(times_ns) - count + 1]
    first = int(spans_ns.argmin())
    ids = sent["id"].iloc[first : first + count]
    return int(times_ns[first]), int(records.loc[records["id"].isin(ids), "time_ns"].max())


def read_recordings(path: Path) -> list[Recording]:
    """The runs in a journal file; raises InputError.

    Its texts are such as may be shown: what could steer a terminal, or is no XML, is escaped.
    """
    if path.is_dir():
        raise InputError(f"{path}: a folder; give a journal in it, written with --journal")
    try:
        count = pq.read_metadata(path).num_rows
        table = pq.read_table(path) if count <= MOST_RECORDS else None
    except (OSError, pa.ArrowException) as error:
        reason = f"not a whole Parquet file ({str(error).splitlines()[0]})"
        reason = reason if path.exists() else "no such file"
        raise InputError(f"{path}: {reason}; give a journal written with --journal") from None
    if table is None:
        raise InputError(
            f"{path}: it has {count:,} records, of which at most {MOST_RECORDS:,} are read; "
            "write one with --journal-level protocol, or of fewer jobs or designs"
        )
    metadata = table.schema.metadata or {}
    if table.schema.names != SCHEMA.names or b"scenario" not in metadata:
        raise InputError(f"{path}: a Parquet file, but no journal; give one written with --journal")
    try:
        scenario = scenario_of(cast(dict[str, object], _read(metadata[b"scenario"])))
        managers = _read(metadata[b"managers"])
        network = json.dumps(_read(metadata[b"network"])) if b"network" in metadata else None
        part = tuple(map(str, cast(list[object], _read(metadata.get(b"part", b"[]")))))
    except (ValidationError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{path}: its scenario is not of this version; write it again with --journal"
        ) from None
    try:
        return _runs(table, scenario, managers, network, part)
    except Damaged as damage:
        raise InputError(f"{path}: {damage}; write it again with --journal") from None


def _runs(
    table: pa.Table,
    scenario: BaseScenario,
    managers: object,
    network: str | None,
    part: tuple[str, ...],
) -> list[Recording]:
    """Each run's records, and its managers by the run's name; raises Damaged."""
    check_types(table.schema)
    if table["design"].null_count:
        raise Damaged("a record names no design")
    frame = table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
    for field in table.schema:
        if field.type != pa.int64():
            frame[field.name] = _escaped(frame[field.name])
    recordings = [
        Recording(
            scenario,
            design,
            records.drop(columns="design").reset_index(drop=True),
            check_managers(managers, design, scenario),
            network,
            part,
        )
        for design, records in frame.groupby("design", sort=False, observed=True)
    ]
    for recording in recordings:
        check_records(recording.records, scenario)
    return recordings


def _read(text: bytes) -> object:
    """The value of a text in JSON, whose own texts are escaped."""
    return _shown(json.loads(text))


def _shown(value: object) -> object:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(key): _shown(part) for key, part in value.items()}
    return [*map(_shown, value)] if isinstance(value, list) else value


def _escaped(column: "pd.Series") -> "pd.Series":
    """A column of words, or of payloads in JSON, whose texts are escaped."""
    of_payloads = column.name == "payload"
    shown: dict[str, str] = {}
    for text in column.dropna().unique():
        made = escaped(text)
        if of_payloads and _HAS_ESCAPES.search(text):
            with suppress(ValueError):  # what is no JSON is refused later
                made = json.dumps(_read(text.encode()), separators=(",", ":"))
        if made != text:
            shown[text] = made
    if not shown:
        return column
    words = column.astype(object).map(lambda text: shown.get(text, text), na_action="ignore")
    return words.astype(object if of_payloads else "category")


def record(
    scenario: BaseScenario,
    design: str,
    level: str = "all",
    hops_of: Selection | None = None,
    progress: "Progress | None" = None,
    stop: bool = False,
) -> Recording:
    """Run a design, by its name or as the scenario declares it, and record its journal.

    Records of what the protocol level leaves out may be kept of one job only, and of a window and
    the minute before it, in which what is still on its way was sent. If it may `stop`, the run ends
    when that window is over and what was sent in it has arrived. Up to that minute it runs as fast
    as without a journal.
    """
    records: list[Record] = []
    keeper = _Keeper(records, hops_of or Selection(), stop)
    comparison = comparison_of(scenario.comparing(declared_as(scenario, design)))
    comparison.validate()
    (name,) = comparison.contestants
    is_late = level == "all" and keeper.first_ns > 0
    emulation = comparison.emulation(name, (keeper.read,), "protocol" if is_late else level)
    if is_late:
        begin = emulation.journal_every_hop
        emulation.clock.schedule((keeper.first_ns, SAMPLE, -1, 0, 0, begin, None))
    with suppress(_WindowOver):
        emulation.run(progress)
    managers, network = comparison.managers(name), comparison.own_network
    made = recording_of(comparison.scenario, name, records, managers, network)
    detailed = level == "all" and hops_of in (None, Selection())
    return replace(made, stopped=keeper.is_over, detailed=detailed)


def recording_of(
    scenario: BaseScenario,
    design: str,
    records: list[Record],
    managers: tuple[int, ...],
    network: str | None = None,
) -> Recording:
    """The records of one run as a recording."""
    frame = pd.DataFrame(records, columns=Record._fields)
    whole = [field for field in Record._fields if SCHEMA.field(field).type == pa.int64()]
    frame = frame.astype(dict.fromkeys(whole, "Int64"))
    return Recording(scenario, design, frame, managers, network)


class _WindowOver(BaseException):
    """Nothing more of a run is of interest."""


class _Keeper:
    """A reader of the journal that keeps the protocol, and the rest of a job and window only."""

    def __init__(self, records: list[Record], window: Selection, stop: bool) -> None:
        self._records = records
        self.first_ns = 0 if window.from_s is None else _ns(window.from_s - _BEFORE_S)
        self._last_ns = None if window.to_s is None else _ns(window.to_s)
        self._job, self._stop = window.job, stop
        self._under_way: set[int] = set()  # messages sent before the window's end
        self.is_over = False

    def read(self, record: Record) -> None:
        """Keep a record, perhaps; raises _WindowOver after the last that may be of interest."""
        late = self._last_ns is not None and record.time_ns >= self._last_ns
        if self._stop and late and not self._under_way:
            self.is_over = True
            raise _WindowOver
        if record.kind == Sent.name and not late:
            self._under_way.add(record.id)
        elif record.kind in WAY_ENDS:
            self._under_way.discard(record.id)
        others = self._job is not None and record.job != self._job
        if not is_detail(record) or not (late or others or record.time_ns < self.first_ns):
            self._records.append(record)


def _ns(time_s: float) -> int:
    return round(time_s * NS_PER_S)
