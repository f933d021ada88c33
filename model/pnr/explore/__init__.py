"""The roles without time: all orders of steps, searched for one in which a protocol goes wrong.

A *state* is everything that decides what can happen from now on. It has four parts: its nodes (what
roles and ledgers hold, and timers), the channels with the messages on their way, the stage (where
the workload stands, and how many faults there were), and a clock. Equal nodes, channels and stages
are the same object, so two states are equal if their parts are, and a state of millions takes few
bytes of its own.

A *step* changes a state: a message arrives or is lost, a timer fires, a job is placed, a process
ends, a servent crashes. Most steps give one node an input. A node and an input are all that decides
what the node does, so its roles compute that once; it is kept with the node.

*Times* that are over only count by their order. So nodes and messages hold numbers of times, which
are given anew after each step, and the clock knows what they stand for.

Read in this order:

1. `setting.py`: what is explored: a design, a small workload, and what may go wrong; `limits.py`:
   within which limits;
2. `steps.py`, `parts.py`, `world.py`: steps, the parts of a state, and how a step leads from one
   state to another: this is the whole of it;
3. `properties.py`, `search.py`: what has to hold in every step; breadth first, to a shortest path;
4. `reactions.py`, `host.py`: what a node makes of an input, and what its host's roles want;
5. `instants.py`, `clocks.py`: times of which only the order counts, and their numbers in a state;
6. `freezing.py`: what roles hold, as bytes that are equal where the contents are;
7. `partial_order.py`, `walks.py`: random walks, for what is too large to be searched whole;
8. `graph.py`, `atlas.py`: all states of a small setting, and how far each is from a good end;
9. `narrator.py`, `storing.py`: a path as a journal, and as a file that repeats it;
10. `trail.py`: which lines of roles have run.
"""
