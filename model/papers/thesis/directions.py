"""Where the directions of the thesis's findings hold: networks, loads, readings, jobs."""

from typing import Any

from model.papers.findings import NOT_REPRODUCED, OPEN, PARTLY, REPRODUCED, Finding
from model.papers.measurements import Measurements
from model.papers.tables import table
from model.papers.thesis.cases import LOADS, OTHER_LOADS, load, other_readings, slower, windows
from model.papers.thesis.findings import FINDINGS

_WORDS = {REPRODUCED: "yes", PARTLY: "partly", NOT_REPRODUCED: "no", OPEN: "open"}


def _places() -> dict[str, dict[str, Any]]:
    """What a finding's cases are moved to, by what a column is called."""
    networks = {f"{mbps:g} Mbps": {"bandwidth_mbps": mbps} for mbps in slower()}
    loads = {name: {"load_factor": 1, **load(name)} for name in (*LOADS, *OTHER_LOADS)}
    readings = {"swap": {"page_exchange": "swap"}, "full duplex": {"duplex": "full"}}
    return {**networks, **loads, **readings, **other_readings()}


def directions(measured: Measurements) -> str:
    """A table of the findings whose cases have runs elsewhere, too: one row for each."""
    places = _places()
    rows = []
    for finding in FINDINGS:
        if finding.untestable or not finding.claims:
            continue
        verdicts = [_verdict(finding, measured.elsewhere(**moved)) for moved in places.values()]
        of_windows = [
            _verdict(finding, measured.elsewhere(first=first, jobs=jobs, load_factor=1))
            for first, jobs in windows()
        ]
        known = [one for one in of_windows if one]
        counted = f"{known.count('yes')} of {len(known)}" if known else ""
        if any(verdicts) or known:
            rows.append((str(finding.number), *verdicts, counted))
    return table(("", *places, "windows"), rows)


def _verdict(finding: Finding, measured: Measurements) -> str:
    """Whether a finding's direction holds there; nothing if runs are missing."""
    judged = finding.direction_if_run(measured)
    return "" if judged is None else _WORDS[judged.verdict]
