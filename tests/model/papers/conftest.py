"""What many tests of papers read, loaded once."""

from functools import cache

import pytest

from model.papers.paper import paper_of
from model.sweeps import sweep


@pytest.fixture(scope="session")
def bundled():
    """Gives what a paper's results that come with the code measured, by its name."""
    return cache(lambda name: paper_of(name).load(None))


@pytest.fixture(scope="session")
def declared_runs():
    """Gives the distinct runs of a paper's sweep, by its name.

    Told apart by their scenarios, and not checked against their workloads: no test here needs
    their keys or jobs, which take ten times as long.
    """

    @cache
    def declared_runs(name):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                sweep,
                "identity",
                lambda scenario, observer: [observer, scenario.model_dump(mode="json")],
            )
            return [*sweep.load_sweep(name, check=False).runs.values()]

    return declared_runs
