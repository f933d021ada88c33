"""A run with its journal."""

from model.systems import run


def journaled(scenario, design, **options):
    """What has run, and the records of its journal."""
    records = []
    return run(scenario, design, readers=(records.append,), **options), records
