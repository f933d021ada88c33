"""What one would expect of schedulers that know memory, and of nodes that borrow; in numbers."""

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

FINDINGS = (
    Finding(
        "Knowing memory",
        _BATAT,
        "Without borrowing (DP), jobs are faster if the scheduler knows their memory exactly.",
        (everywhere("DP", EXACT, 0, FASTER, "DP", NOTHING),),
    ),
    Finding(
        "Knowing memory",
        _BATAT,
        "This avoids at least nine tenths of the pages from disk.",
        tuple(
            ranges("% fewer pages from disk, {}", knowing(EXACT, case), ["DP"], 90, 100, fewer_pct)
            for case in WINDOWS
        ),
    ),
    Finding(
        "Knowing memory",
        _BATAT,
        "The price is that jobs wait longer for their start.",
        tuple(
            ranges("longer wait, s, {}", knowing(EXACT, case), ["DP"], 0, inf, longer_wait_s)
            for case in WINDOWS
        ),
    ),
    Finding(
        "Borrowing or knowing",
        _FUTURE,
        "Borrowing beats waiting: jobs are faster with MAN and a scheduler that knows nothing than "
        "with DP and one that knows memory exactly.",
        (everywhere("MAN", NOTHING, 0, FASTER, "DP", EXACT),),
    ),
    Finding(
        "Borrowing or knowing",
        _FUTURE,
        "Where memory is known exactly there is nothing left to borrow for: with MAN jobs take as "
        "long as with DP, within 1 %.",
        (everywhere("MAN", EXACT, 0.99, 1.01, "DP", EXACT),),
    ),
    Finding(
        "Borrowing or knowing",
        _FUTURE,
        "Both together are better than borrowing alone.",
        (everywhere("MAN", EXACT, 0, FASTER, "MAN", NOTHING),),
    ),
    Finding(
        "Guessing memory",
        _BATAT,
        "What users ask for will do: without borrowing, jobs take at most 10 % longer than with "
        "exact knowledge.",
        (everywhere("DP", REQUESTED, 0, 1.1, "DP", EXACT),),
    ),
    Finding(
        "Guessing memory",
        _BATAT,
        "It does not matter what is taken where users have not said it: with all of a node's RAM "
        "(user) instead of the exact amount (requested), jobs are as fast, within 5 %.",
        (everywhere("DP", USER, 0.95, 1.05, "DP", REQUESTED),),
    ),
    Finding(
        "Guessing memory",
        _FUTURE,
        "Wrong guesses page, and then borrowing helps: with MAN jobs are faster than with DP.",
        tuple(everywhere("MAN", known, 0, FASTER, "DP", known) for known in (REQUESTED, USER)),
    ),
    Finding(
        "Guessing memory",
        _FUTURE,
        "With guesses, too, both together are better than borrowing alone.",
        tuple(everywhere("MAN", known, 0, FASTER, "MAN", NOTHING) for known in (REQUESTED, USER)),
    ),
)
