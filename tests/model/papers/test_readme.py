"""The paper of one's own in the README works as it stands there."""

import re

from model.papers.pages import Page, Results
from model.papers.study import PAPERS
from model.sweeps.sweep import load_sweep
from tests.model.papers.made_up_study import made_up, results


def test_the_paper_in_the_readme_is_judged_and_its_page_holds(tmp_path, monkeypatch):
    text = (PAPERS / "README.md").read_text(encoding="utf-8")
    files = dict(re.findall(r"```\w+\n# model/papers/faster/(\S+)\n(.*?)```", text, re.DOTALL))
    study = made_up(tmp_path, monkeypatch, "", files["runs.toml"])
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr("model.papers.pages.ROOT", tmp_path)
    assert len(load_sweep(str(tmp_path / "runs.toml")).runs) == 3 * 2 * 3
    times = [
        (design, seed, s, {"bandwidth_mbps": mbps})
        for mbps in (10, 100, 1000)
        for design, s in (("DP", 6000), ("MAN", 2000))
        for seed in (1, 2)
    ]
    found = Results(study, results(study, *times))
    page = Page(tmp_path / "README.md", {study.name: found})
    page.write()
    page = Page(tmp_path / "README.md", {study.name: found})
    assert [*page.mistakes()] == []
    assert "|1|MAN is at least twice as fast as DP at any bandwidth. (4.2)|0.33|reproduced|" in (
        page.text
    )
