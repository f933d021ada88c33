"""The state of the compiled plane: structured arrays, every field 64 bits wide.

64 bits do not overflow within a simulated year, which is 3.2 * 10^16 ns, less than 2^55:
- Inputs are limited so that no time (a submission, a demand, a latency, a service of one of the
  thesis's messages) exceeds 10^18 ns and a fault time is cut to 2^62 ns; so the time of any next
  event stays below 2^63.
- What is summed over time alone (busy times, a process's states, the waits at a disk, where at most
  64 processes of each core queue) grows by less than 64 ns per ns and core, to less than 2^61 in a
  year. At a network station all processes of the cluster may queue; so the sum of waits carries
  into a second field.
- For how long a process was awaited is summed over all others of its job; 256 may wait for a year.
- A node holds at most 64 processes of 2^46 bytes and lends no more than its RAM, less than 2^51; so
  its demand stays below 2^53, and comparisons of bytes with floating-point draws are exact.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agents.pnr.process import STATES

Rows = np.ndarray  # an array of one of the dtypes below
#: One element of such an array; compiled code changes it in place. Its fields are whole numbers.
if TYPE_CHECKING:
    Row = Any
else:
    Row = np.record

NEVER = 2**63 - 1  # the time of what is not scheduled
NOBODY = -1
UP, DOWN = -2, -3  # in a route: the only link of the sender, of the receiver
CARRY = 2**62

# What is pending for a process. LAST: the last of its job's workers arrives at the master;
# GIVEN_UP: it reads a page from the disk, since the lender has crashed. What stands for all events
# of jobs that repeat their rounds (`rounds.py`): ROUND: one begins; MEASURED: one was measured. At
# a PAUSE, too, rounds may begin to repeat; these three are the last.
NOTHING, FAULT, DISK_DONE, HOP, ARRIVE, LAST, GIVEN_UP, PAUSE, ROUND, MEASURED = range(10)
# Why compiled code comes back to Python; GO_ON: it need not.
GO_ON, PYTHON_IS_NEXT, BUDGET_SPENT, PROCESS_FINISHED, PAGE_UNHEARD, LETTER_ARRIVED = range(6)
MEMORY_CHANGES = 6  # all processes of a job are at a barrier at or after its next mark
LETTERS_RUN_OUT = 7  # a process that posts letters at a barrier needs more of them before it can
# A process's messages; also their rows in the table of sizes and services. In its seat are those
# that it waits with; others are posted as letters.
REQUEST, REPLY, ARRIVAL, RELEASE, EXCHANGE = range(5)
DATA_MESSAGES = 5
SEATED = 4


def _dtype(*fields: str, **arrays: int) -> np.dtype:
    names = [(name, np.int64) for text in fields for name in text.split()]
    return np.dtype([*names, *((name, np.int64, (length,)) for name, length in arrays.items())])


def _longer(first: np.dtype, *fields: str, **arrays: int) -> np.dtype:
    return np.dtype([*first.descr, *_dtype(*fields, **arrays).descr])


# An event's key, as in `model/ground/clock.py`; where nothing is pending, the time is NEVER. (No
# dtype below begins like another: Numba would take it for a subtype, which is experimental there.)
_KEY = "time cls receiver sender number"
# A message on its way: its place in the routes, its kind (a row of the table of services) and the
# record that caused it. A letter has the rank that hears it, if one does, in `to`; `letter` is its
# index among those that are Python's, or NOBODY.
_ON_ITS_WAY = "what hop kind message_cause events"
_MESSAGE = f"{_ON_ITS_WAY} job rank to"

#: A node's disk: when it will have served all, how much it has served, and how long that waited. It
#: is a part of the record of the process that runs, or of the node while none does, or where
#: several may at once, on cores (`disk.py`).
DISK = "disk_free_ns disk_served disk_wait_ns disk_max_wait_ns"

#: The key of Python's next event.
KEY = _dtype(_KEY)

#: The global state: the present event (its number and its key), the record that causes what happens
#: now (for the journal), the events counted and those left before Python wants to be asked, the
#: time of Python's next event or of the window's end, whether every hop is journaled, and whether
#: processes may run ahead of the clock; before when no process returns to Python, and the turn from
#: which that may be worked out anew (`ahead.quiet_until`); the seed and constants of the scenario,
#: such as how processes synchronize (`agents/pnr/synchronization.py`); whether rounds may repeat,
#: and whether the event of any of the `folds` may be pending; lengths of lists; the present window
#: of the journal (`core/journal/queues.py`), how long it is (0: none), and its end.
RUN = _dtype(
    "turn",
    _KEY,
    "cause events budget horizon stepwise looks_ahead hears_ahead quiet_ns recheck",
    "seed page relocates_above relocality_unit drifts page_walk_ns barrier_ns reference_speed",
    "meets in_ring exchanges repeats folds letters spare log window window_ns border_ns",
    "watches_pages costs_by",
    waiting=2,
    sent=DATA_MESSAGES,
    delivered=DATA_MESSAGES,
)

#: A process's streams of draws.
STREAMS = "fault", "medium", "lender", "relocation", "cost"

#: Of a process in its seat, what its events change: its state; the message or event that is
#: pending; what it and its node's disk did; when it reached its latest barrier and for how
#: long it was awaited (`agents/pnr/process.py`); and its streams of draws.
SEAT_BY_EVENTS = np.dtype(
    [
        *_dtype(
            "state since_ns cpu_ns until_ns pause_ns loaded drawn cause steps asked_ns",
            _KEY,
            _ON_ITS_WAY,
            "reply_route",
            DISK,
            "stretches faults_network reached_ns awaited_ns",
            spent_ns=len(STATES),
            sent=SEATED,
            delivered=SEATED,
        ).descr,
        *((name, np.uint64) for name in STREAMS),
    ]
)
#: A process in its seat; each core of a node has as many as there are time slots. After what events
#: change: how far it has run ahead of the clock; who it is; the seat of the one that it tells of
#: its arrival at a barrier (or NOBODY), how many arrivals it waits for, and to how many beside it
#: in a ring it posts letters; its memory, how much of it may be in RAM, L (`outside`), and by how
#: much it exceeds what could ever be in RAM (`excess`); at rank 0 the CPU time from which its
#: memory is another; whether its job runs, and whether D counts as loaded (`warm`).
SEAT = _longer(
    SEAT_BY_EVENTS,
    "ahead began booked booked_station port_free_ns port_wait_ns port_waits port_max_wait_ns",
    "booked_window port_peak_ns",
    "process job rank to letter occupied node parent awaited ring to_parent",
    "memory limit outside excess mark_ns demand_ns running warm",
    "fault_ns loaded_class waiting_class",
)

#: What a process that runs ahead does not change, by seat: the seats of its job's next rank and of
#: the first of those, one rank after another, that tell this one of their arrivals at a barrier;
#: the route by which it is released; how many arrivals are known, whether all have happened, and
#: the key of the latest one that is known ahead of time (`processes.hear`). In its group
#: (`rounds.py`), the `leader` is rank 0 of the first job, if that is another; the `ally` of a job's
#: last rank is rank 0 of the next job. In a ring the seats
#: beside it, the routes there, and how many arrivals it has heard from each (which may be one
#: barrier ahead).
MEETING_BY_EVENTS = _dtype("arrived complete time sender number", heard=2)
MEETING = _longer(MEETING_BY_EVENTS, "next child from_parent leader ally", beside=2, to_beside=2)

#: A message on its way that is nowhere else: one of the protocol, whose content Python keeps, or
#: one that a process has posted, which goes on without waiting for it.
LETTER = _dtype("letter", _KEY, _MESSAGE)

#: A node: its memory, and what processes hold that compute on its cores at once (`together`); how
#: long its disk takes for a page, its speed, its first seat and how many it has; who runs on it, if
#: it has one core, messages sent; `port` is 1 if what the process that runs here sends ahead of
#: time can give way to all that else enters its links (`private`), and the node lends nothing;
#: `uplink` and `downlink` are the stations to and from its only neighbour, where that is a switch,
#: and `gate_ns` is how far apart that switch lets messages through, if only both enter these links
#: (else 0); until `awaits_ns` messages reach them by events of their own, and so many `masters`
#: wait at a barrier here (`ahead.py`).
NODE_BY_EVENTS = _dtype("messages awaits_ns masters", DISK, "stretches faults_network")
NODE = _longer(
    NODE_BY_EVENTS,
    "ram over beyond_ram borrowed lends together disk_ns speed cores first_seat seats",
    "running private port down uplink downlink gate_ns disk_busy_ns",
)

#: So many of the first numbers of these records are what events change.
OF_SEAT, OF_MEETING, OF_NODE = (
    part.itemsize // 8 for part in (SEAT_BY_EVENTS, MEETING_BY_EVENTS, NODE_BY_EVENTS)
)

#: A link or switch. All waits are wait_ns + waits * 2^62 ns. `rate` is its column in the table of
#: services; `fed` is 1 if only the switch before it feeds it, in a strict order.
STATION = _dtype("free_ns served bytes busy_ns wait_ns waits max_wait_ns latency_ns rate fed")

#: A group of jobs whose rounds are compared (`rounds.py`): the seat of the first one's rank 0 (or
#: NOBODY); when the latest round began, or the next begins; how long a round and its window take;
#: when it was last unfolded at the begin of a round; how many rounds were compared in succession,
#: whether one has been measured, and at how many stations; whether it is folded, and the rounds
#: skipped since; how many rounds were not alike, and for how many it is not looked at, now and the
#: last time.
FOLD = _dtype(
    "owner begin_ns period_ns window_ns executed_ns compared measured parts folded skipped",
    "unlike waits penalty",
)

#: What a round adds at a station, and when that is free again, from the begin of the round.
PART = _dtype("station served bytes busy_ns wait_ns free_ns")

#: What came to a station in a window of time, of a class of messages (`core/journal/queues.py`).
CELL = _dtype("services delay_ns peak_ns")
#: So many windows after the present one messages may reach at most what only a switch feeds. The
#: last of these is what a round adds that is measured (`rounds.py`).
SPARE_WINDOWS = 40

#: A loan: the server, the bytes, and the routes there and back.
LOAN = _dtype("server amount there back")

#: A leaf or inner node of the tournament over all seats (see transport.earliest).
QUEUE = _dtype("time winner")

#: A line of the log, from which a journal of every hop is made.
LOG = _dtype("time kind id cause job rank node peer station start_ns end_ns message letter")
LOGGED = ("sent", "hop", "delivered", "disk", "fault", "barrier", "passed")
SENT, HOPPED, DELIVERED, DISK_SERVED, FAULTED, AT_BARRIER, PASSED = range(len(LOGGED))


class World(NamedTuple):
    """The whole state of a run, handed from function to function."""

    runs: Rows  # one RUN
    next_of_python: Rows  # one KEY
    seats: Rows  # of SEAT; after those of processes, one for each fold
    saved: Rows  # what events change of each seat, before it ran ahead
    meetings: Rows  # of MEETING, by seat
    nodes: Rows  # of NODE
    stations: Rows  # of STATION
    hops: Rows  # of all routes, one after another: stations, UP and DOWN, then NOBODY
    services: Rows  # by kind of message: its size, then its service time at each rate
    loans: Rows  # of LOAN: nodes x places
    queue: Rows  # of QUEUE
    letters: Rows  # of LETTER
    heap: Rows  # indices of letters on their way
    spare: Rows  # indices of letters that processes may post
    log: Rows  # of LOG
    windows: Rows  # of CELL: windows x stations x classes
    page_counts: Rows  # those of `agents/pnr/page_costs.py`
    page_total_ns: Rows
    page_costs: Rows
    # What only `rounds.py` needs:
    folds: Rows  # of FOLD
    parts: Rows  # of PART: folds x stations
    part_cells: Rows  # of CELL: folds x stations x classes
    stations_before: Rows  # of STATION, when a round began that is measured
    seat_numbers: Rows  # the seats, meetings and nodes as whole numbers, a row each
    meeting_numbers: Rows
    node_numbers: Rows
    before: Rows  # by seat, what events change of it, its meeting and its node, at the latest round
    change: Rows  # how much the round before has changed that
