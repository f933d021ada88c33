"""The paper of one's own in the README works as it stands there."""

import re
from pathlib import Path

import model.papers
from model.papers.page import write_paper
from model.papers.paper import PAPERS, paper_of
from model.sweeps.sweep import BUNDLED, load_sweep
from tests.model.papers.made_up import measured


def test_the_paper_in_the_readme_is_drawn_and_judged(tmp_path, monkeypatch):
    folder = tmp_path / "papers" / "faster"
    folder.mkdir(parents=True)
    text = (PAPERS / "README.md").read_text(encoding="utf-8")
    files = re.findall(r"```\w+\n# model/papers/faster/(\S+)\n(.*?)```", text, re.DOTALL)
    for name, content in files:
        Path(folder, name).parent.mkdir(exist_ok=True)
        Path(folder, name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(model.papers, "__path__", [*model.papers.__path__, str(folder.parent)])
    monkeypatch.setattr("model.papers.paper.PAPERS", folder.parent)
    monkeypatch.setitem(BUNDLED, "faster", folder / "faster.toml")

    paper = paper_of("faster")
    assert len(load_sweep("faster").runs) == 3 * 2 * 3
    designs = {"DP": 6000.0, "MAN": 2000.0}
    cases = paper.figures[0].cases
    runs = [(c, d, seed, s) for c in cases for d, s in designs.items() for seed in (1, 2)]
    write_paper(paper, measured("faster", *runs), tmp_path / "out")
    page = (tmp_path / "out" / "findings.md").read_text(encoding="utf-8")
    assert "Direction: 2 reproduced" in page
    assert "Magnitude: 1 reproduced" in page
    assert "- 10 Mbps: DP in multiples of others, above 2: MAN 3.00 ± 0.00 yes" in page
    assert "# Faster networks (nobody): what it found" in page
    assert "under MAN jobs take 2,000 s." in page
    assert "| 10 Mbps | 2,000 |" in page
    assert (tmp_path / "out" / "figure-1.png").is_file()
