"""What the page draws of a session, as plain data: the page itself only draws it."""

from typing import Any

from model.core.journal import words
from model.core.journal.kinds import (
    Crashed,
    Delivered,
    Lost,
    Record,
    Restarted,
    Sent,
    Switch,
    is_detail,
)
from model.core.journal.past import (
    ENDED,
    FAILED,
    GRANT,
    HELD,
    KILLED,
    MOVING,
    QUEUED,
    RUNNING,
    SWITCHED_OUT,
    Decision,
    Past,
    PastNode,
)
from model.dashboard.goals import GOALS, arrival_of
from model.dashboard.session import Run, Session
from model.dashboard.sources import Recorded
from model.ground.units import BYTES_PER_MB, megabytes, seconds
from model.systems import comparison_of
from model.views.page.layout import Layout
from model.views.style import ANSWERS, color_of, grey_of, in_order

_MOST_RECORDS_MOVING = 10_000  # of a step, the last
_MOST_DETAILS_MOVING = 200  # messages about pages and barriers, and as many others
_LOG_LINES = 200
_LAST_MESSAGES = 12


class Stage:
    """What stays as it is while a session is watched: the network, and each node's RAM."""

    def __init__(self, session: Session) -> None:
        scenario = session.scenario
        self.layout = Layout(scenario, session.runs[0].source.network)
        constants = comparison_of(scenario).constants
        rams = getattr(constants, "rams", None) or (constants.ram,) * scenario.nodes
        self.rams: tuple[int, ...] = tuple(rams)


def stage_picture(session: Session, stage: Stage) -> dict[str, object]:
    """What the page gets once."""
    scenario = session.scenario
    ram = sorted({round(megabytes(ram), 1) for ram in stage.rams})
    sizes = " or ".join(f"{mb:g}" for mb in ram)
    return {
        "network": stage.layout.drawn(),
        "rams": [round(megabytes(ram), 3) for ram in stage.rams],
        "caption": f"{scenario.nodes} nodes with {sizes} MB on {scenario.topology}, "
        f"{scenario.bandwidth_mbps:g} Mbps, seed {scenario.seed}",
        "names": [run.source.name for run in session.runs],
        "managers": [list(run.source.managers) for run in session.runs],
        "replay": isinstance(session.runs[0].source, Recorded),
        "every_hop": all(run.source.every_hop for run in session.runs),
    }


def picture(session: Session, stage: Stage) -> dict[str, Any]:
    """What is seen at the moment that is shown."""
    seen = in_order(
        kind
        for run in session.runs
        for kind in (
            *run.history.traffic.arrived,
            *(message.sent.what for message in run.history.tip.under_way.values()),
        )
    )
    return {
        "at_ns": session.at_ns,
        "from_ns": session.from_ns,
        "known_ns": session.known_ns,
        "ended": session.has_ended,
        "kinds": {kind: [color_of(kind), kind in ANSWERS] for kind in seen},
        "goals": goals_of(session),
        "picked": session.picked,
        "runs": [_run_picture(session, stage, run) for run in session.runs],
    }


def goals_of(session: Session) -> list[str]:
    """How far a step may go."""
    kinds = in_order(
        kind for run in session.runs for kind in (*run.source.kinds, *run.history.traffic.arrived)
    )
    return [*GOALS, *map(arrival_of, kinds)]


def _run_picture(session: Session, stage: Stage, run: Run) -> dict[str, object]:
    state, history = run.state, run.history
    traffic = history.traffic
    step = run.step
    news = words.sentence(run.found) if run.found is not None else ""
    passed = words.step(step) if run.before < run.shown else ""
    missing = history.complete_from_ns > session.at_ns
    messages, left_out = moving(run, step, stage.layout)
    times_s, rates = traffic.rates(history.known_ns)
    return {
        "line": state_line(state),
        "sentence": " — ".join(part for part in (news, passed) if part),
        "complaint": run.source.complaint or "",
        "missing": "hops, pages and barriers before "
        f"{seconds(history.complete_from_ns):,.3f} s are not kept"
        if missing
        else "",
        "nodes": [node_mark(node, ram) for node, ram in zip(state.nodes, stage.rams, strict=True)],
        "links": {
            name: round(share, 4) for name, share in traffic.utilization(session.at_ns).items()
        },
        "span_s": [seconds(edge) for edge in traffic.around(session.at_ns)],
        "messages": messages,
        "left_out": left_out,
        "lost": [[it.node, words.sentence(it)] for it in step if it.kind == Lost.name],
        "rates": {"times_s": [_short(it) for it in times_s], "kinds": rates},
        "responses": [[_short(end), _short(took)] for end, took in history.responses],
        "log": _log(run),
        "details": node_details(state, session.picked, stage, run),
    }


