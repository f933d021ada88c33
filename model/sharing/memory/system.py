"""What CPU-memory load sharing adds to the shared model."""

from model.sharing.memory.constants import MemoryConstants
from model.sharing.memory.policies import POLICIES
from model.sharing.memory.stratified import jobs_of
from model.sharing.memory.working_sets import WorkingSets
from model.sharing.system import System

SYSTEM = System(MemoryConstants.of, jobs_of, WorkingSets, POLICIES)
