"""What load sharing with unknown memory demands adds to the shared model."""

from model.sharing.system import System
from model.sharing.unknown.constants import UnknownConstants
from model.sharing.unknown.paging import PagedMemory
from model.sharing.unknown.policies import POLICIES
from model.sharing.unknown.workload import jobs_of

SYSTEM = System(UnknownConstants.of, jobs_of, PagedMemory, POLICIES)
