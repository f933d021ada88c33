"""The server role: lends its node's idle RAM (thesis, section 2.2.3)."""

from agents.pnr.messages import ReleaseAck, Send, ServerRelease, ServerReply, ServerRequest, Word
from model.ground.memory import Memory


class Server:
    """Lends its free RAM except for `threshold` bytes, and takes back what it is told. Pure."""

    def __init__(self, memory: Memory, threshold: int) -> None:
        self.memory = memory
        self.threshold = threshold  # bytes that it never lends

    def receive(
        self, sender: int, message: ServerRequest | ServerRelease, now_ns: int
    ) -> list[Send]:
        """Grant a request in full, in part or not at all; take back what is released."""
        memory = self.memory
        if isinstance(message, ServerRequest):
            granted = max(0, min(message.amount, memory.load - self.threshold))
            memory.lend(granted)
            return [Send(sender, ServerReply(message.job, granted, Word(memory.load, now_ns)))]
        memory.take_back(message.amount)
        return [Send(sender, ReleaseAck(message.job, Word(memory.load, now_ns)))]
