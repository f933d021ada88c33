"""Why things happened: the causal history of a job, or of one record, as text.

Each line is a sentence of `model/core/journal/words.py`; a decision's tells what its search has
written of the chosen node, even if another decision's record has it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from model.core.journal import words
from model.core.journal.file import rows
from model.core.journal.kinds import Belief, Delivered, Lost, Note, Record, Sent
from model.core.journal.over_time import decisions
from model.ground.errors import InputError
from model.ground.text import in_lines
from model.ground.units import NS_PER_S, seconds
from model.views.caption import caption
from model.views.outcomes import attempts_of, outcome_of
from model.views.recording import Recording, Selection, recording_of

if TYPE_CHECKING:
    from model.pnr.explore.search import Finding
    from model.pnr.explore.setting import Setting

_LONGEST = 12  # records of a block that is repeated


def tell(
    recording: Recording,
    selection: Selection,
    record: str | None = None,
    at_s: float | None = None,
    node: int | None = None,
) -> str:
    """What happened and why, with one line per record: time in s, place, event, id and cause.

    If `record`, an id, is given, or a time and a node, of which it is the last record then, these
    are the chain of causes from the root to that record, and what it caused directly; else the
    records of the selected job. What is repeated, of other nodes or amounts, has one line. Raises
    InputError without a job, for an unknown id, or if a node has no record up to that time.
    """
    if (at_s is None) != (node is None):
        raise InputError("--at and --node: give both, or neither; they name one record")
    if record is not None and at_s is not None:
        raise InputError("--record: names the record itself; leave out --at and --node")
    if at_s is not None and node is not None:
        return _of_record(recording, _found(recording, selection, at_s, node))
    if record is not None:
        return _of_record(recording, words.number_of(record))
    if selection.job is None:
        raise InputError("--job: a story is about one job or one record; give its number")
    return _of_job(recording, selection, selection.job)


def _of_job(recording: Recording, selection: Selection, job: int) -> str:
    table = selection.of(recording)
    causes = recording.records[recording.records["id"].isin(table["cause"])]
    known = {it.id: it for it in rows(causes.drop_duplicates("id"))}
    records, beliefs = list(rows(table)), _beliefs(recording)
    lines = [caption(recording, selection)]
    lines.append(f"Job {job}, {recording.design}: {len(records)} records")
    lines += attempts_of(recording, outcome_of(recording, job))
    shapes = [(_shape(it), _shape(known.get(it.cause))) for it in records]
    for first, length, times in repeats(shapes):
        for it in records[first : first + length]:
            lines.append(f"{_line(it, beliefs)}  <- {_cause(it.cause, known, recording)}")
        if times > 1:
            last = records[first + length * times - 1]
            what = "this" if length == 1 else f"these {length}"
            lines.append(f"{'':20}{times - 1} more like {what}, until {words.time(last.time_ns)}")
    return in_lines(lines)


def _beliefs(recording: Recording) -> dict[int, Belief | None]:
    choices = decisions(recording.records, recording.scenario.nodes)
    return {it.id: decision.belief for it, decision in choices}


def repeats(shapes: Sequence[object]) -> Iterator[tuple[int, int, int]]:
    """Blocks of a sequence: where each begins, its length, and how often it is there in a row.

    What is there less than three times in a row stays as it is.
    """
    first = 0
    while first < len(shapes):
        best = (0, 1, 1)  # what is saved, length, times
        for length in range(1, min(_LONGEST, (len(shapes) - first) // 3) + 1):
            block, times = shapes[first : first + length], 1
            while shapes[first + length * times : first + length * (times + 1)] == block:
                times += 1
            if times >= 3 and length * (times - 1) > best[0]:
                best = (length * (times - 1), length, times)
        _, length, times = best
        yield first, length, times
        first += length * times


def _shape(record: Record | None) -> object:
    return None if record is None else (record.kind, record.what)


def _found(recording: Recording, selection: Selection, at_s: float, node: int) -> int:
    records = selection.of(recording)
    here = records[(records["node"] == node) & (records["time_ns"] <= round(at_s * NS_PER_S))]
    if here.empty:
        raise InputError(
            f"--at {at_s:g} --node {node}: node {node} has no record before then in this part of "
            f"the journal of {recording.design}"
        )
    return int(here["id"].iloc[-1])


def recorded_path(setting: "Setting", finding: "Finding") -> tuple[list[Record], Recording]:
    """The journal of the path to what `explore` has found."""
    from model.pnr.explore.narrator import retrace

    records: list[Record] = []
    way = finding.repeat, finding.doomed, finding.alike
    retrace(setting, finding.path, records.append, *way)
    design = setting.design
    managers = tuple(design.managers)
    return records, recording_of(setting.scenario, design.name, records, managers)


def tell_steps(recording: Recording, from_step: int = 0) -> str:
    """A path that `explore` has found: what happened in each step, without ids and causes.

    A step that begins with a message sent is one of no role's: it repeats a message.
    """
    lines, latest, begun = [], 0, 0
    beliefs = _beliefs(recording)
    for record in recording.each():
        step = record.time_ns // NS_PER_S
        repeats = record.kind == Sent.name and step > begun
        begun = step
        if step >= max(from_step, 1) and words.is_worth_a_line(record) and record.kind != Note.name:
            number = f"{step:5}" if step != latest else " " * 5
            what = words.clause(record, beliefs.get(record.id))
            again = " again (a duplicate)" if repeats else ""
            lines.append(f"{number}  {words.place(record):10} {what}{again}")
            latest = step
    return in_lines(lines)


def tell_under_way(recording: Recording) -> str:
    """The messages that a path of `explore` leaves on their way: they may have been overtaken."""
    left: dict[int, Record] = {}
    for record in recording.each(Sent, Delivered, Lost):
        if record.kind == Sent.name:
            left[record.id] = record
        else:
            left.pop(record.id, None)
    return in_lines(
        f"  {it.what} from node {it.node} to node {it.peer}, sent in step {it.time_ns // NS_PER_S}"
        for it in left.values()
    )


def _of_record(recording: Recording, number: int) -> str:
    records = recording.records
    firsts = records.drop_duplicates("id")
    cause_of = dict(zip(firsts["id"], firsts["cause"], strict=True))
    name = words.short(number)
    if number not in cause_of:
        raise InputError(f"record {name} is not in the journal of {recording.design}")
    chain = [number]
    links = set(chain)
    while (cause := cause_of[chain[-1]]) in cause_of and cause not in links:
        chain.append(cause)
        links.add(cause)
    beliefs = _beliefs(recording)
    lines = [caption(recording, Selection())]
    lines.append(f"Record {name}, {recording.design}: what led to it")
    if cause_of[chain[-1]]:
        lines.append(f"  {_cause(cause_of[chain[-1]], {}, recording)}")
    place_of = {link: place for place, link in enumerate(reversed(chain))}
    of_chain = rows(records[records["id"].isin(chain)])
    lines += [_line(it, beliefs) for it in sorted(of_chain, key=lambda it: place_of[it.id])]
    caused = firsts[firsts["cause"] == number]
    lines.append("What it caused directly" if len(caused) else "It caused nothing")
    return in_lines(lines + [_line(it, beliefs) for it in rows(caused)])


def _line(record: Record, beliefs: Mapping[int, Belief | None]) -> str:
    what = words.clause(record, beliefs.get(record.id))
    time_s, where = seconds(record.time_ns), words.place(record)
    return f"{time_s:16.6f} s  {where:10} {what}  #{words.short(record.id)}"


def _cause(cause: int, known: Mapping[int, Record], recording: Recording) -> str:
    if cause == 0:
        return "nothing before it"
    name = words.short(cause)
    if cause in known:
        return f"{words.cause(known[cause])}, #{name}"
    part, protocol = "it is a part" * bool(recording.part), "its level is protocol"
    why = " or ".join(filter(None, (part, "" if recording.in_detail else protocol)))
    return f"#{name}, which is not in this journal" + (f" ({why})" if why else "")
