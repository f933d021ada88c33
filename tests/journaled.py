"""Runs with their journals, and comparisons that write files."""

from model.systems import run
from model.terminal.comparison import run_comparison


def journaled(scenario, design, **options):
    """What has run, and the records of its journal."""
    records = []
    return run(scenario, design, readers=(records.append,), **options), records


def compared(scenario, **options):
    """A comparison that says nothing and writes what it is asked for; of its journal, all."""
    given = {"out": None, "journal": None, "journal_level": "all", "check": False, "quiet": True}
    return run_comparison(scenario, **given | options)
