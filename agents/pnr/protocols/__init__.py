"""Protocols beside the thesis's: one design each, with its roles and its messages in one file.

A design is a function of the file's name that takes the number of nodes and the design's own
numbers, and returns the graph of its managers, as in `topologies/managers`. A number that a name
may end with, as in PROBE2, is the first of them; the others can only be given by name.

- `adapt.py`: ADAPT, clients and managers switch between the thesis's designs by what they see;
- `gossip.py`: GOSSIP, own managers, and what changes is told to nodes drawn at random;
- `infiniswap.py`: INFINISWAP, slabs that are bound where pages are busy, and evicted when idle;
- `lease.py`: LEASE, loans that end by themselves, from a broker that hears of free memory;
- `master.py`: MASTER, a master that knows all segments, its standby, and strategies to choose one;
- `probe.py`: PROBEd, clients probe d servents drawn at random; nobody manages;
- `rack.py`: RACKk, racks that help themselves first, and a root that knows their sums;
- `survivor.py`: SURVIVOR, leases that are checked, whatever is lost and whoever crashes;
- `tree.py`: TREEk, what managers know travels along a tree.
"""
