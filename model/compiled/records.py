"""The state of the compiled plane: structured arrays, every field 64 bits wide."""

import numpy as np

from agents.process import STATES

Rows = np.ndarray  # of one of the dtypes below
Row = np.record  # one element of such an array; compiled code changes it in place

NEVER = 2**63 - 1  # the time of what is not scheduled
NOBODY = -1

# What is pending for a process.
NOTHING, FAULT, PAUSE, DISK_DONE, HOP, ARRIVE = range(6)
# Its messages; also their rows in the table of sizes and services.
REQUEST, REPLY, ARRIVAL, RELEASE = range(4)
DATA_MESSAGES = 4


def _dtype(*fields: str, **arrays: int) -> np.dtype:
    names = [(name, np.int64) for text in fields for name in text.split()]
    return np.dtype([*names, *((name, np.int64, (length,)) for name, length in arrays.items())])


# An event's key, as in model/clock.py; where nothing is pending the time is NEVER.
_KEY = "time cls receiver sender number"
# A message under way: place in the routes, kind (row of the table of services), the record that
# caused it, and its place among the letters (NOBODY for a process's own).
_MESSAGE = "what hop kind message_cause letter job rank events"

#: The key of Python's next event.
KEY = _dtype(_KEY)

#: What is global: the present event (its key and its number), what causes what happens now (for the
#: journal), events counted and left to execute before Python wants to be asked, the time of
#: Python's next event, whether every hop is journaled; constants of the scenario; list lengths.
RUN = _dtype(
    _KEY,
    "turn cause events budget horizon stepwise",
    "page page_walk_ns barrier_ns disk_ns slots",
    "letters log",
    sent=DATA_MESSAGES,
    delivered=DATA_MESSAGES,
)

#: A process in its seat: node `n` has the seats `n * slots … n * slots + slots - 1`. The fields:
#: who it is; the seats of its job's rank 0 and next rank; routes; where it is in its life; its
#: streams of draws; what its node's disk and it did; and how far it has run ahead of the clock.
SEAT = np.dtype(
    [
        *_dtype(
            _KEY,
            _MESSAGE,
            "occupied process node workers master next",
            "to_master from_master reply_route memory demand_ns",
            "running state since_ns cpu_ns pause_ns loaded drawn arrived cause steps",
            "disk_free_ns disk_served disk_wait_ns disk_max_wait_ns stretches faults_network",
            "ahead began booked booked_station port_free_ns port_wait_ns port_max_wait_ns",
            spent_ns=len(STATES),
            sent=DATA_MESSAGES,
            delivered=DATA_MESSAGES,
        ).descr,
        *((name, np.uint64) for name in ("fault", "medium", "lender", "relocation")),
    ]
)

#: A protocol message under way; Python keeps its content.
LETTER = _dtype(_KEY, _MESSAGE)

#: A node: its memory, who runs on it and who did last, messages sent; `port` says whether only the
#: process that runs can put messages on its links. Its disk's state while nobody runs.
NODE = _dtype(
    "ram over borrowed loans running last_ran messages private port",
    "disk_free_ns disk_served disk_wait_ns disk_max_wait_ns stretches faults_network",
)

#: A link or switch. `rate` is its column in the table of services; `private`: only one node's
#: sends enter it; `fed`: only the switch before it feeds it, in a strict order.
STATION = _dtype("free_ns served bytes busy_ns wait_ns max_wait_ns latency_ns rate private fed")

#: A loan: how much of which node's memory, and the routes to it and back.
LOAN = _dtype("server amount there back")

#: A leaf or inner node of the tournament over all seats (see transport.earliest).
QUEUE = _dtype("time winner")

#: What a journal of every hop is made of.
LOG = _dtype("time kind id cause job rank node peer size station start_ns end_ns message letter")
LOGGED = ("sent", "hop", "delivered", "disk", "fault", "barrier")
SENT, HOPPED, DELIVERED, DISK_SERVED, FAULTED, AT_BARRIER = range(len(LOGGED))
