"""The roles without time: all orders of steps, searched for one in which a protocol goes wrong.

A *state* is everything that decides what can happen from now on: the nodes (with ledger, roles and
timers), the channels (messages on their way), the stage (where the workload stands, and how many
faults there were), and the clock.

A *step* leads from a state to another: a message arrives or is lost, a timer fires, a job is
placed, a process ends, a servent crashes. Most steps give one node an *input*, such as a message.
What the node makes of it (another node, and messages) is its *reaction*: its roles compute it.

A *rule* says of each step whether something is wrong: a server lends what it has not, a role raises
an error. Where nothing can happen any more, nobody may wait, and nothing stay lent.

A *search* takes all steps from the first state, then all from those it led to, and so on; a state
that was there before is not looked at again. So the first step that breaks a rule ends a shortest
path to it. What is found is told step by step, as the journal of an emulation.

Why that is fast enough in Python: equal nodes, messages and channels are one object, so states are
compared by the identity of their parts. A node keeps its reactions: millions of steps are looked
up, and a few thousand are computed. Times that are over count only by their order; so parts hold
numbers of times, given out again after each step, and the clock knows what they stand for.

Read in this order; the first two lines are the whole of it, and the rest is how:

1. `steps.py`, `world.py`: `World.beginning()`, `steps(state)`, `take(state, step)`;
2. `search.py`, `properties.py`: breadth first, and the rules;
3. `setting.py`, `limits.py`: what is explored: a design, a small workload, what may go wrong;
4. `parts.py`, `reactions.py`, `host.py`: parts of states, and how roles compute a reaction;
5. `monitors.py`: rules that see the records of each step, whose own states are parts of states;
   `freezing.py`: what roles hold, as bytes that are equal where the contents are;
6. `instants.py`, `clocks.py`: times of which only the order counts, and their numbers;
   `alike.py`, `numbers.py`: what makes no difference until a role looks at it, as numbers of
   requests and heartbeats;
7. `walks.py`, `partial_order.py`: random walks, for what is too large to be searched whole;
8. `graph.py`, `atlas.py`: how far states are from a good end, and who waits in a circle of steps;
9. `causes.py`, `repair.py`, `growth.py`, `reach.py`: what dooms runs, what would have saved them,
   what makes a search endless, and what it cannot try;
10. `narrator.py`, `storing.py`, `trail.py`, `keeping.py`: a path as a journal and as a file; lines
   never run; a search as a file.
"""
