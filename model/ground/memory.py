"""One node's memory ledger: what its processes hold, what it lends and what it borrows."""

from collections.abc import Callable

LoanObserver = Callable[[str, int, int | None], None]


class Memory:
    """The memory of one node, in bytes (thesis, section 3.1.3).

    `demand` is the memory of the node's processes plus what it lends; `over` is the
    over-allocation O = max(0, demand - RAM). The part of it that is borrowed from other nodes is
    network RAM; the rest is on the local disk. `on_loan(kind, amount, server)` is called for each
    loan made or ended here ("lent", "returned", "borrowed", "given back").
    """

    def __init__(self, ram: int, on_loan: LoanObserver | None = None) -> None:
        self.ram = ram
        self.on_loan = on_loan
        self.processes: dict[int, int] = {}  # job -> memory of its process here
        self.lent = 0
        self.loans: dict[int, int] = {}  # server -> what this node borrows from it
        self.borrowed = 0
        self.asked: dict[int, int] = {}  # job -> need asked for and not yet answered
        self.demand = 0
        self.over = 0

    @property
    def load(self) -> int:
        """RAM - demand, which the node states as its load; negative when it is over-allocated."""
        return self.ram - self.demand

    @property
    def allocated(self) -> int:
        """How much of the RAM is in use."""
        return min(self.demand, self.ram)

    @property
    def on_disk(self) -> int:
        """The over-allocated memory that no other node holds."""
        return max(0, self.over - self.borrowed)

    @property
    def missing(self) -> int:
        """What a job that starts now needs: O less what is already borrowed or asked for."""
        return max(0, self.over - self.borrowed - sum(self.asked.values()))

    @property
    def surplus(self) -> int:
        """What is borrowed and no longer needed."""
        return max(0, self.borrowed - self.over)

    def allocate(self, job: int, size: int) -> None:
        """Give a process of `job` `size` bytes."""
        self.processes[job] = size
        self._grow(size)

    def free(self, job: int) -> None:
        """Free all that the process of `job` holds."""
        self._grow(-self.processes.pop(job))

    def lend(self, amount: int) -> None:
        """Lend `amount` bytes of this node's RAM to other nodes."""
        self.lent += amount
        self._grow(amount)
        self._observe("lent", amount)

    def take_back(self, amount: int) -> None:
        """Take back `amount` bytes that were lent."""
        self.lent -= amount
        self._grow(-amount)
        self._observe("returned", amount)

    def borrow(self, server: int, amount: int) -> None:
        """Borrow `amount` bytes, which `server` holds for this node."""
        self.loans[server] = self.loans.get(server, 0) + amount
        self.borrowed += amount
        self._observe("borrowed", amount, server)

    def give_back(self, server: int, amount: int) -> None:
        """Stop using `amount` bytes that `server` holds for this node."""
        self.loans[server] -= amount
        if not self.loans[server]:
            del self.loans[server]
        self.borrowed -= amount
        self._observe("given back", amount, server)

    def lender(self, uniform: float) -> int:
        """The server that holds a page: drawn in proportion to the loans, in order of servers."""
        point = int(uniform * self.borrowed)
        for server in sorted(self.loans):
            point -= self.loans[server]
            if point < 0:
                return server
        raise ValueError("a node without loans has no lender")

    def _observe(self, kind: str, amount: int, server: int | None = None) -> None:
        if self.on_loan is not None and amount:
            self.on_loan(kind, amount, server)

    def _grow(self, amount: int) -> None:
        self.demand += amount
        self.over = max(0, self.demand - self.ram)
