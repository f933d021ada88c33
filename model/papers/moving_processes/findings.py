"""What one would expect of memory that moves, of processes that move, and of both; in numbers."""

from model.papers.findings import Finding, ranges
from model.papers.moving_processes.cases import (
    BORROWING,
    BOTH,
    FAST_MBPS,
    LESS_SCARCE,
    MOVING,
    NEITHER,
    SLOW_MBPS,
    WINDOWS,
    at,
    everywhere,
    in_larger,
    moving_pct,
)
from model.papers.windows import FASTER

_MOSIX = "MOSIX (Barak and La'adan 1998)"
_FUTURE = "thesis, 5.3"

FINDINGS = (
    Finding(
        "Moving alone",
        _MOSIX,
        "Jobs are faster if processes move away from nodes that page to disk.",
        (everywhere(MOVING, 0, FASTER, NEITHER),),
    ),
    Finding(
        "Moving alone",
        _MOSIX,
        "Moving is cheap: at most a hundredth of the response time is spent on it.",
        tuple(
            ranges("% of the response time, {}", at(FAST_MBPS, case), [MOVING], 0, 1, moving_pct)
            for case in (*WINDOWS, LESS_SCARCE)
        ),
    ),
    Finding(
        "Moving or borrowing",
        _FUTURE,
        "Borrowing beats moving: jobs are faster with MAN than if processes move, since memory can "
        "be lent in parts and by many nodes.",
        (everywhere(BORROWING, 0, FASTER, MOVING),),
    ),
    Finding(
        "Moving or borrowing",
        _FUTURE,
        "Over a slow network it is the other way round, since a process moves once, and borrowed "
        "pages go to and fro.",
        (everywhere(MOVING, 0, FASTER, BORROWING, SLOW_MBPS),),
    ),
    Finding(
        "Both",
        _FUTURE,
        "Jobs are faster with both than with borrowing alone.",
        (everywhere(BOTH, 0, FASTER, BORROWING),),
    ),
    Finding(
        "Both",
        _FUTURE,
        "They are faster with both than with moving alone.",
        (everywhere(BOTH, 0, FASTER, MOVING),),
    ),
    Finding(
        "Where memory is less scarce",
        _MOSIX,
        "There is more room to move to: with 85 % RAM jobs are faster if processes move.",
        (in_larger(MOVING, 0, FASTER, NEITHER),),
    ),
    Finding(
        "Where memory is less scarce",
        _FUTURE,
        "There, too, borrowing beats moving.",
        (in_larger(BORROWING, 0, FASTER, MOVING),),
    ),
    Finding(
        "Where memory is less scarce",
        _FUTURE,
        "There, jobs are faster with both than with borrowing alone.",
        (in_larger(BOTH, 0, FASTER, BORROWING),),
    ),
)
