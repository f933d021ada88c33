"""Designs for real: each node a process of the operating system, messages over TCP, real pages.

The agents, roles, jobs, scheduler and faults are those of the emulation. In the order of reading:

- `frames.py`: how processes connect and send frames; `wire.py`: the packets in them;
- `clock.py`: the event list, run by the clock on the wall; `scaling.py`: computing in other time;
- `pages.py`: pages as bytes; `process.py`: a process that has them; `node.py`: all that is on a
  node, and `node_process.py`: its process, with its connections;
- `remote.py`: nodes, servents and processes as the head sees them; `head.py`: what starts them,
  and runs jobs on them; `journal.py`: the journals of all as one;
- `comparison.py`: several designs, and what of a scenario can be real; `calibration.py`: what a
  machine takes.
"""
