"""I/O-aware load sharing with a feedback controller (Qin, Jiang, Zhu, Swanson),
`papers/wal-fc-feedback-control.txt`.

`indices.py` has the formulas, `policies.py` the five policies, `feedback.py` the controller.
"""
