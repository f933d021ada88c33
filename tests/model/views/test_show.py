"""`run.py view` and `run.py export` from end to end: pictures, texts, files, and bad input."""

import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import networkx as nx
import pandas as pd
import pyarrow.csv
import pyarrow.parquet
import pytest
from matplotlib.backends import backend_pgf
from matplotlib.backends.backend_pgf import LatexManager
from matplotlib.figure import Figure

from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views import animation, show
from model.views.offered import PICTURES
from model.views.picture import Picture
from model.views.recording import read_recordings
from tests.journaled import compared

ROOT = Path(__file__).parents[3]
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


SHARING = """
system = "memory"
policies = "NO_LS,CPU_RE"
nodes = 2
ct = 1
job = [
    { memory_mb = 1, demand_s = 2, home = 0, submit_s = 0 },
    { memory_mb = 1, demand_s = 2, home = 0, submit_s = 1 },
    { memory_mb = 1, demand_s = 2, home = 0, submit_s = 2 },
    { memory_mb = 1, demand_s = 2, home = 0, submit_s = 3 },
]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a scenario and a journal of either world."""
    folder = tmp_path_factory.mktemp("made")
    for name, text, make in (
        ("small", SCENARIO, make_scenario),
        ("shared", SHARING, make_sharing_scenario),
    ):
        (folder / f"{name}.toml").write_text(text)
        compared(make(folder / f"{name}.toml"), journal=folder / f"{name}.parquet")
    man = make_scenario(folder / "small.toml", designs=["MAN"])
    compared(man, journal=folder / "protocol.parquet", journal_level="protocol")
    return folder


@pytest.fixture
def here(here, made):
    shutil.copytree(made, here, dirs_exist_ok=True)
    return here


@pytest.fixture(scope="module")
def read_once():
    """Reads a journal once, however often it is copied: that takes longer than most pictures."""
    known = {}

    def read(path):
        content = path.read_bytes() if path.is_file() else b""
        if content not in known:
            known[content] = read_recordings(path)
        return known[content]

    return read


@pytest.fixture(autouse=True)
def journals_are_read_once(read_once, monkeypatch):
    """In the command line, too."""
    monkeypatch.setattr(show, "read_recordings", read_once)


@pytest.fixture
def view(command):
    return lambda words: command(f"view {words}")


@pytest.fixture
def export(command):
    return lambda words: command(f"export {words}")


