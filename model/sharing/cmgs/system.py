"""What CMGS adds to the shared model."""

from model.sharing.cmgs.constants import CmgsConstants
from model.sharing.cmgs.policies import POLICIES
from model.sharing.cmgs.shared_ram import SharedRam
from model.sharing.cmgs.workload import jobs_of
from model.sharing.system import System

SYSTEM = System(CmgsConstants.of, jobs_of, SharedRam, POLICIES)
