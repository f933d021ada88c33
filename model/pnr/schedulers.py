"""The schedulers that a scenario may name; a new one is a class and a line here."""

from model.pnr.gang import GangScheduler, SpaceScheduler
from model.pnr.gang_memory import MemoryGangScheduler
from model.pnr.scheduler import Scheduler

SCHEDULERS: dict[str, type[Scheduler]] = {
    "gang": GangScheduler,
    "gang-memory": MemoryGangScheduler,
    "space": SpaceScheduler,
}
