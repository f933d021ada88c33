"""Parallel Network RAM: the protocol, and the nodes that it serves. Read in this order:

1. `messages.py`: the messages that servents and processes exchange; `moving.py`: the one in which
   a process moves;
2. `beliefs.py`: what a role has heard of other nodes;
3. `role.py`: what the three roles of a servent have in common, and what they may order;
4. `client.py`, `server.py`, `manager.py`: the three roles, together the protocol of the thesis;
5. `protocol.py`, `parameters.py`: all that your own protocol needs;
6. `hosting.py`: what can happen to a node's roles, and which of them is asked about it when;
   `testing.py`: hosts on a bench, whose messages go by hand;
7. `servent.py`, `timers.py`: the agent that carries out what roles want;
8. `surroundings.py`, `processing_element.py`, `process.py`, `synchronization.py`: where jobs
   compute, fault and synchronize; `page_costs.py`: what their pages cost.
"""
