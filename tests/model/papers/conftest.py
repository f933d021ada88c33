"""What many tests of papers read, loaded once."""

from functools import cache

import pytest

from model.papers.paper import paper_of


@pytest.fixture(scope="session")
def bundled():
    """Gives what a paper's results that come with the code measured, by its name."""
    return cache(lambda name: paper_of(name).load(None))


@pytest.fixture(scope="session")
def declared_runs(declared):
    """Gives the distinct runs of a paper's sweep, by its name."""
    return lambda name: [*declared(name).runs.values()]
