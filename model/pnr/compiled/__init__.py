"""The compiled data plane: the second implementation of what `agents/` does event by event.

Processes, page faults, disks, barriers, links and switches run here as functions over a few
structured arrays (Numba); clients, servers, managers and the scheduler are the same Python objects
as on the actors plane, called when a protocol message arrives or a process ends. Read it in this
order:

- `records.py`: the arrays, field by field;
- `transport.py`: stations, and messages that pass them;
- `processes.py`: what a process does at each of its events, and how far it may run ahead;
- `plane.py`: the event loop and what Python calls;
- `arrays.py`: the arrays of one cluster;
- `cluster.py`: the Mesa model, nodes, jobs and processes that stand on it.

Both planes write the same journal and the same results, to the nanosecond. The events of this one
have the same keys (`model/ground/clock.py`); it saves time by not making an event of everything:

- A link that leaves a switch is reached only through that switch, in its order: a message passes
  both when it reaches the switch (`transport.forward`).
- A process that neither needs nor disturbs anybody runs ahead of the clock, through faults served
  by its own disk (`processes.read_on`: one loop), pages that come back, and up to its next request
  on the way (`processes.private`). If something then happens to its node, it goes back to where it
  was and follows step by step (`processes.settle`).
- Of the workers' messages that tell a master of a barrier only the last is an event: when the
  others leave the last queue on their way, their arrival is known (`processes.hear`).

Each saved event is counted as the actors plane would execute it. With a journal of every hop, every
event is executed in order.
"""
