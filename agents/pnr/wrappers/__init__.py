"""What can be put around another design: RELIABLE(MAN).

A wrapper is a function of the file's name that takes the graph of a design and returns another one,
with roles derived from those of the design's protocol, or with what the emulation is to do.
"""
