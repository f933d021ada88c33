"""What one would expect where jobs do not say at their start what they will need; in numbers."""

from functools import partial
from math import inf

from model.papers.changing_memory.cases import (
    AGAIN,
    ASKING_ONCE,
    CHANGING,
    OFTEN,
    RESERVE_MB,
    SELDOM,
    everywhere,
)
from model.papers.findings import Finding
from model.papers.windows import FASTER

_FUTURE = "thesis, 5.3"

_asking_once = partial(Finding, "Asking once", _FUTURE)
_asking_again = partial(Finding, "Asking again", _FUTURE)
_how_often = partial(Finding, "How often", "the rules of RECLAIM")

FINDINGS = (
    _asking_once(
        "With a ramp, designs that ask at the start alone gain nothing: jobs take as long as with "
        "disk paging, within 1 %.",
        tuple(everywhere("ramp", design, 0.99, 1.01) for design in ASKING_ONCE),
        why="Nothing is lacking when a job starts with a quarter of its memory (0 MB, of 520 MB "
        "with static memory), so nobody asks; and what is lacking later, nobody hears of.",
    ),
    _asking_once(
        "With phases they still gain: jobs are faster than with disk paging.",
        tuple(everywhere("phases", design, 0, FASTER) for design in ASKING_ONCE),
        why="In the mean they do; in a single window, the share with which a job happens to start "
        "decides, and that is drawn. What is lacking at starts (111 MB with MAN) is found.",
    ),
    _asking_once(
        "With phases they leave more than half of the pages of disk paging on the disk.",
        tuple(
            everywhere("phases", design, 0.5, inf, measure="faults_disk") for design in ASKING_ONCE
        ),
        why="As for 2: in the mean it is three fifths, in a window it depends on the shares drawn.",
    ),
    _asking_again(
        "With a ramp or phases, jobs are faster if lenders recall memory and borrowers ask again "
        "(RECLAIM) than with MAN.",
        tuple(everywhere(profile, AGAIN, 0, FASTER, "MAN") for profile in CHANGING),
        why="Clients ask when memory has grown, and what they lack is found: next to nothing is "
        "left on the disk (5). It is open with phases at 65 % RAM alone, where MAN finds most.",
    ),
    _asking_again(
        "Then at most half of the pages of disk paging are from the disk.",
        tuple(everywhere(profile, AGAIN, 0, 0.5, measure="faults_disk") for profile in CHANGING),
        why="While most jobs hold less than all of their memory, more nodes have memory to lend "
        "than with static memory, where a third of what is lacking at starts is not found.",
    ),
    _how_often(
        "How often a client asks again matters little, as it asks whenever its memory changes: "
        "with 10 s or 300 s instead of 60 s jobs are as fast, within 5 %.",
        tuple(
            everywhere(profile, design, 0.95, 1.05, AGAIN)
            for profile in CHANGING
            for design in (OFTEN, SELDOM)
        ),
        why="What is lacking is found when it is asked for first, as memory grows; the pages that "
        "wait for the next time differ up to threefold, but they are less than a hundredth of "
        "those of disk paging (5).",
    ),
    _how_often(
        "Asking every 10 s takes more than three times the messages of asking every 60 s.",
        tuple(
            everywhere(profile, OFTEN, 3, inf, AGAIN, "protocol_messages") for profile in CHANGING
        ),
        why="A client asks again only while something is missing, which is seldom: with phases "
        "1,400 of 21,800 messages are due to asking every 10 s.",
    ),
    Finding(
        "What lenders keep",
        "watermarks of free pages, as in Linux",
        f"A reserve pays: where lenders keep {RESERVE_MB} MB instead of 0.1 MB for their own jobs "
        "to grow into, jobs are faster.",
        tuple(
            everywhere(profile, AGAIN, 0, FASTER, AGAIN, threshold_mb=RESERVE_MB)
            for profile in CHANGING
        ),
        why="Recalls are few (7 a run with a ramp, 32 with phases), and a lender that runs short "
        "itself borrows like anyone else. A reserve saves some of them, but it leaves less to "
        "lend, so that more servers must be asked: with a ramp the messages double.",
    ),
)
