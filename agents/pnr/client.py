"""The client role: borrows for the processes of its node (thesis, section 2.2.1).

A client asks when a process starts, and says what it no longer needs when one ends.
"""

from typing import NamedTuple

from agents.pnr.messages import RamGrant, RamRequest, ReleaseNotice, Send, StartProcess, Word
from model.ground.memory import Memory


class Answer(NamedTuple):
    """How one request ended, for the metrics."""

    need: int
    granted: int
    waited_ns: int


class Client:
    """Asks for what its node's memory lacks. Pure: what comes in alone decides what goes out.

    `coordinated`: managers wait for all clients of a job, so a client asks even for nothing.
    """

    def __init__(self, memory: Memory, coordinated: bool) -> None:
        self.memory = memory
        self.coordinated = coordinated
        self.heard: dict[int, Word] = {}  # server -> the newest statement of its load
        self.asked_ns: dict[int, int] = {}  # job -> when its request was sent
        self.answers: list[Answer] = []

    def process_placed(
        self, job: int, rank: int, processes: int, manager: int | None, now_ns: int
    ) -> list[Send | StartProcess]:
        """Ask for the memory that a process of `job`, placed and allocated here, still lacks.

        Without a manager (disk paging), or if an uncoordinated client lacks nothing, the process
        starts at once.
        """
        need = self.memory.missing
        if manager is None or (need == 0 and not self.coordinated):
            return [StartProcess(job)]
        self.memory.asked[job] = need
        self.asked_ns[job] = now_ns
        clients = self._clients(processes)
        return [Send(manager, RamRequest(job, rank, clients, need, self._word(now_ns)))]

    def receive(self, sender: int, message: RamGrant, now_ns: int) -> list[Send | StartProcess]:
        """Take the manager's answer: count the loans and start the process."""
        need = self.memory.asked.pop(message.job)
        waited_ns = now_ns - self.asked_ns.pop(message.job)
        granted = sum(loan.amount for loan in message.loans)
        self.answers.append(Answer(need, granted, waited_ns))
        for server, amount, word in message.loans:
            self.memory.borrow(server, amount)
            if server not in self.heard or word.stated_ns >= self.heard[server].stated_ns:
                self.heard[server] = word
        return [StartProcess(message.job)]

    def process_ended(
        self, job: int, rank: int, processes: int, manager: int | None, now_ns: int
    ) -> list[Send | StartProcess]:
        """Give back what is no longer needed: the process of `job` has ended, its memory is free.

        The servers believed to be the most loaded come first. With nothing to give back, an
        uncoordinated client stays silent; a coordinated one does not, since its manager waits.
        """
        if manager is None:
            return []
        returns = self._give_back()
        if not returns and not self.coordinated:
            return []
        notice = ReleaseNotice(job, rank, self._clients(processes), returns, self._word(now_ns))
        return [Send(manager, notice)]

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

    def _clients(self, processes: int) -> int:
        return processes if self.coordinated else 1

    def _word(self, now_ns: int) -> Word:
        return Word(self.memory.load, now_ns)
