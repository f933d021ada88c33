"""What WAL-FC adds to the shared model."""

from model.sharing.system import System
from model.sharing.wal_fc.buffered_memory import BufferedMemory
from model.sharing.wal_fc.constants import WalFcConstants
from model.sharing.wal_fc.policies import POLICIES
from model.sharing.wal_fc.workload import jobs_of

SYSTEM = System(WalFcConstants.of, jobs_of, BufferedMemory, POLICIES)
