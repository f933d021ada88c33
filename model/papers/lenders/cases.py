"""The cases of the study: capacities, lenders that come or go, lost replies."""

from typing import Any

from model.papers.cases import Case, declared, tables_of

_STUDY = declared("lenders")

RANDOM, FREEST, P2C, PROBE, SLABS, WORST, BY_SHARE, EVERYWHERE = DESIGNS = tuple(_STUDY["designs"])
EQUAL = "equal"
CAPACITIES = tuple(_STUDY["choice"]["capacity"])
JOINS, LEAVES, CRASHES = CHANGES = tuple(_STUDY["choice"]["change"])
LOST = tuple(_STUDY["choice"]["lost"])  # kinds of replies
#: The workload of each seed.
WORKLOADS = {
    seed: int(number)
    for number, workload in _STUDY["choice"]["workload"].items()
    for seed in workload["seed"]
}


def case(name: str) -> Case:
    """A capacity, a change, or `lost ServerReply`."""
    choices = _STUDY["choice"]
    lost = {f"lost {kind}": tables for kind, tables in choices["lost"].items()}
    given: dict[str, Any] = {**choices["capacity"], **choices["change"], **lost}[name]
    return Case(name, {kind: tables_of(kind, tables[0]) for kind, tables in given.items()})


def lost_case(design: str) -> Case:
    """The case in which one in a hundred of the replies is lost by which memory is lent."""
    kind = {PROBE: "LoanReply", SLABS: "SlabReply"}.get(design, "ServerReply")
    return case(f"lost {kind}")


#: All that can go otherwise, by name, and in which case a design has it.
TROUBLES = (*CHANGES, "a lost reply")


def trouble(name: str, design: str) -> Case:
    """The case of a design with this trouble."""
    return case(name) if name in CHANGES else lost_case(design)
