"""One node's memory ledger: what its processes hold, what it lends and what it borrows."""

import operator
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from model.ground.amounts import MOST_BYTES, amount_mistake
from model.ground.errors import ProtocolMistake, shown
from model.ground.paging import share

LoanObserver = Callable[[str, int, int | None], None]

MOST_NODES = 2**16

Key = Any  # of a process on its node
R = TypeVar("R", bound=Hashable)  # the id of a request; None stands for no request


class Memory(Generic[R]):
    """The memory of one node, in bytes (thesis, section 3.1.3).

    A process may have a limit of its own: what it may hold in RAM, whatever is free there. `demand`
    is what the node's processes may hold in RAM plus what it lends; `over` is the over-allocation
    O = max(0, demand - RAM), plus what processes hold beyond their limits. The part of it that is
    borrowed from other nodes is network RAM; the rest is unmet, and on the local disk once the
    process that needs it has started. Processes that compute at once share what does not fit, and
    the RAM, in proportion to what they may hold there, as if they were one. Each loan has the id of
    the request for which it was made, so that nobody takes back what was lent for another.
    `on_loan(kind, amount, server)` is called for each loan made or ended here ("lent", "returned",
    "borrowed", "given back"), and for what is asked for ("asked", "answered").

    Roles lend, borrow and give back: a ProtocolMistake, if that is no amount of bytes, more than
    there is, or of no node (of `nodes`).
    """

    nodes = MOST_NODES  # of the cluster, if anybody says how many

    def __init__(self, ram: int, on_loan: LoanObserver | None = None) -> None:
        self.ram = ram
        self.withdrawn = False  # whether none of it is lent any more
        self.on_loan = on_loan
        self.processes: dict[Key, int] = {}  # process -> its memory here
        self.limits: dict[Key, int] = {}  # process -> what it may hold in RAM
        self.together = 0  # what processes that compute at once may hold in RAM; 0: one does
        self.lent = 0
        self.lent_for: dict[R | None, int] = {}  # request -> what is lent for it
        self.loans: dict[int, int] = {}  # server -> what this node borrows from it
        #: Server -> request -> what this node borrows from it for that, the oldest loan first.
        self.loans_for: dict[int, dict[R | None, int]] = {}
        self.borrowed = 0
        self.asked: dict[R | None, int] = {}  # request -> need, not answered yet
        self.demand = 0
        self.beyond_limits = 0  # what processes hold that they may not hold in RAM
        self.beyond_ram = 0  # what of the demand exceeds the RAM
        self.over = 0  # the sum of these two

    @property
    def load(self) -> int:
        """RAM - demand, which the node states as its load; negative when it is over-allocated.

        If its RAM is withdrawn, nobody else can have of it, so the load is never above 0.
        """
        load = self.ram - self.demand
        return min(0, load) if self.withdrawn else load

    @property
    def allocated(self) -> int:
        """How much of the RAM is in use."""
        return min(self.demand, self.ram)

    @property
    def unmet(self) -> int:
        """The over-allocated memory that no other node holds: asked for, or on the local disk."""
        return max(0, self.over - self.borrowed)

    @property
    def missing(self) -> int:
        """What a job that starts now needs: O less what is already borrowed or asked for."""
        return max(0, self.over - self.borrowed - sum(self.asked.values()))

    @property
    def surplus(self) -> int:
        """What is borrowed and no longer needed."""
        return max(0, self.borrowed - self.over)

    def in_ram(self, process: Key) -> int:
        """What a process may hold in RAM."""
        size = self.processes[process]
        return size - self._beyond(process, size)

    def room_of(self, process: Key) -> int:
        """The most that a process could ever have in RAM here."""
        held = self.in_ram(process)
        room = share(self.ram, held, max(held, self.together))
        return min(room, self.limits.get(process, room))

    def outside(self, process: Key) -> int:
        """L: how much of the memory of a process can be out of RAM."""
        held = self.in_ram(process)
        beyond = self.processes[process] - held
        return beyond + min(held, share(self.beyond_ram, held, max(held, self.together)))

    def allocate(self, process: Key, size: int, limit: int | None = None) -> None:
        """Give a process `size` bytes, of which it may hold `limit` in RAM."""
        self.processes[process] = 0
        if limit is not None:
            self.limits[process] = limit
        self.resize(process, size)

    def resize(self, process: Key, size: int) -> None:
        """Let a process hold `size` bytes from now on."""
        before, size = self.processes[process], _amount("holds", size)
        self.processes[process] = size
        beyond = 0
        if process in self.limits:
            beyond = self._beyond(process, size) - self._beyond(process, before)
            self.beyond_limits += beyond
        self._grow(size - before - beyond)

    def free(self, process: Key) -> None:
        """Free all that a process holds."""
        self.resize(process, 0)
        del self.processes[process]
        self.limits.pop(process, None)

    def clear(self) -> None:
        """Hold, lend, borrow and ask for nothing any more: the node has lost its memory."""
        for process in list(self.processes):
            self.free(process)
        for request, amount in list(self.lent_for.items()):
            self.take_back(amount, request)
        for server, amount in list(self.loans.items()):
            self.give_back(server, amount)
        self.asked.clear()

    def ask(self, request: R | None, need: int) -> None:
        """Wait for the answer to a request, of which so much is open now."""
        need = _amount("asks for", need)
        change = need - self.asked.get(request, 0)
        self.asked[request] = need
        self._observe("asked" if change > 0 else "answered", abs(change))

    def answered(self, request: R | None) -> None:
        """Wait for the answer to a request no longer."""
        self._observe("answered", self.asked.pop(request, 0))

    def lend(self, amount: int, request: R | None = None) -> None:
        """Lend `amount` bytes of this node's RAM for this request."""
        amount = _amount("lends", amount, self.lent)
        self.lent += amount
        if amount:
            self.lent_for[request] = self.lent_for.get(request, 0) + amount
        self._grow(amount)
        self._observe("lent", amount)

    def take_back(self, amount: int, request: R | None = None) -> int:
        """Take back `amount` bytes lent for this request, or all that still are; returns them."""
        left = self.lent_for.get(request, 0)
        amount = min(_amount("takes back", amount), left)
        if amount:
            self.lent_for[request] = left - amount
            if amount == left:
                del self.lent_for[request]
        self.lent -= amount
        self._grow(-amount)
        self._observe("returned", amount)
        return amount

    def borrow(self, server: int, amount: int, request: R | None = None) -> None:
        """Borrow `amount` bytes, which `server` holds for this node for this request."""
        amount = _amount("borrows", amount, self.borrowed)
        if type(server) is not int or not 0 <= server < self.nodes:
            server = self._node(server)
        self.loans[server] = self.loans.get(server, 0) + amount
        loans = self.loans_for.setdefault(server, {})
        loans[request] = loans.get(request, 0) + amount
        self.borrowed += amount
        self._observe("borrowed", amount, server)

    def give_back(self, server: int, amount: int) -> list[tuple[R | None, int]]:
        """Stop using `amount` bytes that `server` holds for this node, those of old loans first.

        Returns how much it was of the loans for which requests.
        """
        amount, borrowed = _amount("gives back", amount), self.loans.get(server, 0)
        if amount > borrowed:
            only = f"of which it borrows {borrowed}"
            raise ProtocolMistake(f"gives back {amount} bytes of node {shown(server)}, {only}")
        if not borrowed:
            return []
        parts, left, loans = [], amount, self.loans_for[server]
        for request, borrowed in list(loans.items()):
            part = min(left, borrowed)
            parts.append((request, part))
            left -= part
            loans[request] = borrowed - part
            if part == borrowed:
                del loans[request]
            if not left:
                break
        self.loans[server] -= amount
        if not self.loans[server]:
            del self.loans[server], self.loans_for[server]
        self.borrowed -= amount
        self._observe("given back", amount, server)
        return parts

    def drop(self, server: int, request: R | None) -> int:
        """Stop using all that `server` holds for this node for this request; returns how much."""
        loans = self.loans_for.get(server, {})
        amount = loans.get(request, 0)
        if amount:
            self.loans_for[server] = {request: amount} | loans  # this one goes first
            self.give_back(server, amount)
        return amount

    def lender(self, uniform: float) -> int:
        """The server that holds a page: drawn in proportion to the loans, in order of servers."""
        point = int(uniform * self.borrowed)
        for server in sorted(self.loans):
            point -= self.loans[server]
            if point < 0:
                return server
        raise ValueError("a node without loans has no lender")

    def state(self) -> tuple[Any, ...]:
        """All that it keeps, as plain contents; loans of one server stay in their order."""
        loans_for = [(server, list(loans.items())) for server, loans in self.loans_for.items()]
        sums = self.lent, self.borrowed, self.demand, self.beyond_limits, self.withdrawn
        held = self.processes, self.limits
        return *held, self.lent_for, self.loans, sorted(loans_for), self.asked, sums

    def restore(self, state: tuple[Any, ...]) -> None:
        """Keep what another had kept when it gave its state."""
        *held, self.lent_for, self.loans, loans_for, self.asked, sums = state
        self.processes, self.limits = held
        self.loans_for = {server: dict(loans) for server, loans in loans_for}
        self.lent, self.borrowed, self.demand, self.beyond_limits, self.withdrawn = sums
        self._grow(0)

    def _observe(self, kind: str, amount: int, server: int | None = None) -> None:
        if self.on_loan is not None and amount:
            self.on_loan(kind, amount, server)

    def _node(self, server: object) -> int:
        """The number of a node of the cluster, which may be one of NumPy's."""
        try:
            number = operator.index(server)  # type: ignore[arg-type]  # whatever it is
        except TypeError:
            number = -1
        if isinstance(server, bool) or not 0 <= number < self.nodes:
            known = f"nodes are 0 to {self.nodes - 1}"
            raise ProtocolMistake(f"borrows of node {shown(server)}; {known}")
        return number

    def _grow(self, amount: int) -> None:
        self.demand += amount
        self.beyond_ram = max(0, self.demand - self.ram)
        self.over = self.beyond_limits + self.beyond_ram

    def _beyond(self, process: Key, size: int) -> int:
        """What of so many bytes a process may not hold in RAM."""
        limit = self.limits.get(process)
        return 0 if limit is None else max(0, size - limit)


def _amount(does: str, amount: int, before: int = 0) -> int:
    """So many bytes as Python's own number; ProtocolMistake if that is no amount.

    With what there is of them `before`, they are no more than may be altogether.
    """
    if type(amount) is not int or not 0 <= amount <= MOST_BYTES - before:
        mistake = amount_mistake(amount)
        if mistake is None and (amount := operator.index(amount)) > MOST_BYTES - before:
            mistake = f"{amount} bytes more than {before}; the most are {MOST_BYTES}"
        if mistake is not None:
            raise ProtocolMistake(f"{does} {mistake}")
    return amount
