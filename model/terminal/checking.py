"""What became of rules of a user's own on a run, in lines."""

from collections.abc import Iterable

from model.core.watching import Verdict
from model.ground.text import escaped

BROKEN = 1  # the exit status


def told(name: str, verdicts: Iterable[Verdict], quiet: bool = False) -> int:
    """Print what became of each rule under a design or policy, or only which are broken; returns
    the exit status."""
    verdicts = [*verdicts]
    lines = [line for verdict in verdicts if (line := _line(verdict, quiet))]
    if held := [it.rule for it in verdicts if it.has_held and not quiet]:
        lines.append(f"rules that held: {'; '.join(held)}")
    for line in lines:
        print(escaped(f"{name}: {line}"))
    return BROKEN if any(verdict.times for verdict in verdicts) else 0


def _line(verdict: Verdict, quiet: bool) -> str:
    if verdict.times:
        more = f" ({verdict.times:,} times in all)" if verdict.times > 1 else ""
        return f"rule {verdict.rule} is broken at {verdict.complaint}{more}"
    if quiet or verdict.has_held:
        return ""
    if not verdict.open:
        return f"rule {verdict.rule} is vacuous: no record changed its monitor"
    more = f" (and {len(verdict.open) - 1:,} more)" if len(verdict.open) > 1 else ""
    begins = f"rule {verdict.rule} is open at the end of an unfinished journal"
    return f"{begins}: {verdict.open[0]}{more}"
