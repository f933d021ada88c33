"""The server role: lends its node's idle RAM (thesis, section 2.2.3)."""

from typing import Any

from agents.pnr.messages import ReleaseAck, ServerRelease, ServerReply, ServerRequest, Word
from agents.pnr.role import Effect, Role, Send, Site


class Server(Role):
    """Lends its free RAM except for `threshold` bytes, and takes back what it is told."""

    name = "server"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.threshold = site.threshold  # bytes that it never lends

    def receive(self, sender: int, content: Any, now_ns: int) -> list[Effect]:
        """Grant a request in full, in part or not at all; take back what is released."""
        memory = self.memory
        match content:
            case ServerRequest(job, amount, request):
                granted = max(0, min(amount, memory.load - self.threshold))
                memory.lend(granted)
                word = Word(memory.load, now_ns)
                return [Send(sender, ServerReply(job, granted, word, request))]
            case ServerRelease(job, amount):
                memory.take_back(amount)
                return [Send(sender, ReleaseAck(job, Word(memory.load, now_ns)))]
        raise TypeError(f"a server does not understand {content!r}")

    def validate(self) -> None:
        """Check that it has not taken back more than it lent."""
        self.require(self.memory.lent >= 0, f"has lent {self.memory.lent} bytes")