def state_line(past: Past) -> str:
    """How many jobs and messages there are, in a line."""
    states = [job.state for job in past.jobs.values()]
    counts = {
        "run or move": sum(it in (RUNNING, MOVING) for it in states),
        "wait for a grant": states.count(GRANT),
        "switched out": states.count(SWITCHED_OUT),
        "queued": sum(it in (QUEUED, HELD) for it in states),
        ENDED: states.count(ENDED),
        FAILED: states.count(FAILED),
        KILLED: states.count(KILLED),
    }
    parts = [f"{count:,} {what}" for what, count in counts.items() if count or what == ENDED]
    others = {"messages on their way": len(past.under_way)}
    for kind, what in (
        (Switch, "context switches"),
        (Lost, "messages lost"),
        (Restarted, "restarts"),
    ):
        if past.counts[kind.name]:
            others[what] = past.counts[kind.name]
    if past.counts[Crashed.name] or any(node.down for node in past.nodes):
        others["nodes down"] = sum(bool(node.down) for node in past.nodes)
    counted = "; ".join(f"{count:,} {what}" for what, count in others.items())
    return f"jobs: {', '.join(parts)}; {counted}"


def node_mark(node: PastNode, ram: int) -> dict[str, Any]:
    """A node's memory in MB, and its label in words."""
    parts = [megabytes(part) for part in node.parts(ram)]
    own, lent, idle, crashed, borrowed, asked, on_disk = parts
    down = "".join(
        f"; its {what} has {how} at {seconds(since_ns):,.6f} s"
        if what != "node"
        else f"; it has {how} at {seconds(since_ns):,.6f} s"
        for (what, how), since_ns in node.down.items()
    )
    of_no_use = f", {crashed:.1f} of no use after its crash" if node.has_crashed else ""
    return {
        "mb": [round(part, 3) for part in parts],
        "down": next((grey_of(*of) for of in node.down), None),
        "label": f"Node {node.number}: {own:.1f} MB of its own in RAM, {lent:.1f} lent, "
        f"{idle:.1f} idle{of_no_use}; over-allocated: {borrowed:.1f} borrowed, {asked:.1f} asked "
        f"for, {on_disk:.1f} on disk; RAM {megabytes(ram):.1f} MB{down}",
    }


def moving(run: Run, step: list[Record], layout: Layout) -> tuple[list[list[Any]], int]:
    """The messages that were on their way during a step, with their hops; how many are left out.

    Each is [id, kind, from, to, sent, gone (None: still on its way), lost, hops], each hop
    [arrival, start, end, places of vertices]; times in ns. Of those about pages and barriers that
    have arrived only the last are taken.
    """
    surplus = len(step) - _MOST_RECORDS_MOVING
    before = run.before
    if surplus > 0:
        before = run.history.numbers[run.history.place(before) + surplus - 1]
    under_way = run.history.state(before).under_way
    found: dict[int, list[Any]] = {}
    details: set[int] = set()

    def take(sent: Record) -> None:
        found[sent.id] = [
            str(sent.id), sent.what, sent.node, sent.peer, sent.time_ns, None, False, []
        ]  # fmt: skip
        if is_detail(sent):
            details.add(sent.id)

    def pass_hop(hop: Record) -> None:
        line = layout.line(hop.node, hop.peer, hop.station)
        found[hop.id][7].append([hop.time_ns, hop.start_ns, hop.end_ns, line])

    for message in under_way.values():
        take(message.sent)
        if message.hop is not None:
            pass_hop(message.hop)
    for record in step[max(0, surplus) :]:
        if record.kind == Sent.name and record.node != record.peer:
            take(record)
        elif record.id in found:
            if record.station is not None:
                pass_hop(record)
            else:
                found[record.id][5] = record.time_ns
                found[record.id][6] = record.kind == Lost.name
    here = [number for number, message in found.items() if message[5] is None]
    gone = [number for number, message in found.items() if message[5] is not None]
    of_pages = [number for number in gone if number in details][-_MOST_DETAILS_MOVING:]
    of_protocol = [number for number in gone if number not in details][-_MOST_DETAILS_MOVING:]
    kept = [*here, *of_pages, *of_protocol]
    left_out = len(found) - len(kept) + sum(it.kind == Sent.name for it in step[: max(0, surplus)])
    return [found[number] for number in kept], left_out


