"""The memory of a node in tests of roles: 32 MB, of which a job uses so many."""

from model.ground.memory import Memory

MB = 2**20
RAM = 32 * MB


def memory_of(used_mb=0, job=1):
    memory = Memory(RAM)
    if used_mb:
        memory.allocate(job, used_mb * MB)
    return memory
