"""Load sharing: workstations that send jobs to each other. Read in this order:

1. `round_robin.py`: how the jobs of one node share its CPU;
2. `job.py`, `requests.py`: a sequential job, and its I/O;
3. `node_memory.py`: how much of a node's RAM its jobs hold;
4. `policy.py`: who moves where and when, and how to write your own policy;
5. `messages.py`, `surroundings.py`, `workstation.py`: the node that runs jobs, pages, reports its
   load and sends jobs away, and what it expects of its cluster.
"""
