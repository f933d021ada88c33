"""A study of a few runs whose results are made up."""

import pandas as pd

from model.papers.cases import base_case, declared, declared_values
from model.papers.study import Study
from model.sweeps.sweep import BUNDLED

RUNS = """
nodes = 4
[runs.base]
ram = [100, 50]
seed = [1, 2]
designs = ["DP", "CLI", "MAN"]
[runs.windows]
window = [[1, 20], [21, 20]]
designs = ["DP", "MAN"]
"""


def made_up(folder, monkeypatch, claims, runs=RUNS):
    """A study in a folder of the test's own."""
    for cached in (base_case, declared, declared_values):
        cached.cache_clear()
    (folder / "runs.toml").write_text(runs)
    (folder / "claims.toml").write_text(f'measure = "mean_response_s"\n{claims}')
    monkeypatch.setitem(BUNDLED, folder.name.replace("_", "-"), folder / "runs.toml")
    return Study(folder)


def results(study, *rows):
    """Measurements of runs: of each a design, its seed, its response time, and what is varied."""
    base = base_case(study.name)
    return study.measured(
        pd.DataFrame(
            {
                **{**base, **varied, "design": design, "seed": seed},
                **{"mean_response_s": float(time_s), "version": "v", "key": f"{at}"},
                **{"conditions": f"{varied} {seed}"},
            }
            for at, (design, seed, time_s, varied) in enumerate(rows)
        )
    )
