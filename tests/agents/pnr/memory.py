"""The memory of nodes in tests of roles, and what is told of it."""

from agents.pnr.messages import LoadReport
from model.ground.memory import Memory

MB = 2**20
RAM = 32 * MB


def memory_of(used_mb=0, job=1):
    """32 MB, of which a job uses so many."""
    memory = Memory(RAM)
    if used_mb:
        memory.allocate(job, used_mb * MB)
    return memory


def words(*told):
    """Load reports are (node, MB available, when stated)."""
    return tuple((node, LoadReport(load_mb * MB, stated_ns)) for node, load_mb, stated_ns in told)
