"""Every verdict of every paper and its numbers, from the bundled results: `claims.json`.

It is what the code of f40daeee found, by paper, reading (if it is not the paper's own) and number
of the finding, and stays as it is until all papers are pages that a person writes.
`python -m tests.proof.claims` compares it with what the papers find that are not yet.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from model.papers.family import by_holm
from model.papers.findings import Claim, Judged, Part
from model.papers.measurements import Measurements
from model.papers.paper import RESULTS_FILE, Paper, paper_names, paper_of

FILE = Path(__file__).parent / "claims.json"
Dump = dict[str, dict[str, object]]


def every_claim() -> Dump:
    """What is found of each statement, by paper, reading and number: thesis/ethernet/5."""
    found: Dump = {}
    for name in paper_names():
        paper = paper_of(name)
        if (paper.folder / RESULTS_FILE).is_file():
            found.update(_of_paper(paper, paper.load(None)))
    return found


def _of_paper(paper: Paper, measured: Measurements) -> Iterator[tuple[str, dict[str, object]]]:
    for reading in ("", *paper.readings):
        there = measured.elsewhere(**paper.readings[reading]) if reading else measured
        judged = [finding.judge(there) for finding in paper.findings]
        for one, corrected in zip(judged, by_holm(judged), strict=True):
            if reading and one.lacking:
                continue
            where = "/".join(filter(None, (paper.name, reading, str(one.finding.number))))
            yield where, _of_finding(one, corrected) | _of_null(paper, one, there)


def _of_null(paper: Paper, one: Judged, measured: Measurements) -> dict[str, object]:
    """What the null model gives, for which every design is disk paging."""
    if not paper.null or one.finding.untestable:
        return {}
    null = one.finding.foremost(measured.all_paging(**paper.null))
    return {} if null.missing else {"null": null.verdict}


def _of_finding(one: Judged, corrected: Judged) -> dict[str, object]:
    finding = one.finding
    found: dict[str, object] = {
        "statement": finding.statement,
        "topic": finding.topic,
        "section": finding.section,
        "class": finding.kind,
        "untestable": finding.untestable,
        "verdict": one.verdict,
        "holm": corrected.verdict,
        "direction": [_of_claim(claim) for claim in one.direction.claims],
        "magnitude": [_of_claim(claim) for claim in one.magnitude.claims],
    }
    if one.magnitude.claims:
        found["magnitude verdict"] = one.magnitude.verdict
    return {name: value for name, value in found.items() if value}


def _of_claim(claim: Claim) -> dict[str, object]:
    """Its words and its numbers; of some it is enough that most are in the range."""
    words = f"{claim.words} (most)" if claim.most else claim.words
    return {"words": words, "parts": [_of_part(part) for part in claim.parts]}


def _of_part(part: Part) -> str:
    """One line: whose number, its mean and interval, over how many runs, and the answer."""
    if part.value is None:
        return f"{part.name}: not run"
    mean, low, high, n = part.value
    return f"{part.name}: {mean:.6g} [{low:.6g}, {high:.6g}] n={n} {part.answer}"


def main() -> int:
    found = every_claim()
    stored: Dump = json.loads(FILE.read_text(encoding="utf-8"))
    others = [name for name in found if stored.get(name) != found[name]]
    for name in others:
        print(f"{name}: stored {stored.get(name)}, now {found[name]}")
    print(f"{len(others)} of {len(found)} statements differ")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
