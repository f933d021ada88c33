"""The tables of a comparison of designs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model.core.measures import BEYOND, SHORT, Summary, Table, is_beyond
from model.core.result import RunResult
from model.pnr.in_words import in_words
from model.pnr.measures import FAULTS, MEASURES, OWN, own_measures, submitted
from model.pnr.waste import BELIEFS, MEASURE_OF_USE, MISSED, OBSERVED, WASTED
from model.terminal.printing import table_of, with_units

_WITH_MESSAGES = ("messages", "pcs")  # measures that only `message_tables` shows
_NEXT = (
    "Next: --seed 2 makes other random draws; --journal run.parquet records all messages, which "
    "run.py view run.parquet --out page.html shows."
)


def tables(results: Sequence[RunResult]) -> list[Table]:
    """A table with one row per design, and others of what protocols count, and of faults."""
    summaries = [result.summary for result in results]
    title = f"mean response time of {_compared(summaries[0])}, seed {summaries[0]['seed']}"
    found = [_short(summaries, title)]
    if own := own_measures(summaries):
        found.append(table_of(own, OWN, summaries, ["design"], "what the protocols count"))
    if "faults" in summaries[0]:
        title = "faults: jobs, messages, servents and memory"
        found.append(table_of(MEASURES, FAULTS, summaries, ["design"], title))
    return found


def message_tables(results: Sequence[RunResult]) -> list[Table]:
    """All messages and context switches, one row per design, and messages by kind."""
    summaries = [result.summary for result in results]
    kinds = dict.fromkeys(kind for summary in summaries for kind in summary["messages"])
    counts = {kind: [_count(summary, kind) for summary in summaries] for kind in kinds}
    designs = [summary["design"] for summary in summaries]
    sent = [(kind, *sent) for kind, sent in counts.items() if {*sent} - {"0", BEYOND}]
    counted = [measure for measure in MEASURES if measure.name in _WITH_MESSAGES]
    return [
        table_of(counted, SHORT, summaries, ["design"], "messages, and parallel context switches"),
        Table(["kind"], designs, sent, "messages over the network, by kind"),
    ]


def story(results: Sequence[RunResult]) -> list[str]:
    """What the comparison tells, in sentences, and what to try next."""
    return [*in_words([result.summary for result in results]), _NEXT]


def _short(summaries: Sequence[Summary], title: str) -> Table:
    """A line a design; one for all if nothing was paged and they take equally long, as is shown."""
    measures = [measure for measure in MEASURES if measure.name not in _WITH_MESSAGES]
    table = with_units(table_of(measures, SHORT, summaries, ["design"], title))
    paged = any(summary["faults_disk"] or summary["faults_network"] for summary in summaries)
    if (
        paged
        or any(map(is_beyond, summaries))
        or len(summaries) == 1
        or len({times for _, times, *_ in table.lines}) > 1
    ):
        return table
    alike = [measure for measure in measures if measure.name != "optimization_ratio_pct"]
    table = table_of(alike, SHORT, summaries, ["design"], f"{title}: nothing was paged")
    names, *columns = zip(*table.lines, strict=True)
    line = [", ".join(names), *(" or ".join(dict.fromkeys(cells)) for cells in columns)]
    return replace(table, lines=[line])


def observed_tables(results: Sequence[RunResult]) -> list[Table]:
    """How useful messages were, how good beliefs were, and what was idle meanwhile."""
    summaries = [result.summary for result in results]
    beliefs = (
        "beliefs about the chosen servers: age, absolute error and bias of load reports (a server "
        "never heard from is assumed idle)"
    )
    missed = "idle memory that was not found (regret: by a search)"
    return [
        _uses(summaries),
        _not_used(summaries),
        table_of(OBSERVED, BELIEFS, summaries, ["design"], beliefs),
        table_of(OBSERVED, MISSED, summaries, ["design"], missed),
    ]


def _count(summary: Summary, kind: str) -> str:
    return BEYOND if is_beyond(summary) else f"{summary['messages'].get(kind, 0):,}"


def _compared(summary: Mapping[str, object]) -> str:
    """Over which jobs the means are."""
    if "jobs_compared" not in summary:
        return f"{submitted(summary) if is_beyond(summary) else summary['jobs']} jobs"
    return (
        f"the {summary['jobs_compared']} jobs that ended under every design (* not to be "
        "compared: means of different jobs)"
    )


def _uses(summaries: Sequence[Summary]) -> Table:
    """How many messages were of each use, one row per design."""
    rows = []
    for summary in summaries:
        if is_beyond(summary):
            rows.append((summary["design"], *[BEYOND] * len(MEASURE_OF_USE)))
            continue
        counts = [sum(summary[key].values()) for key in MEASURE_OF_USE.values()]
        rows.append((summary["design"], *(_share(count, sum(counts)) for count in counts)))
    title = "protocol messages over the network, by use (% of all)"
    return Table(["design"], [*MEASURE_OF_USE], rows, title)


def _not_used(summaries: Sequence[Summary]) -> Table:
    """How many messages of each kind were not used, one column per design that was not given up."""
    summaries = [summary for summary in summaries if not is_beyond(summary)]
    rows = []
    for kind in dict.fromkeys(kind for summary in summaries for kind in summary["messages"]):
        of_kind = [
            {use: s[key].get(kind, 0) for use, key in MEASURE_OF_USE.items()} for s in summaries
        ]
        wasted = [(sum(uses[it] for it in WASTED), sum(uses.values())) for uses in of_kind]
        if any(count for count, _ in wasted):
            rows.append((kind, *(_share(*counts) for counts in wasted)))
    designs = [summary["design"] for summary in summaries]
    return Table(["kind"], designs, rows, "refused, unused or outdated ones (% of their kind)")


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({f'{100 * part / whole:.0f} %' if whole else '-'})"
