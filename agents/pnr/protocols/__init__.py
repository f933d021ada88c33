"""Protocols beside the thesis's: one design each, with its roles and its messages in one file.

A design is a function of the file's name that takes the number of nodes and the design's own
numbers, and returns the graph of its managers, as in `topologies/managers`. A number that a name
may end with, as in PROBE2, is the first of them; the others can only be given by name. The README
of `agents` has a table of them all.
"""
