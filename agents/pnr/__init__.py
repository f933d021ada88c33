"""Parallel Network RAM: the protocol, and the nodes that it serves. Read in this order:

1. `messages.py`: the messages that servents and processes exchange; `moving.py`: the one in which
   a process moves;
2. `beliefs.py`: what a role has heard of other nodes;
3. `role.py`: what the three roles of a servent have in common, and what they may order;
4. `client.py`, `server.py`, `manager.py`: the three roles of a servent, pure state machines: a
   message in, messages out; together they are the protocol of the thesis;
5. `protocol.py`: the three together, and all that your own protocol needs; `parameters.py`: in
   which ranges numbers of designs are;
6. `hosting.py`: the host of a node's roles: what can happen, and which role is asked about it when;
   `testing.py`: hosts on a bench, whose messages go by hand;
7. `servent.py`, `timers.py`: the agent that lets a host know what happens and carries out what its
   roles want, and the timers they set;
8. `surroundings.py`, `processing_element.py`, `process.py`: where jobs compute, fault and
   synchronize, and what they expect of their cluster; `synchronization.py`: which processes wait
   for which.
"""
