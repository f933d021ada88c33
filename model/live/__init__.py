"""The roles for real: each node a process of the operating system, messages over TCP, real pages.

`frames.py` says how processes talk, `telling.py` what the head and the nodes tell each other,
`pages.py` keeps the bytes, `node.py` is a node, `head.py` the cluster as its head sees it,
`running.py` starts the processes and ends them. The agents, roles, jobs, scheduler and faults are
those of the emulation.
"""
