"""What workstations say to each other: loads, and jobs that move."""

from dataclasses import dataclass
from typing import Any

from agents.messages import message


@dataclass(frozen=True, slots=True)
class SharingSizes:
    """Sizes of messages in bytes."""

    report: int
    submission: int  # a job without its data


def _report(_: Any, sizes: SharingSizes) -> int:
    return sizes.report


@message("telling", hears="node", size_bytes=_report)
class LoadReport:
    """Node -> all others: my load now, as the policy states it."""

    load: tuple[Any, ...]


@message("telling", hears="node", size_bytes=_report)
class JobSent:
    """Node -> all others: this job is on its way to that node (reports on change of state)."""

    job: int
    target: int


@message("moving", hears="node", size_bytes=lambda moved, sizes: sizes.submission + moved.data)
class JobTransfer:
    """Node -> node: a job, to be run there, with so many bytes of data."""

    job: int
    data: int
