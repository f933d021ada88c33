"""What one would expect of memory that moves, of processes that move, and of both; in numbers."""

from functools import partial

from model.papers.findings import Finding, ranges
from model.papers.moving_processes.cases import (
    BORROWING,
    BOTH,
    FAST_MBPS,
    MOVING,
    NEITHER,
    SLOW_MBPS,
    at,
    everywhere,
    in_larger,
    moving_pct,
)
from model.papers.windows import FASTER

_MOSIX = "MOSIX (Barak and La'adan 1998)"
_FUTURE = "thesis, 5.3"

_moving_alone = partial(Finding, "Moving alone", _MOSIX)
_moving_or_borrowing = partial(Finding, "Moving or borrowing", _FUTURE)
_both = partial(Finding, "Both", _FUTURE)
_less_scarce = partial(Finding, "Where memory is less scarce")

FINDINGS = (
    _moving_alone(
        "Jobs are faster if processes move away from nodes that page to disk.",
        everywhere(MOVING, 0, FASTER, NEITHER),
        why="There is seldom a node that has room for a whole process: with 50 % of the RAM none "
        "moves in two of the windows, and at most ten in the others. With 65 %, moves avoid two "
        "thirds of the pages from disk, and gain 1 %: what a job's processes save that have moved, "
        "they wait at barriers for those that have not.",
    ),
    _moving_alone(
        "Moving is cheap: at most a hundredth of the response time is spent on it.",
        ranges(at(FAST_MBPS), "% of the response time, {}", [MOVING], 0, 1, moving_pct),
        why="So few move, and while their job is suspended, when nothing waits for them.",
    ),
    _moving_or_borrowing(
        "Borrowing beats moving: jobs are faster with MAN than if processes move, since memory can "
        "be lent in parts and by many nodes.",
        everywhere(BORROWING, 0, FASTER, MOVING),
        why="As it says: what is lacking is found in parts, where no node has room for a process.",
    ),
    _moving_or_borrowing(
        "Over a slow network it is the other way round, since a process moves once, and borrowed "
        "pages go to and fro.",
        everywhere(MOVING, 0, FASTER, BORROWING, SLOW_MBPS),
        why="Nearly nothing moves (1), and even over 10 Mbps jobs take three quarters of the time "
        "with borrowed pages that they take with pages from the disk.",
    ),
    _both(
        "Jobs are faster with both than with borrowing alone.",
        everywhere(BOTH, 0, FASTER, BORROWING),
        why="MAN leaves little on the disk for which to move. The four moves from record 1,621 on "
        "even harm: jobs are switched out for longer, as a process on a node that was idle in its "
        "slot keeps other jobs from running there.",
    ),
    _both("They are faster with both than with moving alone.", everywhere(BOTH, 0, FASTER, MOVING)),
    _less_scarce(
        _MOSIX,
        "There is more room to move to: with 85 % RAM jobs are faster if processes move.",
        in_larger(MOVING, 0, FASTER, NEITHER),
        why="There is: 17 to 62 processes move in a run, and most of the pages from disk are "
        "avoided in three windows, where jobs are 12 to 27 % faster. But a moved process occupies "
        "a node of its slot that others would have used: from record 1,201 on, jobs wait for 300 s "
        "for their start instead of none, and are switched out for twice as long.",
    ),
    _less_scarce(
        _FUTURE,
        "There, too, borrowing beats moving.",
        in_larger(BORROWING, 0, FASTER, MOVING),
        why="It is so in each of the windows; over windows it is open, since they differ so much. "
        "Memory that is lent leaves the schedule as it is.",
    ),
    _less_scarce(
        _FUTURE,
        "There, jobs are faster with both than with borrowing alone.",
        in_larger(BOTH, 0, FASTER, BORROWING),
        why="With MAN nothing is left on the disk, so no process moves.",
    ),
)
