"""What workstations say to each other: loads, and jobs that move."""

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Node -> all others: my load now, as the policy states it."""

    job: ClassVar[None] = None  # it is about no job
    load: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class JobSent:
    """Node -> all others: this job is on its way to that node (reports on change of state)."""

    job: int
    target: int


@dataclass(frozen=True, slots=True)
class JobTransfer:
    """Node -> node: a job, to be run there, with so many bytes of data."""

    job: int
    data: int


SHARING_TRAFFIC = (LoadReport, JobSent, JobTransfer)


@dataclass(frozen=True, slots=True)
class SharingSizes:
    """Sizes of messages in bytes."""

    report: int
    submission: int  # a job without its data

    def of(self, content: LoadReport | JobSent | JobTransfer) -> int:
        """The size of a message with this content."""
        if isinstance(content, LoadReport | JobSent):
            return self.report
        return self.submission + content.data
