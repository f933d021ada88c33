"""What a node was at a time: its memory and loans, its processes, and what its roles held.

It answers: what does this node hold, lend, borrow, believe? Of roles it tells what they have noted
last: the attributes that they show, gauges, counts, and notes of their own. A crash forgets them.
"""

import json
from collections.abc import Iterator

from model.core.journal import words
from model.core.journal.kinds import DETAILS
from model.core.journal.past import Past, PastNode
from model.ground.errors import InputError
from model.ground.text import in_lines
from model.ground.units import NS_PER_S
from model.views.caption import caption
from model.views.recording import Recording, Selection

_FEW = 8  # nodes with loans that are listed


def tell(
    recording: Recording,
    selection: Selection,
    at_s: float | None = None,
    node: int | None = None,
) -> str:
    """The node after all that has happened up to that time, a line for each thing.

    Raises InputError without a time and a node of the cluster, and for load sharing.
    """
    if at_s is None or node is None:
        raise InputError("--at and --node: give both; they name the node to look at, and when")
    nodes = recording.scenario.nodes
    if not 0 <= node < nodes:
        raise InputError(f"--node {node}: nodes are 0 to {nodes - 1}")
    if not recording.scenario.lends_memory:
        raise InputError("--kind state: nodes of load sharing have no roles; take another view")
    past, at_ns = Past(nodes), round(at_s * NS_PER_S)
    for record in recording.each():
        if record.time_ns <= at_ns and record.kind not in DETAILS:
            past.read(record)
    head = f"Node {node}, {recording.design}, at {words.time(at_ns)}"
    parts = (_outages, _memory, _loans, _processes, _roles)
    ram = int(recording.rams[node, 0])
    lines = [line for part in parts for line in part(past, past.nodes[node], ram)]
    return in_lines([caption(recording, selection), head, *(f"  {line}" for line in lines)])


def _outages(past: Past, node: PastNode, ram: int) -> Iterator[str]:
    for (what, how), since_ns in node.down.items():
        yield f"the {what} is {how} since {words.time(since_ns)}"
    if node.leaving and not node.is_down:
        yield "is leaving: it lends nothing new"


def _memory(past: Past, node: PastNode, ram: int) -> Iterator[str]:
    its = node.parts(ram)
    known = {"own": its.own, "lent": its.lent, "idle": its.idle, "lost": its.crashed}
    yield f"RAM {words.amount(ram)}: {_amounts(known)}"
    known = {"borrowed": its.borrowed, "asked for": its.asked, "on disk": its.on_disk}
    yield f"over-allocated: {_amounts(known)}"


def _amounts(known: dict[str, int]) -> str:
    listed = [f"{name} {words.amount(size)}" for name, size in known.items() if size]
    return ", ".join(listed) or "nothing"


def _loans(past: Past, node: PastNode, ram: int) -> Iterator[str]:
    lent = {it.number: it.loans[node.number] for it in past.nodes if node.number in it.loans}
    for what, loans in (("borrows from", node.loans), ("lends to", lent)):
        most = sorted(loans.items(), key=lambda loan: (-loan[1], loan[0]))
        listed = [f"node {other} ({words.amount(size)})" for other, size in most[:_FEW]]
        if len(most) > _FEW:
            listed.append(f"{len(most) - _FEW} more")
        if listed:
            yield f"{what} {', '.join(listed)}"


def _processes(past: Past, node: PastNode, ram: int) -> Iterator[str]:
    for it in node.processes.values():
        since = f"since {words.time(it.since_ns)}"
        yield f"rank {it.rank} of job {it.job}, {words.amount(it.size)}: {it.state} {since}"


def _roles(past: Past, node: PastNode, ram: int) -> Iterator[str]:
    names = [role for number, role in past.decisions if number == node.number]
    names += [role for role, _ in node.noted]
    for role in dict.fromkeys(sorted(names)):
        yield f"its {role}:"
        for (whose, name), payload in node.noted.items():
            if whose == role:
                value = json.loads(payload)
                yield f"  {name}: {value if isinstance(value, str) else payload}"
        choice = past.decisions.get((node.number, role))
        if choice is not None:
            whom = "nobody" if choice.chosen is None else f"node {choice.chosen}"
            belief = "" if choice.belief is None else f", {words.belief(choice.belief)}"
            yield f"  chose last, at {words.time(choice.time_ns)}, {whom}{belief}"
