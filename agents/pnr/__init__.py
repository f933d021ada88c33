"""Parallel Network RAM: the protocol, and the nodes that it serves. Read in this order:

1. `messages.py`: the messages that servents and processes exchange;
2. `role.py`: what the three roles of a servent have in common, and what they may order;
3. `client.py`, `server.py`, `manager.py`: the three roles of a servent, pure state machines: a
   message in, messages out; together they are the protocol of the thesis;
4. `protocol.py`: the three together, and all that your own protocol needs;
5. `servent.py`, `timers.py`: the agent that hosts the roles on a node, and the timers they set;
6. `processing_element.py`, `process.py`: where jobs compute, fault and synchronize.
"""
