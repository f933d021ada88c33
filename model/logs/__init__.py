"""Logs of jobs that ran on machines, from whatever file they were read.

`log.py` is what is known of the jobs, a column for each fact. `swf.py` reads the Standard Workload
Format, `table.py` CSV and Parquet tables by a map of their columns.
"""
