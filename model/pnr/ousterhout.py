"""The Ousterhout matrix: which job holds which seats in which time slot."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

J = TypeVar("J", bound=Hashable)  # a job


class OusterhoutMatrix(Generic[J]):
    """A matrix of `slots` rows and a column for each seat. Jobs are opaque to it; it has no clock.

    `up` are the seats on which jobs may be placed, in order: the scheduler's list, which it keeps.

    Packing, alternative scheduling and slot unification follow Feitelson's packing schemes for gang
    scheduling (the thesis's reference [10]).
    """

    def __init__(self, slots: int, up: list[int]) -> None:
        self.up = up
        self.rows: list[dict[int, J]] = [{} for _ in range(slots)]  # seat -> job, by slot
        self.jobs: list[list[J]] = [[] for _ in range(slots)]  # by slot, in the order of placement
        self.seats: dict[J, list[int]] = {}  # of each job

    def best_fit(
        self, size: int, able: Callable[[list[int]], list[int]] = lambda seats: seats
    ) -> tuple[int, list[int]] | None:
        """The slot with the fewest free seats of those in which enough hold the job, and these.

        Of the free seats that are `able` to hold it, these are the first; None if they are too few
        in each slot.
        """
        free = [[seat for seat in self.up if seat not in row] for row in self.rows]
        for slot in sorted(range(len(free)), key=lambda slot: len(free[slot])):
            if len(free[slot]) >= size:
                seats = able(free[slot])
                if len(seats) >= size:
                    return slot, seats[:size]
        return None

    def place(self, job: J, slot: int, seats: list[int]) -> None:
        self.rows[slot].update(dict.fromkeys(seats, job))
        self.jobs[slot].append(job)
        self.seats[job] = list(seats)

    def remove(self, job: J) -> None:
        slot = self.slot_of(job)
        self.jobs[slot].remove(job)
        for seat in self.seats.pop(job):
            del self.rows[slot][seat]

    def move(self, job: J, source: int, target: int) -> None:
        row = self.rows[self.slot_of(job)]
        del row[source]
        row[target] = job
        self.seats[job].remove(source)
        self.seats[job].append(target)

    def free_beside(self, job: J) -> list[int]:
        row = self.rows[self.slot_of(job)]
        return [seat for seat in self.up if seat not in row]

    def slot_of(self, job: J) -> int:
        return next(slot for slot, jobs in enumerate(self.jobs) if job in jobs)

    def filled(self) -> list[int]:
        return [slot for slot, jobs in enumerate(self.jobs) if jobs]

    def next_filled(self, slot: int) -> int:
        """The next slot in turn that is not empty; this one if all others are."""
        count = len(self.rows)
        turns = ((slot + step) % count for step in range(1, count + 1))
        return next((turn for turn in turns if self.jobs[turn]), slot)

    def runnable(self, slot: int) -> list[J]:
        """The jobs that run in a slot: its own, and those of other slots whose seats are idle."""
        running = list(self.jobs[slot])
        taken = set(self.rows[slot])
        for other in self.filled():
            if other == slot:
                continue
            free = [job for job in self.jobs[other] if taken.isdisjoint(self.seats[job])]
            running += free
            for job in free:
                taken.update(self.seats[job])
        return running

    def unify(self) -> list[tuple[int, int, list[J]]]:
        """Merge slots whose jobs use disjoint seats into the lower one.

        Returns of each merger the lower and the higher slot, and the jobs that moved down.
        """
        merged = []
        for low in range(len(self.rows)):
            for high in range(low + 1, len(self.rows)):
                both_filled = self.jobs[low] and self.jobs[high]
                if both_filled and self.rows[low].keys().isdisjoint(self.rows[high]):
                    merged.append((low, high, self.jobs[high]))
                    self.rows[low] |= self.rows[high]
                    self.jobs[low] += self.jobs[high]
                    self.rows[high], self.jobs[high] = {}, []
        return merged
