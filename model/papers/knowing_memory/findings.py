"""What one would expect of schedulers that know memory, and of nodes that borrow; in numbers."""

from functools import partial
from math import inf

from model.papers.findings import Finding, ranges
from model.papers.knowing_memory.cases import (
    EXACT,
    NOTHING,
    REQUESTED,
    USER,
    WINDOWS,
    everywhere,
    fewer_pct,
    knowing,
    longer_wait_s,
)
from model.papers.windows import FASTER

_BATAT = "Batat and Feitelson 2000"
_FUTURE = "thesis, 5.3"
_EXACT = [knowing(EXACT, case) for case in WINDOWS]

_knowing = partial(Finding, "Knowing memory", _BATAT)
_borrowing = partial(Finding, "Borrowing or knowing", _FUTURE)
_guessing = partial(Finding, "Guessing memory")

FINDINGS = (
    _knowing(
        "Without borrowing (DP), jobs are faster if the scheduler knows their memory exactly.",
        everywhere("DP", EXACT, 0, FASTER, "DP", NOTHING),
        why="No page is from the disk any more, but jobs wait for nodes that hold them: 240 to "
        "2,900 s on average, instead of 0 to 470 s. Which weighs more depends on the jobs: the "
        "first in the queue holds up all others, and once in five windows (from record 5,761 on, "
        "where the fewest pages are from the disk) this makes them 2.6 times as long.",
    ),
    _knowing(
        "This avoids at least nine tenths of the pages from disk.",
        ranges(_EXACT, "% fewer pages from disk, {}", ["DP"], 90, 100, fewer_pct),
    ),
    _knowing(
        "The price is that jobs wait longer for their start.",
        ranges(_EXACT, "longer wait, s, {}", ["DP"], 0, inf, longer_wait_s),
    ),
    _borrowing(
        "Borrowing beats waiting: jobs are faster with MAN and a scheduler that knows nothing than "
        "with DP and one that knows memory exactly.",
        everywhere("MAN", NOTHING, 0, FASTER, "DP", EXACT),
        why="It is so in each of the windows; over windows it is open, since they differ so much. "
        "MAN leaves next to nothing on the disk, and nobody waits for memory.",
    ),
    _borrowing(
        "Where memory is known exactly there is nothing left to borrow for: with MAN jobs take as "
        "long as with DP, within 1 %.",
        everywhere("MAN", EXACT, 0.99, 1.01, "DP", EXACT),
    ),
    _borrowing(
        "Both together are better than borrowing alone.",
        everywhere("MAN", EXACT, 0, FASTER, "MAN", NOTHING),
        why="With 85 % of the RAM all memory that jobs lack can be borrowed, so that knowledge "
        "saves nothing, and costs the wait.",
    ),
    _guessing(
        _BATAT,
        "What users ask for will do: without borrowing, jobs take at most 10 % longer than with "
        "exact knowledge.",
        everywhere("DP", REQUESTED, 0, 1.1, "DP", EXACT),
        why="Of the jobs, 5 to 17 % ask for more than a node has, though none uses that. Such a "
        "job is placed only when no other job is, and until then it holds up the queue: jobs wait "
        "for 25 minutes to 7 hours on average. What others ask for would do: in the median 1.0 to "
        "1.5 times what they use.",
    ),
    _guessing(
        _BATAT,
        "It does not matter what is taken where users have not said it: with all of a node's RAM "
        "(user) instead of the exact amount (requested), jobs are as fast, within 5 %.",
        everywhere("DP", USER, 0.95, 1.05, "DP", REQUESTED),
        why="At most 3 % of the jobs of a window asked for nothing. What a history of users is "
        "worth, this log cannot tell.",
    ),
    _guessing(
        _FUTURE,
        "Wrong guesses page, and then borrowing helps: with MAN jobs are faster than with DP.",
        tuple(everywhere("MAN", known, 0, FASTER, "DP", known) for known in (REQUESTED, USER)),
        why="Though 22 to 33 % of the jobs ask for less than they use, hardly a page is from the "
        "disk: where others ask for too much, RAM is left that covers it.",
    ),
    _guessing(
        _FUTURE,
        "With guesses, too, both together are better than borrowing alone.",
        tuple(everywhere("MAN", known, 0, FASTER, "MAN", NOTHING) for known in (REQUESTED, USER)),
        why="As for 7.",
    ),
)
