"""Roles read how many pages their node has missed: on both planes, and as a journal has it."""

import json
from collections import Counter
from pathlib import Path

from model.pnr.scenario import make_scenario
from tests.journaled import journaled
from tests.model.pnr.compiled.test_equality import (
    SCARCE,
    SMALL,
)

NOTING = str(Path(__file__).with_name("noting.py:noting"))


def test_a_role_reads_the_faults_that_its_node_has_had_until_then():
    scenario = make_scenario(job=SCARCE, **SMALL)
    _, journal = journaled(scenario, NOTING, plane="compiled")
    missed = Counter()
    read = 0
    for record in journal:
        if record.kind == "fault":
            missed[record.node] += 1
        elif record.kind == "note":
            assert json.loads(record.payload) == missed[record.node], record
            read += missed[record.node] > 0
    assert read > 100
