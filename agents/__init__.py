"""Who sends and receives messages: Mesa agents, and the roles that they host.

What every system has, in this order:

1. `messages.py`: a message, and how a kind of message declares itself;
2. `node.py`: a disk and a port to the network; it knows neither servents nor jobs;
3. `station.py`, `link.py`, `switch.py`, `disk.py`: what messages and pages queue at;
4. `interfaces.py`: what agents expect of each other and of the emulation, as types.

Then `pnr/` (memory moves to the jobs) or `sharing/` (jobs move to the memory). Nothing here imports
anything of `model/` except `model/ground`.
"""
