"""What a policy sees: a workstation that stands in for one of a run, and a view of it."""

from dataclasses import dataclass, field
from types import SimpleNamespace

from agents.sharing.policy import View

S = 10**9


@dataclass
class Workstation:
    """What a view asks of a workstation, 1,000 s after the beginning."""

    load: object
    jobs: list = field(default_factory=list)
    held: list = field(default_factory=list)
    buffers: list = field(default_factory=list)  # the sizes that were set
    index: int = 0
    clock = SimpleNamespace(now_ns=1000 * S)

    def states(self):
        return self.load

    def running_jobs(self):
        return self.jobs

    def movable_jobs(self, settled=True):
        return self.jobs

    @property
    def model(self):
        return self

    def set_buffers(self, size):
        self.buffers.append(size)


def view(here, *others, jobs=(), held=()):
    """The view of a node with this load; others, from node 1 on, have stated theirs."""
    return View(Workstation(here, [*jobs], [*held]), dict(enumerate(others, start=1)), seed=1)
