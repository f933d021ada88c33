"""The Ousterhout matrix by hand, and against a plain list of (slot, nodes) of each job."""

from itertools import combinations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from model.pnr.ousterhout import OusterhoutMatrix


def matrix_of(*rows, nodes=4):
    """A slot for each row, a letter for each node that the job of that name holds; "." is free."""
    matrix = OusterhoutMatrix(len(rows), list(range(nodes)))
    for slot, row in enumerate(rows):
        for name in sorted(set(row) - {"."}):
            matrix.place(name, slot, [node for node, held in enumerate(row) if held == name])
    return matrix


def rows_of(matrix):
    return ["".join(row.get(node, ".") for node in matrix.up) for row in matrix.rows]


def test_a_job_gets_another_node_in_its_slot_alone():
    matrix = matrix_of("aab.", "ccc.", "d...")
    assert matrix.free_beside("a") == [3]
    assert matrix.free_beside("d") == [1, 2, 3]
    matrix.move("a", 1, 3)
    assert rows_of(matrix) == ["a.ba", "ccc.", "d..."]
    matrix.move("d", 0, 1)
    assert matrix.unify() == [(0, 2, ["d"])]
    assert rows_of(matrix) == ["adba", "ccc.", "...."]


def test_a_node_that_gets_no_more_jobs_takes_no_room_from_others():
    matrix = matrix_of("..aa", "bbb.")
    matrix.up.remove(3)  # on which "a" stays
    assert matrix.best_fit(2) == (0, [0, 1])
    matrix.up.remove(1)
    assert matrix.best_fit(1) == (0, [0])
    assert matrix.best_fit(2) is None


NODES, SLOTS = 5, 3


class Packing(RuleBasedStateMachine):
    """Jobs come and go and slots merge, in any order, against a dictionary of where each is."""

    def __init__(self):
        super().__init__()
        self.matrix = OusterhoutMatrix(SLOTS, list(range(NODES)))
        self.places = {}  # job -> (slot, nodes)
        self.jobs = 0

    def free(self, slot):
        held = {node for at, nodes in self.places.values() if at == slot for node in nodes}
        return sorted(set(range(NODES)) - held)

    def used(self, slot):
        return set(range(NODES)) - set(self.free(slot))

    @rule(size=st.integers(1, NODES))
    def arrive(self, size):
        fit = self.matrix.best_fit(size)
        enough = [slot for slot in range(SLOTS) if len(self.free(slot)) >= size]
        if not enough:
            assert fit is None
            return
        tightest = min(len(self.free(slot)) for slot in enough)
        slot = next(slot for slot in enough if len(self.free(slot)) == tightest)
        assert fit == (slot, self.free(slot)[:size])
        self.jobs += 1
        self.matrix.place(self.jobs, *fit)
        self.places[self.jobs] = fit

    @rule(data=st.data(), slot=st.integers(0, SLOTS - 1))
    def squeeze_in_anywhere(self, data, slot):
        # slots as best fit never leaves them, too
        if self.free(slot):
            nodes = data.draw(st.lists(st.sampled_from(self.free(slot)), min_size=1, unique=True))
            self.jobs += 1
            self.matrix.place(self.jobs, slot, nodes)
            self.places[self.jobs] = (slot, nodes)

    @precondition(lambda self: self.places)
    @rule(data=st.data())
    def leave(self, data):
        job = data.draw(st.sampled_from(sorted(self.places)))
        self.matrix.remove(job)
        del self.places[job]

    @rule()
    def unify(self):
        before = {job: sorted(nodes) for job, (_, nodes) in self.places.items()}
        for low, high, jobs in self.matrix.unify():
            assert low < high
            assert self.used(low).isdisjoint(self.used(high))
            assert sorted(jobs) == sorted(job for job, at in self.places.items() if at[0] == high)
            self.places |= {job: (low, self.places[job][1]) for job in jobs}
        assert before == {job: sorted(nodes) for job, (_, nodes) in self.places.items()}
        # nothing is left to merge
        for one, two in combinations(self.matrix.filled(), 2):
            assert self.used(one) & self.used(two)

    @invariant()
    def no_node_has_two_jobs_in_a_slot_and_each_job_its_nodes_in_one(self):
        for slot in range(SLOTS):
            here = {job: nodes for job, (at, nodes) in self.places.items() if at == slot}
            holders = {node: job for job, nodes in here.items() for node in nodes}
            assert len(holders) == sum(map(len, here.values()))
            assert self.matrix.rows[slot] == holders
            assert sorted(self.matrix.jobs[slot]) == sorted(here)
        assert all(self.matrix.slot_of(job) == at for job, (at, _) in self.places.items())
        assert self.matrix.filled() == [slot for slot in range(SLOTS) if self.used(slot)]

    @invariant()
    def who_runs_disturbs_nobody_and_who_waits_would(self):
        for slot in range(SLOTS):
            running = self.matrix.runnable(slot)
            busy = [node for job in running for node in self.places[job][1]]
            assert len(running) == len(set(running))
            assert len(busy) == len(set(busy))
            assert all(job in running for job, (at, _) in self.places.items() if at == slot)
            for job in self.places.keys() - set(running):
                assert set(self.places[job][1]) & set(busy)


TestPacking = Packing.TestCase
