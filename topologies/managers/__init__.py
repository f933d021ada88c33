"""Manager topologies: functions that return which servents manage, and who tells whom.

A manager topology is called as `man(nodes)` (`bb(nodes, x=16)` for BB(x=16), or BB16 for short) and
returns a `networkx.DiGraph` over the servents `0 … nodes-1`:

- graph nodes with `manager=True` are managers; without any, the thesis's clients have nobody to
  ask, which is disk paging (a protocol of its own may lend without managers, as PROBE does);
- an edge from a manager to a manager is a load broadcast after each allocation and release; where
  every manager tells every other, the graph attribute `tells="all"` replaces the edges;
- the graph attribute `asks` is which manager the clients of a job ask:
  `"own"`: each asks its own servent's manager, which does not wait for the job's other clients;
  `"any"`: all ask one manager, drawn for the job, which waits for all of them;
  `"member"`: the same, drawn from the managers on the job's own nodes (from all if none is there);
  a function `(job, job_nodes, node, managers, draw) -> manager`: a rule, called for each
  node of the job with one and the same draw from [0, 1); a manager waits for all that ask it;
- the graph attribute `load` is by what managers compare servers: `"bytes"` of RAM left, or
  `"share"`, what that is of the server's RAM;
- the graph attribute `name` is what results call the design (default: the function's name in
  capitals), and `protocol` names other roles than the thesis's (see `agents/README.md`); roles see
  all attributes of the graph.

"Each rack asks its leader", with racks of 8 nodes:

    def leader(job, job_nodes, node, managers, draw):
        return node // 8 * 8
"""
