"""Logs of jobs that ran on machines, from whatever file they were read.

1. `log.py`: what is known of the jobs, a column for each fact;
2. `reading.py`: which reader takes a file: `swf.py`, the Standard Workload Format; `table.py`, any
   table by a map of its columns (`columns.py`), with what its cells may say (`cells.py`);
   `sacct.py`, the map of SLURM's own tables; `file.py`, a file as text;
3. `doubts.py`: what in a log contradicts itself, and which option helps.
"""
