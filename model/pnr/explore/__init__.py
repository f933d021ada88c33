"""The roles without time: all orders of steps, searched for one in which a protocol goes wrong.

Read in this order:

1. `setting.py`: what is explored: a design, a small workload, and what may go wrong; `limits.py`:
   within which limits;
2. `instants.py`: times of which only the order counts;
3. `freezing.py`: what roles hold, as bytes that are equal where the contents are;
4. `host.py`: a node during one step: what its host's roles want, as a search carries it out;
5. `world.py`: states, the steps that are possible in one, and what they lead to;
6. `properties.py`, `trail.py`: what has to hold in every step; which lines of roles have run;
7. `search.py`: breadth first, to a shortest path; `compiled.py`, `table.py`: the same, compiled;
8. `partial_order.py`, `walks.py`: random walks, for what is too large to be searched whole;
9. `graph.py`, `atlas.py`: all states of a small setting, and how far each is from a good end;
10. `narrator.py`, `storing.py`: a path as a journal, and as a file that repeats it.
"""
