"""Every verdict of every paper and its numbers, from the bundled results: `claims.json`.

It is what the code of f40daeee found, by paper, reading (if it is not the paper's own) and number
of the finding, before pages were written by hand. `python -m tests.proof.claims` compares it with
what is found of the findings that are kept: the verdicts, and each number that is kept.
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


def every_finding(stored: dict[str, Found]) -> Iterator[tuple[str, Found]]:
    """What is found of each statement, where all of its runs are there."""
    for study in studies():
        own = Results(study, study.load())
        for reading in ("", *study.states.readings):
            prefix = "/".join(filter(None, (study.name, reading)))
            if not any(name.rpartition("/")[0] == prefix for name in stored):
                continue
            results = own.under(reading)
            for one in results.judged:
                name = f"{prefix}/{one.finding.number}"
                if not reading or not are_missing(one.claims):
                    yield name, _of_finding(results, one.finding.number, is_own=not reading)


def _of_finding(results: Results, number: int, *, is_own: bool) -> Found:
    one = results.judged_of(number)
    found: Found = {
        "verdict": UNTESTABLE if one.finding.untestable else verdict(one.direction),
        "magnitude verdict": verdict(one.magnitude),
        "numbers": {_text(part) for claim in one.claims for part in claim.parts},
    }
    if is_own and one.direction and not one.finding.untestable:
        found["holm"] = results.holm[number]
    null = results.study.states.null and not one.finding.untestable
    if is_own and null:
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


def _differs(stored: Found, now: Found) -> bool:
    """Whether a verdict is another, or a number was not there."""
    claims = [*stored.get("direction", ()), *stored.get("magnitude", ())]
    numbers = {part.rpartition(": ")[2] for claim in claims for part in claim["parts"]}
    before = {name: stored.get(name, "") for name in now}
    if not stored.get("direction") and not stored.get("untestable"):
        before["verdict"] = ""  # that of the magnitude
    return not now["numbers"] <= numbers or before | {"numbers": now["numbers"]} != now


def main() -> int:
    stored: dict[str, Found] = json.loads(FILE.read_text(encoding="utf-8"))
    found = dict(every_finding(stored))
    others = [name for name, now in found.items() if _differs(stored.get(name, {}), now)]
    for name in others:
        print(f"{name}: stored {stored.get(name)}, now {found[name]}")
    print(f"{len(others)} of {len(found)} findings differ")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
