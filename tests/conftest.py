"""Hypothesis draws the same examples in every run, so that a run of the tests is repeatable."""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
