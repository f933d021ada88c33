"""Manager topologies: functions that return which servents manage, and who tells whom.

A manager topology is called as `man(nodes)` (`bb(nodes, 16)` for a name with a number, BB16) and
returns a `networkx.DiGraph` over the servents `0 … nodes-1`:

- graph nodes with `manager=True` are managers; a graph without any is disk paging;
- an edge from a manager to a manager is a load broadcast after each allocation and release;
- the graph attribute `asks` says which manager the clients of a job ask:
  `"own"`: each its own servent's, which does not wait for the job's other clients;
  `"any"`: one of all managers, drawn for the job, which waits for all of the job's clients;
  `"member"`: the same, drawn from the managers on the job's own nodes (from all, if none is there).
"""
