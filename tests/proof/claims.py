"""Every verdict of every paper and its numbers, from the bundled results: `claims.json`.

`python -m tests.proof.claims` compares what is found today with what is stored there, by paper,
reading (if it is not the paper's own) and number of the finding; with `--write`, it stores what is
found. All that is stored is what the code of f40daeee found, before pages were written by hand.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from model.papers.pages import Results
from model.papers.study import studies
from model.papers.verdicts import UNTESTABLE, Part, are_missing, verdict

FILE = Path(__file__).parent / "claims.json"
Found = dict[str, Any]


def every_finding() -> Iterator[tuple[str, Found]]:
    """What is found of each statement, where all of its runs are there."""
    for study in studies():
        own = Results(study, study.load())
        for reading in ("", *study.states.judged_under):
            results = own.under(reading)
            for one in results.judged:
                name = "/".join(filter(None, (study.name, reading, str(one.finding.number))))
                if not reading or not are_missing(one.claims):
                    yield name, _of_finding(results, one.finding.number, is_own=not reading)


def _of_finding(results: Results, number: int, *, is_own: bool) -> Found:
    one = results.judged_of(number)
    untestable = one.finding.untestable
    found: Found = {
        "verdict": UNTESTABLE if untestable else verdict(one.direction),
        "magnitude verdict": verdict(one.magnitude),
        "numbers": sorted({_text(part) for claim in one.claims for part in claim.parts}),
    }
    if is_own and one.direction and not untestable:
        found["holm"] = results.holm[number]
    if is_own and results.study.states.null and not untestable:
        asked = results.null.judged_of(number)
        claims = asked.direction or asked.magnitude
        found["null"] = "" if are_missing(claims) else verdict(claims)
    return found


def _text(part: Part) -> str:
    """One line: the mean and interval, over how many runs, and the answer."""
    if part.value is None:
        return "not run"
    mean, low, high, n = part.value
    return f"{mean:.6g} [{low:.6g}, {high:.6g}] n={n} {part.answer}"


def main() -> int:
    found = dict(every_finding())
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    stored: dict[str, Found] = json.loads(FILE.read_text(encoding="utf-8"))
    names = {**stored, **found}
    others = [name for name in names if stored.get(name) != found.get(name)]
    for name in others:
        print(f"{name}: stored {stored.get(name)}, now {found.get(name)}")
    print(f"{len(others)} of {len(names)} findings differ")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