def _log(run: Run) -> list[list[object]]:
    """The last lines up to what is shown: the record's number, time (s), words, whether new."""
    lines: list[list[Any]] = []
    records, numbers = run.history.records, run.history.numbers
    for place in range(run.history.place(run.shown) - 1, -1, -1):
        if words.is_worth_a_line(records[place]):
            new = numbers[place] > run.before
            time_s = seconds(records[place].time_ns)
            lines.append([numbers[place], time_s, words.sentence(records[place]), new])
            if len(lines) == _LOG_LINES:
                break
    return lines


def node_details(past: Past, number: int, stage: Stage, run: Run) -> dict[str, Any]:
    """A node's memory, jobs, loans, beliefs and last messages: a title, words and tables."""
    node = past.nodes[number]
    does = "manages" if number in run.source.managers else "manages nothing"
    processes = [
        [it.job, _mb(it.size), it.state, f"{seconds(it.since_ns):,.3f}"]
        for it in node.processes.values()
    ]
    borrowed = [[f"from {server}", _mb(size)] for server, size in sorted(node.loans.items())]
    lent = [
        [f"to {other.number}", _mb(other.loans[number])]
        for other in past.nodes
        if number in other.loans
    ]
    return {
        "title": f"Node {number}" + (f": {does}" if run.source.managers else ""),
        "text": node_mark(node, stage.rams[number])["label"].partition(": ")[2],
        "tables": [
            _table("Jobs here", ["job", "MB", "state", "since s"], processes, "none"),
            _table("Loans", ["with", "MB"], [*borrowed, *lent], "none"),
            *(
                _beliefs(role, decision)
                for (where, role), decision in past.decisions.items()
                if where == number
            ),
            _last_messages(run, number),
        ],
    }


def _beliefs(role: str, decision: Decision) -> dict[str, Any]:
    """What a role believed of the candidates of its latest search, when it last chose one."""
    rows = [
        [
            candidate,
            "no word" if belief.believed is None else _mb(belief.believed),
            ""
            if belief.stated_ns is None
            else f"{seconds(decision.time_ns - belief.stated_ns):,.3f}",
            _mb(belief.true),
        ]
        for candidate, belief in sorted(decision.candidates.items())
    ]
    when = f"{seconds(decision.time_ns):,.3f} s"
    whose = "group of node" if decision.groups else "node"
    return _table(
        f"What its {role} believed at its last choice ({when})",
        [whose, "free MB", "age s", "true MB"],
        rows,
        "it knew of nobody",
    )


def _last_messages(run: Run, number: int) -> dict[str, object]:
    """The last protocol messages that a node has received."""
    rows: list[list[Any]] = []
    records = run.history.records
    for place in range(run.history.place(run.shown) - 1, -1, -1):
        record = records[place]
        if record.node == number and record.kind == Delivered.name and not is_detail(record):
            whom = "itself" if record.peer == number else record.peer
            job = "" if record.job is None else record.job
            rows.append([f"{seconds(record.time_ns):,.6f}", record.what, whom, job])
            if len(rows) == _LAST_MESSAGES:
                break
    head = ["at s", "kind", "from", "job"]
    return _table("Last protocol messages received", head, rows, "none")


def _table(title: str, head: list[str], rows: list[list[Any]], empty: str) -> dict[str, Any]:
    return {"title": title, "head": head, "rows": rows, "empty": empty}


def _mb(size_bytes: int) -> str:
    return f"{size_bytes / BYTES_PER_MB:,.2f}"


def _short(value: float) -> float:
    return float(f"{value:.6g}")
