"""Who sends and receives messages. Read in this order:

1. `messages.py`: what is said;
2. `client.py`, `server.py`, `manager.py`: the three roles of a servent, pure state machines:
   a message in, messages out; together they are the protocol;
3. `servent.py`: the agent that hosts the roles on a node;
4. `node.py`, `process.py`: where jobs compute, fault and synchronize;
5. `station.py`, `link.py`, `switch.py`, `disk.py`: what messages and pages queue at.
"""