def test_views_of_a_file_do_not_wait_for_emulations(here):
    # Mesa, Numba and SciPy take longer to import than a picture to draw
    code = (
        "import sys, run\n"
        "from model.terminal import progress\n"
        "progress.SLOW_S = 1e6\n"  # on a busy machine it would say that it reads
        "slow = {'mesa', 'numba', 'scipy', 'distributed', 'matplotlib.pyplot', 'model.sharing'}\n"
        "for file, others in (('page.html', {'matplotlib'}), ('network.png', set())):\n"
        "    words = f'run.py view small.parquet --kind network --design MAN --out {file}'\n"
        "    sys.argv = words.split()\n"
        "    print(run.main(), (slow | others) & {*sys.modules})\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert (told.stdout, told.stderr) == ("page.html\n0 set()\nnetwork.png\n0 set()\n", "")


def test_a_picture_may_be_a_pdf(view):
    words = "small.parquet --kind gantt --design MAN --out made.pdf"
    assert view(words) == (0, "made.pdf\n", "")
    assert Path("made.pdf").read_bytes().startswith(b"%PDF")


def test_a_picture_for_a_paper_is_as_wide_as_its_column_and_has_no_caption(view):
    words = "small.parquet --kind space-time --design MAN --plain --width-cm 8.4 --out made.svg"
    assert view(words) == (0, "made.svg\n", "")
    drawn = Path("made.svg").read_text()
    assert float(re.search(r'width="([\d.]+)pt"', drawn)[1]) == pytest.approx(8.4 / 2.54 * 72)
    assert "Parallel Network RAM" not in drawn
    assert "MAN: " in drawn


def test_a_picture_for_latex_needs_the_program_that_measures_its_letters(view, monkeypatch):
    words = "small.parquet --kind gantt --design MAN --plain --width-cm 8.4 --out made.pgf"
    monkeypatch.setattr(show, "which", lambda program: None)
    status, out, err = view(words)
    assert (status, out) == (2, "")
    assert err == "error: --out: a .pgf needs XeLaTeX, which measures its letters; or give a .pdf\n"
    assert not Path("made.pgf").exists()

    # in place of XeLaTeX, whose answers are a width, a height and a depth in points
    monkeypatch.setattr(show, "which", lambda program: f"/bin/{program}")
    monkeypatch.setattr(
        LatexManager, "get_width_height_descent", lambda _, text, __: (4.0 * len(text), 7.0, 1.5)
    )
    monkeypatch.setattr(LatexManager, "__init__", lambda _: None)
    assert view(words) == (0, "made.pgf\n", "")
    drawn = Path("made.pgf").read_text()
    assert drawn.count(r"\begin{pgfpicture}") == 1
    assert drawn.startswith(r"\providecommand{\mathdefault}")  # a preamble with pgf will do
    width_in = re.search(r"\\pgfpathrectangle\{.*?\}\{\\pgfqpoint\{([\d.]+)in\}", drawn)
    assert float(width_in[1]) == pytest.approx(8.4 / 2.54)
    assert "MAN: " in drawn
    assert "Parallel Network RAM" not in drawn

    # a matrix is an image of its own, which stands beside the file
    monkeypatch.setattr(backend_pgf, "_get_image_inclusion_command", lambda: r"\includegraphics")
    words = "small.parquet --kind memory --design MAN --plain --width-cm 8.4 --out loans.pgf"
    assert view(words) == (0, "loans.pgf\n", "")
    images = re.findall(r"includegraphics\[.*?\]\{(.*?)\}", Path("loans.pgf").read_text())
    assert images
    assert all(Path(image).exists() for image in images)


def test_a_gallery_has_every_picture_under_its_question_from_one_reading(view, monkeypatch):
    # what is drawn is for others to test
    blank = Figure((0.1, 0.1))
    monkeypatch.setattr(Picture, "savefig", lambda _, file, **how: blank.savefig(file, **how))
    read = []
    monkeypatch.setattr(
        show, "read_recordings", lambda path: read.append(path) or read_recordings(path)
    )
    assert view("small.parquet --kind all --design MAN") == (0, "gallery.html\n", "")
    assert len(read) == 1
    page = unescape(Path("gallery.html").read_text("utf-8"))
    heads = re.findall(r'<h2 id="(.*?)">(.*?) \(', page)
    assert [(kind, text.lower()) for kind, text in heads] == [
        (kind, question.lower()) for kind, question in PICTURES.items()
    ]
    assert page.count("data:image/png") == len(PICTURES) - 1
    assert "Not drawn: --job: a critical path is one job's" in page


def test_switches_in_a_sequence_need_no_other_option(view):
    words = "--hops --scenario small.toml --out made.svg"
    assert view(words) == (0, "made.svg\n", "")
    assert "<!-- switch -->" in Path("made.svg").read_text()
    status, _, err = view(f"{words} --topology bus")
    assert (status, err) == (2, "error: --hops: the network bus has no switch\n")


def test_without_a_name_a_picture_is_drawn_in_both_formats(view):
    drawn = view("small.parquet --kind gantt --design MAN")
    assert drawn == (0, "gantt.png\ngantt.svg\n", "")
    assert {file.name for file in Path().glob("gantt*")} == {"gantt.png", "gantt.svg"}


def test_a_text_is_printed(view):
    status, out, err = view("small.parquet --kind story --design MAN --job 7")
    assert (status, err) == (0, "")
    assert out.splitlines()[1].startswith("Job 7, MAN: ")
    status, out, err = view("small.parquet --kind diff --design CLI --against MAN --job 7")
    assert (status, err) == (0, "")
    heads = [line.split() for line in out.splitlines() if line.endswith("difference")]
    assert heads == [["CLI", "MAN", "difference"]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("small.parquet --design CEN", "has no run of CEN; it has CLI, MAN (--design)"),
        ("small.parquet --on-nodes 1,x", "--on-nodes: give numbers"),
        (
            "small.parquet --out picture.bmp",
            "give a file that ends in .png, .svg, .pdf, .pgf, .mmd or .html",
        ),
        (
            "small.parquet --kind gantt --out film.gif",
            "give a file that ends in .png, .svg, .pdf, .pgf or .html",
        ),
        ("small.parquet --out .", "--out .: give a file that ends in"),
        ("small.parquet --kind story --job 7 --out a.png", "story is printed; leave out --out"),
        ("small.parquet --hops --kind gantt", "--hops: only for --kind sequence or mermaid"),
        ("small.parquet --kind all --out all.png", "--out all.png: give a file that ends in .html"),
        ("small.parquet --width-cm 1", "--width-cm: give 4 to 100 (not 1)"),
        ("small.parquet --plain --out page.html", "--plain: only for pictures (.png, .svg, .pdf"),
        ("small.parquet --width-cm 9 --out made.mmd", "--width-cm: only for pictures ("),
        ("small.parquet --kind network --plain --out film.gif", "--plain: only for pictures ("),
        ("small.parquet --count", "--count: only for --kind traffic"),
        ("small.parquet --out nowhere/picture.png", "--out nowhere/picture.png: No such file"),
        ("small.parquet --kind why --job 7 --from-s 0", "--kind why: shows all of a job's"),
        ("small.parquet --kind why --job 7 --window job:7", "time; leave out --from-s, --to-s"),
        ("small.parquet --kind diff --job 7", "--against: name the design"),
        ("small.parquet --kind state --at nan --node 3", "--at: give a number (not nan)"),
        ("small.parquet --at 5 --out page.html", "--at: not for a page (page.html); leave it out"),
        ("small.parquet --ram 50", "--ram: small.parquet has its own scenario; leave --ram out"),
        ("small.parquet --scenario small.toml", "has its own scenario; leave --scenario out"),
    ],
)
def test_bad_input_is_one_line(refusal, arguments, says):
    assert says in refusal(f"view {arguments}")


