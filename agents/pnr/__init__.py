"""Parallel Network RAM: the protocol, and the nodes that it serves. Read in this order:

1. `messages.py`: what servents and processes say to each other;
2. `client.py`, `server.py`, `manager.py`: the three roles of a servent, pure state machines: a
   message in, messages out; together they are the protocol of the thesis;
3. `servent.py`: the agent that hosts the roles on a node;
4. `processing_element.py`, `process.py`: where jobs compute, fault and synchronize.
"""
