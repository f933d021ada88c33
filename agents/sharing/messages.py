"""The messages that workstations exchange: reports of load, and jobs that move."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.messages import Content, message

if TYPE_CHECKING:
    from agents.sharing.node_memory import Load


@dataclass(frozen=True, slots=True)
class SharingSizes:
    """Sizes of messages in bytes."""

    report: int
    submission: int  # a job without its data


@message("telling", hears="node", size_bytes="report")
class LoadReport(Content):
    """Node -> all others: my load now, in the form that the policy gives it."""

    load: "Load"


@message("telling", hears="node", size_bytes="report")
class JobSent(Content):
    """Node -> all others: this job is on its way to `target` (with reports on change of state)."""

    job: int
    target: int


@message("moving", hears="node", size_bytes=lambda moved, sizes: sizes.submission + moved.data)
class JobTransfer(Content):
    """Node -> node: run this job, which comes with `data` bytes of its memory."""

    job: int
    data: int
