"""The steps of which a search tries all orders."""

from typing import NamedTuple

PLACE, END, DELIVER, FIRE, LOSE, DUPLICATE, CRASH, RESTART, JOIN, LEAVE, GO = range(11)
OF_MESSAGES = DELIVER, LOSE, DUPLICATE
#: The kinds of records of what befalls a servent or node.
FAILURES = {
    CRASH: "crashed",
    RESTART: "restarted",
    JOIN: "joined",
    LEAVE: "leaving",
    GO: "gone",
}


class Step(NamedTuple):
    """One step: its kind, and what it is about.

    PLACE the next job in way `a`; END the process on node `a` of job `b`, or number `c` of several
    that have started there; DELIVER, LOSE or DUPLICATE message number `c` of those from `a` to `b`;
    FIRE timer number `b` of node `a`; CRASH or RESTART the servent of node `a`. Node `a` is there
    from now on (JOIN), is told to LEAVE, or is gone (GO).
    """

    kind: int
    a: int = 0
    b: int = 0
    c: int = 0
