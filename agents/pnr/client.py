"""The client role: borrows for the processes of its node (thesis, section 2.2.1).

A client asks when a process starts, and says what it no longer needs when one ends.
"""

from typing import Any, NamedTuple

from agents.pnr.messages import RamGrant, RamRequest, ReleaseNotice, Request, Word
from agents.pnr.role import Effect, Role, Send, Site, StartProcess


class Answer(NamedTuple):
    """How one request ended, for the metrics."""

    need: int
    granted: int
    waited_ns: int


class Client(Role):
    """Asks for what its node's memory lacks, and borrows what is granted.

    `coordinated`: managers wait for all clients of a job, so a client asks even for nothing.
    """

    name = "client"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.coordinated = site.coordinated
        self.heard: dict[int, Word] = {}  # server -> the newest statement of its load
        self.asked_ns: dict[Request, int] = {}  # when each open request was made
        self.answers: list[Answer] = []

    def process_placed(
        self, job: int, rank: int, clients: int, manager: int | None, now_ns: int
    ) -> list[Effect]:
        """Ask for the memory that a process of `job`, placed and allocated here, still lacks.

        `clients` is how many of the job's clients ask this manager, which waits for all of them.
        Without a manager (disk paging), or if an uncoordinated client lacks nothing, the process
        starts at once.
        """
        need = self.memory.missing
        if manager is None or (need == 0 and not self.coordinated):
            return [StartProcess(job)]
        request = self.new_request()
        self.memory.asked[request] = need
        self.asked_ns[request] = now_ns
        return [Send(manager, RamRequest(job, rank, clients, need, self._word(now_ns), request))]

    def receive(self, sender: int, content: Any, now_ns: int) -> list[Effect]:
        """Take the manager's answer: count the loans and start the process."""
        if not isinstance(content, RamGrant):
            raise TypeError(f"a client does not understand {content!r}")
        need = self.memory.asked.pop(content.request)
        waited_ns = now_ns - self.asked_ns.pop(content.request)
        self.answers.append(Answer(need, content.amount, waited_ns))
        for server, amount, word in content.loans:
            self.memory.borrow(server, amount)
            if server not in self.heard or word.stated_ns >= self.heard[server].stated_ns:
                self.heard[server] = word
        return [StartProcess(content.job)]

    def process_ended(
        self, job: int, rank: int, clients: int, manager: int | None, now_ns: int
    ) -> list[Effect]:
        """Give back what is no longer needed: the process of `job` has ended, its memory is free.

        The servers believed to be the most loaded come first. With nothing to give back, an
        uncoordinated client stays silent; a coordinated one does not, since its manager waits.
        """
        if manager is None:
            return []
        returns = self._give_back()
        if not returns and not self.coordinated:
            return []
        notice = ReleaseNotice(job, rank, clients, returns, self._word(now_ns))
        return [Send(manager, notice)]

    def validate(self) -> None:
        """Check that open requests have a time, and that it has heard from all who lend to it."""
        memory = self.memory
        for request, need in memory.asked.items():
            self.require(need >= 0, f"has asked for {need} bytes")
            self.require(request in self.asked_ns, f"keeps {request}, but not since when")
        for server, amount in memory.loans.items():
            self.require(amount > 0, f"borrows {amount} bytes of node {server}")
            self.require(server in self.heard, f"knows nothing of node {server}, which lends to it")

    def _give_back(self) -> tuple[tuple[int, int], ...]:
        surplus = self.memory.surplus
        returns = []
        for server in sorted(self.memory.loans, key=lambda s: (self.heard[s].load, s)):
            amount = min(surplus, self.memory.loans[server])
            if amount == 0:
                break
            self.memory.give_back(server, amount)
            returns.append((server, amount))
            surplus -= amount
        return tuple(returns)

    def _word(self, now_ns: int) -> Word:
        return Word(self.memory.load, now_ns)
