"""One node's memory ledger: by hand, and against a plain list of who holds what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from model.ground.memory import Memory

RAM = 100


def test_what_exceeds_ram_is_overallocated_whether_held_or_lent():
    memory = Memory(RAM)
    memory.lend(70)
    memory.allocate(1, 50)
    # 120 of 100: 20 too much; no more than its RAM is in use
    assert (memory.over, memory.load, memory.allocated, memory.unmet) == (20, -20, 100, 20)


def test_memory_is_free_at_once_and_what_is_borrowed_becomes_surplus():
    memory = Memory(RAM)
    memory.allocate(1, 130)
    memory.allocate(2, 10)
    memory.borrow(7, 35)
    assert (memory.over, memory.surplus, memory.unmet) == (40, 0, 5)
    memory.free(2)  # 130 of 100: 30 too much
    assert (memory.over, memory.surplus, memory.unmet) == (30, 5, 0)
    memory.give_back(7, 5)
    assert (memory.borrowed, memory.surplus) == (30, 0)
    memory.free(1)
    assert (memory.demand, memory.over, memory.surplus) == (0, 0, 30)
    memory.give_back(7, 30)
    assert (memory.borrowed, memory.loans) == (0, {})


def test_a_process_that_grows_or_shrinks_changes_the_demand_by_the_difference():
    memory = Memory(RAM)
    memory.allocate(1, 30)
    memory.lend(50)
    memory.resize(1, 70)  # 120 of 100
    assert (memory.demand, memory.over, memory.processes) == (120, 20, {1: 70})
    memory.resize(1, 10)
    assert (memory.demand, memory.over, memory.load) == (60, 0, 40)


def test_what_a_process_holds_beyond_its_limit_is_overallocated_whatever_is_free():
    memory = Memory(RAM)
    memory.allocate(1, 50, limit=20)
    memory.allocate(2, 40)
    # 30 beyond the limit; of the RAM 20 + 40 are in use, and 40 could be lent
    assert (memory.demand, memory.load, memory.over, memory.missing) == (60, 40, 30, 30)
    assert (memory.outside(1), memory.outside(2)) == (30, 0)
    assert (memory.room_of(1), memory.room_of(2)) == (20, 100)
    memory.lend(55)  # 115 of 100: 15 more, which any process may lack
    assert (memory.demand, memory.over, memory.allocated) == (115, 45, 100)
    assert (memory.outside(1), memory.outside(2)) == (45, 15)
    memory.resize(1, 25)  # still beyond its limit, by 5
    assert (memory.demand, memory.over) == (115, 20)
    memory.resize(1, 8)  # within its limit
    assert (memory.demand, memory.over, memory.outside(1), memory.outside(2)) == (103, 3, 3, 3)
    memory.free(1)
    assert (memory.demand, memory.over, memory.outside(2)) == (95, 0, 0)
    memory.allocate(1, 8)  # a process of that job without a limit
    assert memory.limits == {}


def test_each_loan_is_told_and_none_of_nothing():
    told = []
    memory = Memory(RAM, lambda *loan: told.append(loan))
    memory.allocate(1, 150)
    memory.lend(0)
    memory.lend(8)
    memory.borrow(7, 20)
    memory.take_back(3)
    memory.give_back(7, 6)
    memory.free(1)
    assert told == [
        ("lent", 8, None),
        ("borrowed", 20, 7),
        ("returned", 3, None),
        ("given back", 6, 7),
    ]


@given(loans=st.dictionaries(st.integers(0, 63), st.integers(1, 40), min_size=1, max_size=6))
def test_every_borrowed_byte_is_equally_likely_to_be_asked_for(loans):
    memory = Memory(RAM)
    for server, amount in loans.items():
        memory.borrow(server, amount)
    owners = [server for server in sorted(loans) for _ in range(loans[server])]
    drawn = [memory.lender((byte + 0.5) / len(owners)) for byte in range(len(owners))]
    assert drawn == owners


@pytest.mark.parametrize("uniform", [2.0**-53, 1 - 2**-53])
@pytest.mark.parametrize("amount", [1, 3, 32 * 2**20, 2**45])
def test_the_extreme_draws_find_a_lender_too(uniform, amount):
    memory = Memory(RAM)
    memory.borrow(1, amount)
    memory.borrow(2, amount)
    assert memory.lender(uniform) == (1 if uniform < 0.5 else 2)


def test_nobody_lends_to_a_node_without_loans():
    with pytest.raises(ValueError, match="no lender"):
        Memory(RAM).lender(0.5)


class Ledger(RuleBasedStateMachine):
    """Any order of legal steps, against lists of what is held, lent and borrowed."""

    def __init__(self):
        super().__init__()
        self.told = []
        self.memory = Memory(RAM, lambda *loan: self.told.append(loan))
        self.held = []  # (job, size)
        self.lent = []  # amounts
        self.borrowed = []  # (server, amount), never merged
        self.jobs = 0

    @rule(size=st.integers(0, 150))
    def allocate(self, size):
        self.jobs += 1
        self.memory.allocate(self.jobs, size)
        self.held.append((self.jobs, size))

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def free(self, data):
        job, size = data.draw(st.sampled_from(self.held))
        self.memory.free(job)
        self.held.remove((job, size))

    @rule(amount=st.integers(0, 60))
    def lend(self, amount):
        self.memory.lend(amount)
        self.lent.append(amount)

    @precondition(lambda self: self.lent)
    @rule(data=st.data())
    def take_back(self, data):
        amount = data.draw(st.sampled_from(self.lent))
        self.memory.take_back(amount)
        self.lent.remove(amount)

    @rule(server=st.integers(0, 3), amount=st.integers(1, 60))
    def borrow(self, server, amount):
        self.memory.borrow(server, amount)
        self.borrowed.append((server, amount))

    @precondition(lambda self: self.borrowed)
    @rule(data=st.data())
    def give_back(self, data):
        server, amount = data.draw(st.sampled_from(self.borrowed))
        self.memory.give_back(server, amount)
        self.borrowed.remove((server, amount))

    @rule(data=st.data(), amount=st.integers(0, 60))
    def ask(self, data, amount):
        self.memory.asked[data.draw(st.integers(0, 2))] = amount

    @precondition(lambda self: self.memory.asked)
    @rule()
    def answered(self):
        self.memory.asked.popitem()

    @invariant()
    def the_books_agree(self):
        memory = self.memory
        demand = sum(size for _, size in self.held) + sum(self.lent)
        borrowed = sum(amount for _, amount in self.borrowed)
        over = demand - RAM if demand > RAM else 0
        assert memory.processes == dict(self.held)
        assert (memory.demand, memory.over, memory.load) == (demand, over, RAM - demand)
        assert (memory.lent, memory.borrowed) == (sum(self.lent), borrowed)
        assert memory.loans == {
            server: sum(amount for lender, amount in self.borrowed if lender == server)
            for server, _ in self.borrowed
        }
        # what is allocated, and what is over it, is the demand
        assert memory.allocated + over == demand
        # O is on disk or borrowed; what is borrowed beyond it is surplus
        assert memory.unmet + borrowed == over + memory.surplus
        assert 0 in (memory.unmet, memory.surplus)
        asked = sum(memory.asked.values())
        assert memory.missing == (over - borrowed - asked if over > borrowed + asked else 0)

    @invariant()
    def nothing_is_negative(self):
        memory = self.memory
        amounts = [memory.demand, memory.over, memory.lent, memory.borrowed, memory.missing]
        amounts += [memory.allocated, memory.unmet, memory.surplus, *memory.loans.values()]
        assert min(amounts) >= 0

    @invariant()
    def what_was_told_adds_up(self):
        balance = dict.fromkeys(("lent", "returned", "borrowed", "given back"), 0)
        for kind, amount, _ in self.told:
            assert amount > 0
            balance[kind] += amount
        assert balance["lent"] - balance["returned"] == self.memory.lent
        assert balance["borrowed"] - balance["given back"] == self.memory.borrowed


TestLedger = Ledger.TestCase


def test_what_is_lent_for_one_request_can_be_dropped_alone():
    memory = Memory(100)
    for server, amount, request in [(1, 5, "a"), (1, 3, "b"), (1, 2, "c"), (2, 4, "b")]:
        memory.borrow(server, amount, request)
    assert memory.drop(1, "b") == 3
    assert memory.loans_for == {1: {"a": 5, "c": 2}, 2: {"b": 4}}
    assert (memory.loans, memory.borrowed) == ({1: 7, 2: 4}, 11)
    assert memory.drop(2, "b") == 4
    assert memory.drop(2, "b") == 0  # there is no such loan any more
    assert memory.loans == {1: 7}
