"""The server role: lends its node's idle RAM (thesis, section 2.2.3)."""

from agents.messages import Carried, Content
from agents.pnr.messages import (
    ReleaseAck,
    Request,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.role import Effect, Role, Send, Site, of_site


class Server(Role):
    """Lends its free RAM except for `threshold` bytes, and takes back what is released.

    It lends what was asked for, or all that it has if managers take that (`Manager.takes`).
    """

    name = "server"
    remembers = ("granted", "released")
    threshold: int = of_site()

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.granted: dict[Request, int] = {}  # the answers that it has given
        self.released: dict[Request, None] = {}  # what it has to take back

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Grant a request in full, in part or not at all; take back what is released."""
        match content:
            case ServerRequest(job, amount, request):
                granted = self.lend(amount, request)
                reply = ServerReply(job, granted, self.own_report(now_ns), request)
                return [Send(sender, reply)]
            case ServerRelease():
                self.take_back(content)
                report = self.own_report(now_ns)
                return [Send(sender, ReleaseAck(content.job, report, content.request))]
        return self.ignore(content)

    def lend(self, amount: int, request: Request) -> int:
        """Lend up to `amount` bytes; returns how many. A repeated request changes nothing.

        It gets the first answer.
        """
        if request not in self.granted:
            free = self.memory.load - self.threshold
            gives_all = self.parameters.get("takes") in ("server", "all")
            granted = max(0, free if gives_all else min(amount, free))
            self.memory.lend(granted, request)
            self.granted[request] = granted
        return self.granted[request]

    def take_back(self, release: ServerRelease) -> None:
        """Take back released memory; a repeated release, known by its id, changes nothing."""
        if release.request in self.released:
            return
        if release.request is not None:
            self.released[release.request] = None
        for request, amount in release.parts:
            self.memory.take_back(amount, request)

    def holds(self) -> Carried | None:
        """Nothing: memory that was taken back is no longer lent."""
        return ()

    def validate(self) -> None:
        """Check that the node lends as much as all requests together were lent."""
        lent = sum(self.memory.lent_for.values())
        self.require(self.memory.lent == lent, f"has lent {self.memory.lent} bytes, but {lent}")