def test_a_network_with_a_film_for_a_file_moves(view, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", 3)
    words = "small.parquet --design MAN --kind network --out film.gif"
    assert view(words) == (0, "film.gif\n", "")
    assert Path("film.gif").read_bytes().startswith(b"GIF8")
    assert sorted(Path().glob(".unfinished*")) == []


def test_mermaid_is_printed_or_written(view):
    words = "small.parquet --design MAN --job 7"
    status, printed, _ = view(f"{words} --kind mermaid")
    assert status == 0
    assert view(f"{words} --out s.mmd") == (0, "s.mmd\n", "")
    assert Path("s.mmd").read_text() == printed
    comment, diagram = printed.split("\n", 1)
    assert comment.startswith("%% Parallel Network RAM · design MAN · 4 nodes, star, 100 Mbps")
    assert diagram.startswith("sequenceDiagram\n    participant N")
    assert "->>" in diagram


def test_a_journal_is_not_written_over_by_a_part_of_it(refusal):
    before = Path("small.parquet").read_bytes()
    told = refusal("export small.parquet --design CLI --job 7 --out ./small.parquet")
    assert "--out small.parquet: replaces small.parquet, which is read" in told
    assert Path("small.parquet").read_bytes() == before


def test_exports_hold_the_same_records_to_readers_of_others(export):
    words = "small.parquet --design MAN --job 7"
    for suffix in ("pftrace", "shiviz", "csv", "parquet", "graphml"):
        assert export(f"{words} --out a.{suffix}") == (0, f"a.{suffix}\n", "")
    journal = pd.read_parquet("small.parquet")
    journal = journal[(journal["design"] == "MAN") & (journal["job"] == 7)]
    assert pyarrow.csv.read_csv("a.csv")["id"].to_pylist() == journal["id"].tolist()
    assert set(journal["id"]) <= set(pyarrow.parquet.read_table("a.parquet")["id"].to_pylist())
    over_network = journal[(journal["kind"] == "sent") & (journal["node"] != journal["peer"])]
    assert nx.read_graphml("a.graphml").size(weight="messages") == len(over_network)
    assert export(f"{words} --format batsim --out folder") == (
        *(0, "folder/jobs.csv\nfolder/schedule.json\n", ""),
    )
    assert pd.read_csv("folder/jobs.csv")["job_id"].tolist() == [7]


def test_a_file_of_another_name_may_have_a_format(export):
    assert export("small.parquet --format shiviz --out a.log") == (0, "a.log\n", "")
    assert "=== design CLI ===" in Path("a.log").read_text()
    assert "=== design MAN ===" in Path("a.log").read_text()


def test_an_export_straight_from_a_scenario_takes_every_hop_and_chosen_kinds(export):
    small = "--scenario small.toml --design MAN --journal-level all"
    assert export(f"{small} --message-kind RamGrant --out a.csv")[0] == 0
    table = pd.read_csv("a.csv")
    assert set(table["what"]) == {"RamGrant"}
    assert set(table["kind"]) == {"sent", "hop", "delivered"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("small.parquet", "Missing option '--out'"),
        (
            "small.parquet --design MAN --out a.txt",
            "in .pftrace, .shiviz, .csv, .parquet, .graphml or .itf.json",
        ),
        ("small.parquet --design MAN --out nowhere/a.csv", "--out nowhere/a.csv: No such file"),
        ("small.parquet --design MAN --out folder.csv", "--out folder.csv: it is a folder"),
    ],
)
def test_a_bad_export_is_one_line_and_leaves_nothing(refusal, arguments, says):
    Path("folder.csv").mkdir()
    before = sorted(Path().iterdir())
    assert says in refusal(f"export {arguments}")
    assert sorted(Path().iterdir()) == before


def test_a_failed_export_leaves_the_older_file(export):
    Path("a.csv").write_text("old")
    assert export("small.parquet --design MAN --job 8 --out a.csv")[0] == 2
    assert Path("a.csv").read_text() == "old"


#: Of four jobs that arrive at node 0, two move.
SHARED = "shared.parquet --design CPU_RE"


def first_to_move():
    records = pd.read_parquet("shared.parquet")
    return int(records.loc[records["kind"] == "moved", "job"].iloc[0])


def test_a_job_that_moves_beside_the_same_job_that_does_not(view):
    job = first_to_move()
    status, table, _ = view(f"{SHARED} --kind diff --job {job} --against NO_LS")
    assert status == 0
    below = table[table.rindex("\n", 0, table.index("difference\n")) + 1 :]
    head, *rows = (row.split() for row in below.splitlines())
    assert head == ["CPU_RE", "NO_LS", "difference"]
    assert ["moves", "1", "0", "-1"] in rows
    assert not [row for row in rows if row[0] == "borrowed,"]


def test_what_load_sharing_does_not_do_is_not_drawn(refusal):
    assert refusal(f"view {SHARED} --kind knowledge") == (
        "error: --kind knowledge: load sharing journals no decisions; take another view\n"
    )
    assert not Path("knowledge.png").exists()
