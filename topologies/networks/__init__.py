"""Networks: functions that return who is wired to whom.

A network function is called as `star(nodes, bandwidth_mbps, latency_ns, switch_ns)` and returns an
undirected `networkx.Graph`:

- graph nodes `0 … nodes-1` are the cluster's nodes, any other graph node is a switch and carries
  `switch_ns`, the time for which it processes one message;
- every edge is a link and carries `bandwidth_mbps` and `latency_ns`; edges with the same `station`
  attribute are one shared medium, which takes one message at a time for all of them.

A message takes a shortest path through switches (a node never forwards); among equally short paths,
it takes the one whose hops were added to the graph first, or with `--routing ecmp` one drawn.
"""
