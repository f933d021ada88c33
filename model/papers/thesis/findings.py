"""What the thesis found in chapters 4 and 5, as `text/findings.toml` states it."""

from model.papers.cases import Case
from model.papers.statements import Terms, read_findings
from model.papers.thesis.cases import (
    CASES,
    H64,
    H128,
    L64,
    L128,
    PNR,
    SMALL,
    coordinated,
    every,
    pnr,
)
from model.papers.thesis.claims import KINDS
from model.papers.thesis.reasons import NUMBERS, NUMBERS_OF
from model.sweeps.advice import NETWORKS

_GROUPS = {"64 nodes": (L64, H64), "128 nodes": (L128, H128), "all": CASES}
_LOADS = {"light": (L64, L128), "heavy": (H64, H128)}


def _in_both(case: Case) -> list[str]:
    """The designs that are run on either cluster."""
    return [name for name in PNR[SMALL] if name in pnr(case)]


FINDINGS = read_findings(
    "thesis",
    Terms(
        cases={
            **{case.name: case for case in CASES},
            **_GROUPS,
            **_LOADS,
            **{  # the networks that table 5.1 calls slow and fast
                f"{load}, {network} networks": [
                    case.but(**varied) for case in cases for varied in NETWORKS[network]
                ]
                for load, cases in _LOADS.items()
                for network in ("slow", "fast")
            },
        },
        designs={
            "network RAM": pnr,
            "network RAM on both clusters": _in_both,
            "coordinated": coordinated,
            "all": every,
        },
        kinds=KINDS,
        numbers=NUMBERS,
        numbers_of=NUMBERS_OF,
    ),
)
