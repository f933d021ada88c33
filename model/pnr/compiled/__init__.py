"""The compiled data plane: a second implementation of what `agents/` does event by event.

Processes, page faults, disks, barriers, links and switches run here as functions over a few
structured arrays (Numba). Clients, servers, managers and the scheduler are the same Python objects
as on the actors plane; they are called when a protocol message arrives or a process ends. Read in
this order:

- `records.py`: the arrays, field by field;
- `transport.py`: stations, and the messages that pass them; `disk.py`: what serves pages;
- `ahead.py`: how far a message may go at once;
- `processes.py`: what a process does at each of its events, and how far it may run ahead;
- `rounds.py`: rounds between barriers that repeat, which need not be executed;
- `plane.py`: the event loop and what Python calls;
- `arrays.py`: the arrays of one cluster; `held.py`: how functions are handed them;
- `cluster.py`: the Mesa model, nodes, jobs and processes on top of it.

Both planes write the same journal and the same results, to the nanosecond. The events of this plane
have the same keys (`model/ground/clock.py`). It saves time because not everything is an event:

- A link that leaves a switch is reached only through that switch, in the switch's order; so a
  message passes both when it reaches the switch (`transport.forward`).
- A process that neither needs nor disturbs anybody runs ahead of the clock: through faults served
  by its own disk (`processes.read_on`: one loop), through pages that come back, and up to the first
  hop of its next request (`processes.private`). If something then happens to its node, it returns
  to where it was and follows step by step (`processes.settle`).
- A message passes its receiver's link, of either duplex, when it reaches the switch before it, and
  a request is answered then, if nothing else can come between (`ahead.pass_last_link`). So a page
  of a lender that does nothing else takes two turns of the loop: when the request is at the switch,
  and when the reply is.
- Only the last of the messages that tell a master about its workers' barrier is an event; the
  others' arrival is known when they leave the last queue on their way (`processes.hear`).
- Rounds between two barriers that repeat to the nanosecond are only counted. Their effect is added
  later (`rounds.py`).

What this relies on, and what to do where it stops being true:

- Page and barrier messages arrive, once and undelayed. A fault that touches them gives its reason
  in `why_actors` (`model/pnr/faults.py`) and runs on the actors plane; only a request to a crashed
  lender comes back to Python, and what killed processes have under way goes on as a letter.
- A process waits for one thing at a time: one page, one barrier message or the end of one stretch
  of computing. So its seat holds the one event that is pending. What it sends and does not wait for
  it posts as letters, as the protocol's messages are: data that it exchanges, and arrivals told to
  those beside it in a ring (`processes.post_to_ring`). A process that asks for pages in advance
  needs letters for them, too.
- Nothing ends a worker's arrival once it is in its last queue. Where nodes crash, each arrival is
  an event (`hears_ahead`).
- A message takes longer than the nanosecond in which it is sent. On a network where it may not,
  nothing runs ahead (`looks_ahead`).
- A switch takes at least 1 ns for a message, never less than `gate_ns`, and alone feeds the
  links behind it. Other links are entered by an event of their own (`fed` is 0), which first lets
  the process there `give_way`, as does whatever else enters a node's link.
- A node sends when its running process does, when a process there that waits for others at a
  barrier hears the last of them or is released (`masters`), when a page is asked for, and when
  Python says so, no earlier than at its next event, at the next letter's, or when a process returns
  to it. Who else sends belongs into `quiet_until`.
- A process's memory changes only while its whole job is at a barrier, so that nothing which it has
  done ahead of time rests on the old value (`arrays.pass_barrier`). A change at another time must
  `settle` it first; so must whatever else changes a node, and `give_way` whatever sends from it.
- Python changes something only at its own events, at messages that arrive and at the ends of
  processes. A process does not run ahead of the next of Python's events (`horizon`); a change at
  another time must come with an event. A process comes back to Python earlier than was known
  (`quiet_ns`) only if its job is resumed or the memory of its node changes.
- Only the process that runs on a node asks its disk, which takes the same time for each page, one
  after another; where services are drawn, nothing runs ahead. Several queues change `disk.py`;
  somebody else who asks, such as a process that writes pages back while it is suspended, must
  `settle` the one that runs and `take_over` the disk.
- Fields of a process, meeting or node that events change are the first of its record: only these
  are kept while it runs ahead, and compared by rounds. In each round that repeats, each stays equal
  or grows by the same amount. A field that does neither, such as a mean, must not be kept there.
- A node has at most `slots` processes. Of a scheduler that places more, `slots` gives the most.
- A service time depends on a message's size and the station's rate alone, and rates do not change.
  Links that are slow for a while run on the actors plane.
- No time and no sum exceeds 64 bits: the limits of the scenario's parameters see to it
  (`records.py` shows how).

Each saved event is counted as if executed, as on the actors plane. With a journal of every hop,
every event is executed in order.
"""
