"""What becomes of a user's own rules on one run, whose journal is read record by record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from model.core.journal import words
from model.core.journal.kinds import (
    WAY_ENDS,
    Delivered,
    Ended,
    Failed,
    Note,
    Queued,
    Record,
    Sent,
    Submitted,
)
from model.core.journal.monitors import Rule

#: Who has written the notes of a path that was explored, and the one that says what is wrong.
EXPLORE, FOUND = "explore", "found"


@dataclass
class Verdict:
    """What became of a rule on one run."""

    rule: str
    complaint: str = ""  # the first, with the record that is wrong
    times: int = 0  # that it complained
    open: tuple[str, ...] = ()  # at the end, what should have happened
    is_vacuous: bool = True  # no record has changed its state

    @property
    def has_held(self) -> bool:
        return not (self.times or self.open or self.is_vacuous)


class Watching:
    """Reads the journal of one run for some rules; `tell` hears of each rule when it breaks."""

    def __init__(
        self, rules: Iterable[Rule], tell: Callable[[str], None] = lambda line: None
    ) -> None:
        self._tell = tell
        self._rules = [(rule, rule.begun(), Verdict(rule.name)) for rule in rules]
        self._sent: dict[int, Record] = {}  # messages under way, by id
        self._jobs: set[int | None] = set()  # that have not ended
        self._is_over = False
        self._found = ""  # by explore, whose path ends with it
        self._now_ns = 0

    def read(self, record: Record) -> None:
        """See one more record; a message that arrives says what it said when it was sent."""
        self._now_ns = record.time_ns
        self._follow(record)
        if record.hears == EXPLORE:
            return
        if record.kind == Delivered.name and (sent := self._sent.get(record.id)) is not None:
            record = record._replace(payload=sent.payload, amount_bytes=sent.amount_bytes)
        if record.kind in WAY_ENDS:
            self._sent.pop(record.id, None)
        for rule, monitor, verdict in self._rules:
            complaint = rule.sees(monitor, record)
            if complaint is not None:
                told = f"{complaint} ({words.sentence(record)}, #{words.short(record.id)})"
                self._broken(verdict, f"{words.time(record.time_ns)}: {told}")
            if verdict.is_vacuous:
                verdict.is_vacuous = rule.state_of(monitor) == rule.state_of(rule.monitor)

    def _follow(self, record: Record) -> None:
        """Note what is under way, and whether the run comes to its end."""
        match record.kind:
            case Sent.name:
                self._sent[record.id] = record
            case Submitted.name:
                self._jobs.add(record.job)
                self._is_over = False
            case Ended.name | Failed.name:
                self._jobs.discard(record.job)
                self._is_over |= not self._jobs
            case Queued.name:
                self._is_over = True
            case Note.name if record.hears == EXPLORE and record.what == FOUND:
                self._found = Note.contents(record.payload or '""')

    def _broken(self, verdict: Verdict, complaint: str) -> None:
        verdict.times += 1
        verdict.is_vacuous = False
        if verdict.times == 1:
            verdict.complaint = complaint
            self._tell(f"rule {verdict.rule} is broken at {complaint}")

    def verdicts(self, is_whole: bool = True) -> list[Verdict]:
        """What became of each rule, at the end of the journal, which may be a part of a run's.

        What is open is wrong if the run came to its end, or if explore has found that it stays so.
        """
        is_over = self._is_over and is_whole and not self._found
        for rule, monitor, verdict in self._rules:
            for text in rule.open_in(monitor):
                if is_over or self._found.startswith(f"{rule.name}: {text}"):
                    self._broken(verdict, f"{words.time(self._now_ns)}, the end: {text}")
                else:
                    verdict.open += (text,)
        return [verdict for *_, verdict in self._rules]
