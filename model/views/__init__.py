"""Views of a journal: pictures and texts, derived from its records alone.

One file a view, named as `run.py view --kind` names it (with - for _). Each has either
`draw(recording, selection) -> matplotlib.figure.Figure` or `tell(recording, selection) -> str`;
`animation` is the network's view in motion, `residence` the gantt chart of load sharing, and
`exports` are files for other programs.
Nothing here looks into a running model, and nothing outside knows the views.
"""
