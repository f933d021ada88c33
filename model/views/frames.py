"""A journal as tables of pandas: jobs, messages, decisions, loans, memory, queues and waste.

Units stand in the names of columns: `_s` seconds, `_mb` MB of 2^20 bytes. Ids are texts, as stories
show them (m6.25). A missing value is NaN in columns of fractional numbers, else NA.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import pandas as pd

from model.core.journal import kinds
from model.core.journal.over_time import decisions
from model.core.journal.words import short
from model.ground.units import BYTES_PER_MB, NS_PER_S, megabytes, seconds
from model.views.recording import Recording, over_network

_WHOLE, _TEXT = "Int64", "string"
_TYPES = {  # of columns that are not numbers with fractions
    **dict.fromkeys(("job", "processes", "node", "chosen", "sender", "receiver"), _WHOLE),
    **dict.fromkeys(("size_bytes", "candidates", "borrower", "lender", "services"), _WHOLE),
    **dict.fromkeys(("state", "nodes", "kind", "use", "role", "cause", "what"), _TEXT),
    **dict.fromkeys(("station", "message_class"), _TEXT),
    **dict.fromkeys(("lost", "heard"), "boolean"),
    "changed_by": _TEXT,
}
_OF_JOBS = (
    *("job", "state", "submit_s", "start_s", "end_s", "response_s"),
    *("processes", "memory_mb", "nodes"),
)
_OF_DECISIONS = (
    *("time_s", "node", "role", "job", "chosen", "missing_mb", "candidates"),
    *("heard", "stated_s", "believed_mb", "true_mb", "changed_by"),
)
_OF_LOANS = ("time_s", "what", "borrower", "lender", "job", "amount_mb", "cause")


class Tables:
    """The tables of a recorded run."""

    recording: Recording

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """A row for each job: last state, last attempt, and its time by part, as in jobs.csv."""
        found: dict[int | None, dict[str, object]] = {}
        parts: dict[str, None] = {}
        of_jobs = (kinds.Submitted, kinds.Placed, kinds.Killed, kinds.Failed, kinds.Ended)
        for record in self.recording.each(*of_jobs):
            job = found.setdefault(record.job, {"job": record.job})
            job["state"], now_s = record.kind, seconds(record.time_ns)
            if record.amount_bytes is not None:  # submitted, in load sharing, or placed
                job["memory_mb"] = megabytes(record.amount_bytes)
            if record.kind == kinds.Submitted.name:
                job["submit_s"] = now_s
            elif record.kind == kinds.Placed.name:
                nodes = kinds.Placed.contents(record.payload or "").nodes
                job |= {
                    "start_s": now_s,
                    "processes": len(nodes),
                    "nodes": " ".join(map(str, nodes)),
                }
            elif record.kind == kinds.Ended.name:
                job["end_s"] = now_s
            if record.kind == kinds.Ended.name and record.payload is not None:
                spent = kinds.Ended.contents(record.payload).mean_ns()
                job |= {f"{part}_s": seconds(part_ns) for part, part_ns in spent.items()}
                parts |= dict.fromkeys(f"{part}_s" for part in spent)
        table = _frame(found.values(), (*_OF_JOBS, *parts))
        table["response_s"] = table["end_s"] - table["submit_s"]
        ended = table["end_s"].notna()
        table.loc[ended, [*parts]] = table.loc[ended, [*parts]].fillna(0)  # what took no time
        return table

    @cached_property
    def messages(self) -> pd.DataFrame:
        """A row for each message over the network, in the order of sending, with its id as index.

        `arrived_s` is missing if the message was lost or is on its way. `use` is decisive, used,
        outdated, unused or refused (`model/pnr/waste.py`). `cause` is the id of what led to it.
        """
        sent = over_network(self.recording.records).set_index("id")
        arrived = self.recording.of_kinds(kinds.Delivered).set_index("id")["time_ns"]
        lost = self.recording.of_kinds(kinds.Lost)["id"]
        ids = sent.index.to_series()
        table = pd.DataFrame(
            {
                "kind": sent["what"].astype(str),
                "sender": sent["node"],
                "receiver": sent["peer"],
                "job": sent["job"],
                "sent_s": sent["time_ns"].map(seconds),
                "arrived_s": ids.map(arrived).map(seconds, na_action="ignore"),
                "lost": sent.index.isin(lost),
                "size_bytes": sent["size_bytes"],
                "amount_mb": sent["amount_bytes"].map(megabytes, na_action="ignore"),
                "use": ids.map(self.recording.use_of),
                "cause": sent["cause"].map(_id),
            }
        )
        table.index = pd.Index([short(number) for number in sent.index], name="id")
        return _typed(table)

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """A row for each choice of a role, with its belief about the chosen node's load.

        A node never heard from is believed idle. `changed_by` has the ids of decisive messages:
        without any one of them the role would have chosen otherwise.
        """
        rows, rams = [], self.recording.constants.rams
        for record, decision in decisions(self.recording.records, self.recording.scenario.nodes):
            heard, stated_ns, believed, true = (None,) * 4
            if (belief := decision.belief) is not None:
                heard, believed = belief.believed is not None, belief.believed
                stated_ns, true = belief.stated_ns, belief.true
                if not heard and not decision.groups:
                    believed = rams[decision.chosen]
            by = kinds.Decided.contents(record.payload or "").changed_by
            rows.append(
                (
                    *(seconds(record.time_ns), record.node, record.hears, record.job),
                    *(record.peer, megabytes(decision.missing), len(decision.candidates)),
                    *(heard, _s(stated_ns), _mb(believed), _mb(true)),
                    " ".join(map(short, by)) or None,
                )
            )
        return _frame(rows, _OF_DECISIONS)

    @cached_property
    def loans(self) -> pd.DataFrame:
        """A row for each loan that a borrower took (borrowed) or returned (given back)."""
        rows = [
            (
                *(seconds(record.time_ns), record.kind, record.node, record.peer, record.job),
                *(_mb(record.amount_bytes), _id(record.cause)),
            )
            for record in self.recording.each(kinds.Borrowed, kinds.GivenBack)
        ]
        return _frame(rows, _OF_LOANS)

    @cached_property
    def memory(self) -> pd.DataFrame:
        """A row for each change of a node's memory, ordered by node, then by time.

        `own_mb`, `lent_mb`, `idle_mb` and `down_mb` add up to its RAM; the rest is over-allocated.
        """
        from model.views.memory import memory_of

        over_time = memory_of(self.recording)
        parts = over_time.parts(self.recording.rams)
        values = np.stack(parts)
        changes = np.ones(values.shape[1:], bool)
        changes[:, 1:] = (np.diff(values) != 0).any(axis=0)
        node, place = np.nonzero(changes)
        names = ("down" if name == "crashed" else name for name in parts._fields)
        amounts = values[:, node, place] / BYTES_PER_MB
        table = pd.DataFrame({"node": node, "time_s": over_time.times_ns[place] / NS_PER_S})
        return _typed(
            table.assign(**{f"{name}_mb": it for name, it in zip(names, amounts, strict=True)})
        )

    @cached_property
    def queues(self) -> pd.DataFrame:
        """A row for each link, switch or disk, class of messages, and window in which any came.

        `delay_s` is the time that they waited, summed over all `services`; `peak_s` is the longest.
        """
        table = self.recording.queues.rename(columns={"what": "message_class"})
        times = [name for name in table if name.endswith("_ns")]
        table[times] = table[times] / NS_PER_S
        return _typed(table.rename(columns=lambda name: name.replace("_ns", "_s")))

    @cached_property
    def waste(self) -> pd.DataFrame:
        """Messages of the protocol and their bytes, by kind and use."""
        used = self.messages.dropna(subset="use").groupby(["kind", "use"], sort=False)
        return used.agg(messages=("use", "size"), size_bytes=("size_bytes", "sum")).reset_index()


def _frame(rows: Iterable[object], columns: tuple[str, ...]) -> pd.DataFrame:
    return _typed(pd.DataFrame(rows, columns=columns))


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype({name: _TYPES.get(name, "float64") for name in table.columns})


def _s(time_ns: float | None) -> float | None:
    return None if time_ns is None else seconds(time_ns)


def _mb(size_bytes: float | None) -> float | None:
    return None if size_bytes is None else megabytes(size_bytes)


def _id(number: int) -> str | None:
    return short(number) if number else None
