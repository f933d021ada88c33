"""`run.py view` from end to end: pictures, texts, and bad input."""

import sys
from pathlib import Path

import pytest
from matplotlib.image import imread

import run
from model.views.show import PICTURES, TEXTS

SCENARIO = """
nodes = 4
page_bytes = 1048576
minimum_demand_s = 0.001
designs = "CLI,MAN"
job = [
    { processes = 2, memory_mb = 40, demand_s = 0.03, number = 7 },
    { processes = 1, memory_mb = 8, demand_s = 0.02, number = 9, submit_s = 0.01 },
]
"""


@pytest.fixture
def view(tmp_path, monkeypatch, capsys):
    """Runs `run.py` in a folder with a scenario and a journal; gives status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SCENARIO)

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["run.py", *arguments])
        return run.main(), *capsys.readouterr()

    made = command("compare", "--scenario", "small.toml", "--journal", "j.parquet", "--quiet")
    assert made == (0, "", "")
    return lambda *arguments: command("view", *arguments)


@pytest.mark.parametrize("kind", PICTURES)
def test_each_kind_of_picture_is_drawn_from_a_journal(view, kind):
    assert view("j.parquet", "--kind", kind, "--design", "MAN") == (
        0,
        f"{kind}.png\n{kind}.svg\n",
        "",
    )
    assert imread(f"{kind}.png").std() > 0
    assert Path(f"{kind}.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("kind", PICTURES)
def test_each_kind_of_picture_is_drawn_straight_from_a_scenario(view, kind):
    words = ("--kind", kind, "--scenario", "small.toml", "--out", "made.svg")
    assert view(*words) == (0, "made.svg\n", "")


def test_a_text_is_printed(view):
    status, out, err = view("j.parquet", "--kind", "story", "--design", "MAN", "--job", "7")
    assert (status, err) == (0, "")
    assert out.startswith("Job 7, MAN: ")
    words = ("--kind", "diff", "--design", "CLI", "--against", "MAN", "--job", "7")
    status, out, err = view("j.parquet", *words)
    assert (status, err) == (0, "")
    assert out.split("\n")[1].split() == ["CLI", "MAN", "difference"]


def test_the_command_offers_just_the_kinds_there_are(view):
    _, _, err = view("--kind", "nonsense")
    assert all(f"'{kind}'" in err for kind in (*PICTURES, *TEXTS))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("missing.parquet", "missing.parquet: no such file"),
        ("small.toml", "small.toml: not a whole Parquet file"),
        ("j.parquet --design CEN", "has no run of CEN; it has CLI, MAN (--design)"),
        ("j.parquet --job 8", "--job: job 8 is not in the journal"),
        ("j.parquet --from-s 100", "nothing is selected"),
        ("j.parquet --on-nodes 1,x", "--on-nodes: give numbers"),
        ("j.parquet --out picture.bmp", "give a file that ends in .png or .svg"),
        ("j.parquet --out nowhere/picture.png", "--out nowhere/picture.png: No such file"),
        ("j.parquet --kind diff --job 7", "--against: name the design"),
        ("j.parquet --kind story", "--job: a story is of one job"),
        ("j.parquet --kind story --record 5", "record 5 is not in the journal of MAN"),
    ],
)
def test_bad_input_is_one_line(view, arguments, says):
    status, out, err = view(*arguments.split())
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert says in err
