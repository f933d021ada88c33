"""The message in which a process moves to another node (`wrappers/migrate.py`).

It stands apart from the other messages since only designs that move processes have it.
"""

from agents.messages import message
from agents.pnr.messages import ToProcess


@message("moving", hears="process", size_bytes=lambda moved: moved.amount)
class ProcessTransfer(ToProcess):
    """A process on its way: all of its `amount` bytes of memory."""

    job: int
    rank: int
    amount: int
