"""Runs with their journals, and comparisons that write files."""

from agents.pnr.protocol import Protocol
from model.pnr.comparison import cluster_type
from model.pnr.design import Design
from model.pnr.scenario import make_scenario
from model.systems import run
from model.terminal.comparison import run_comparison
from topologies.managers.man import man


def journaled(scenario, design, **options):
    """What has run, and the records of its journal."""
    records = []
    return run(scenario, design, readers=(records.append,), **options), records


def journaled_roles(jobs, plane="actors", parameters=None, **roles):
    """The same of a run of MAN with these roles on four nodes; what its protocol does."""
    scenario = make_scenario(nodes=4, job=jobs, **(parameters or {}))
    design = Design("OWN", man(4), 4, 1, Protocol(**roles), "member")
    records = []
    return cluster_type(plane)(scenario, design, (records.append,), "protocol").run(), records


def compared(scenario, **options):
    """A comparison that says nothing and writes what it is asked for; of its journal, all."""
    given = {"out": None, "journal": None, "journal_level": "all", "check": False, "quiet": True}
    return run_comparison(scenario, **given | options)
