"""The page of a comparison: whole, self-contained, and true to the runs it tells of."""

import base64
import json
import shlex
import sys
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from urllib.parse import quote

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agents.pnr.messages
import model.terminal.comparison
import run
from agents.messages import kinds_in
from model.core.comparison import Comparison
from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.in_words import in_words
from model.pnr.scenario import make_scenario
from model.report.measures import NONE, PURPOSES, tables
from model.report.page import describe, telling_job
from model.report.reproduction import command, scenario_file
from model.systems import compare
from tests.journaled import compared

RING = """
import networkx as nx

def ring(nodes):
    graph = nx.cycle_graph(nodes, create_using=nx.DiGraph)
    nx.set_node_attributes(graph, True, "manager")
    graph.graph["name"] = "<RING> & 'co' &lt;"
    return graph
"""
# job 7 lacks memory, job 8 has enough
JOBS = [
    {"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.05},
    {"number": 8, "processes": 3, "memory_mb": 1, "demand_s": 0.05, "submit_s": 3},
]
SMALL = {"nodes": 6, "job": JOBS, "page_bytes": 65536, "minimum_demand_s": 0.001}
VOID = {"meta", "img", "link", "br", "hr", "input"}


class Page(HTMLParser):
    """What a page holds; fails where its elements do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.references, self.images = [], [], [], []
        self.tables, self.texts, self.pre = {}, [], []
        self._rows, self._caption = [], None
        assert text.startswith("<!DOCTYPE html>")
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.references += [v for k, v in attributes.items() if k in ("src", "href")]
        self.images += [attributes] if tag == "img" else []
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self._rows, self._caption = [], None
        if tag == "tr":
            self._rows.append([])
        if tag in ("th", "td"):
            self._rows[-1].append("")
        if tag == "pre":
            self.pre.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "table":
            self.tables[self._caption] = self._rows

    def handle_data(self, data):
        self.texts.append(data)
        if {"th", "td"} & {*self.open}:
            self._rows[-1][-1] += data
        if "caption" in self.open:
            self._caption = data
        if "pre" in self.open:
            self.pre[-1] += data

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def written(scenario, file, **options):
    """The page of a comparison, and its text."""
    compared(scenario, report=file, **options)
    text = file.read_text(encoding="utf-8")
    return Page(text), text


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A comparison whose file names hold what HTML, TOML and a shell read as their own."""
    folder = tmp_path_factory.mktemp("odd") / "a <b> & 'c'"
    folder.mkdir()
    design = folder / 'my"&lt;$x$<ring>.py'
    design.write_text(RING)
    scenario = make_scenario(**SMALL, designs=["DP", "CLI", "MAN", f"{design}:ring"], seed=3)
    return scenario, *written(scenario, folder / "a & <report>.html")


def test_the_page_needs_nothing_else_and_its_parts_are_where_it_says(odd):
    scenario, page, text = odd
    beside = Path(scenario.designs[-1]).with_name("a & <report>-messages.html")
    assert quote(beside.name) in page.references
    assert beside.is_file()
    for reference in set(page.references) - {quote(beside.name)}:
        assert reference.startswith("data:") or reference[1:] in page.ids
    assert len(set(page.ids)) == len(page.ids)
    assert "@import" not in text
    assert "url(" not in text
    assert "<script" not in text


def test_each_picture_is_a_drawing_with_words_for_who_cannot_see_it(odd):
    _, page, _ = odd
    assert len(page.images) == 4 + 3  # figures, and sequences of all but DP
    for image in page.images:
        kind, _, data = image["src"].partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert b"<svg" in base64.b64decode(data)
        assert len(image["alt"]) > 20


def test_a_design_is_called_by_its_graphs_name_and_a_name_is_text(odd):
    _, page, _ = odd
    names = ["DP", "CLI", "MAN", "<RING> & 'co' &lt;"]
    assert page.tables["The comparison"][0] == ["Measure", *names]


def test_the_name_of_a_trace_is_text(tmp_path):
    trace = tmp_path / "<b onclick=x>t.swf"
    trace.write_text("; MaxProcs: 4\n0 0 0 2 4 2 -1 4\n")
    scenario = make_scenario(trace=trace, memory_mb=1, nodes=4, designs="DP")
    page, text = written(scenario, tmp_path / "page.html")
    assert f"1 jobs of {trace}, from record" in page.text
    assert "<b " not in text


def test_the_tables_say_what_the_runs_measured(odd):
    scenario, page, _ = odd
    results = list(compare(scenario))
    summaries = [result.summary for result in results]
    rows = {row[0]: row[1:] for rows in page.tables.values() for row in rows}
    assert rows["Page faults over the network"] == [f"{s['faults_network']:,}" for s in summaries]
    assert rows["LoadBroadcast"] == [f"{s['messages']['LoadBroadcast']:,}" for s in summaries]
    # job 7: two processes of 40 MB on nodes of 32 MB, of which others lend all that is lacking
    assert rows["Memory that clients needed (MB)"] == ["0.0", "16.0", "16.0", "16.0"]
    assert rows["Need left unmet (%)"] == [NONE, "0.0", "0.0", "0.0"]
    # CLI's clients ask only in need; coordinated ones of job 8 ask too
    assert rows["Requests of clients that were answered"] == ["0", "2", "5", "5"]
    assert rows["Of these, from clients in need"] == ["0", "2", "2", "2"]


def test_the_breakdown_adds_up_to_the_response_time_and_purposes_to_all_bytes():
    results = list(compare(make_scenario(**SMALL, designs="DP,CLI,MAN")))
    by_name = tables(results, SMALL["nodes"])
    for name, last in (("time", 7), ("against", 7), ("bytes", 5)):
        for design in (1, 2):
            cells = [
                float(row[1][design].replace(",", "").replace("\N{MINUS SIGN}", "-"))
                for row in by_name[name][: last + 1]
            ]
            assert sum(cells[:last]) == pytest.approx(cells[last], abs=0.005 * last)
    assert [row[1][0] for row in by_name["against"]] == [NONE] * 8  # DP against itself
    assert list(PURPOSES) == list(
        dict.fromkeys(kind.phase for kind in kinds_in(agents.pnr.messages))
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The page of a comparison, and its text."""
    scenario = make_scenario(**SMALL, designs="DP,CLI,MAN")
    return written(scenario, tmp_path_factory.mktemp("plain") / "page.html")


def test_without_disk_paging_there_is_no_ratio(tmp_path):
    page, _ = written(make_scenario(**SMALL, designs="CLI,MAN"), tmp_path / "page.html")
    rows = {row[0]: row[1:] for row in page.tables["The comparison"]}
    assert rows["Shorter than DP by (%)"] == [NONE, NONE]
    assert "Difference from DP" not in page.tables


def test_where_nobody_speaks_the_page_says_so(tmp_path):
    scenario = make_scenario(**SMALL, designs="DP", memory_profile="phases")
    page, _ = written(scenario, tmp_path / "page.html")
    assert "seed 1; memory profile phases." in page.text
    assert "No servent sent a message in any of these runs" in page.text
    assert len(page.images) == 3  # no ratio, no sequence


def results_of(*runs):
    """Results with just jobs: of each run the response times by job number, s."""
    sizes = {1: 8, 2: 2, 3: 4, 4: 2}
    return [
        SimpleNamespace(
            jobs=pd.DataFrame(
                [(job, sizes[job], time_s) for job, time_s in run.items()],
                columns=["job", "processes", "response_s"],
            )
        )
        for run in runs
    ]


def test_the_telling_job_is_the_one_in_which_designs_differ_most():
    both, one = {"CLI", "MAN"}, {"MAN"}
    results = results_of({1: 10, 2: 20, 3: 20, 4: 20}, {1: 30, 2: 21, 3: 45, 4: 45})
    granting = {1: both, 2: both, 3: one, 4: set()}
    assert telling_job(results, granting) == 3  # 25 s; job 4 was granted nothing
    assert telling_job(results, {1: one, 2: both}) == 1  # 20 s, though it is large
    assert telling_job(results, {3: both, 4: both}) == 4  # as far apart, but smaller
    assert telling_job(results, {1: set(), 2: set()}) == 1  # nobody was granted any
    assert telling_job(results, {}) is None


def test_a_job_that_only_some_designs_end_differs_most():
    results = results_of({1: 10, 2: 20}, {1: 500})
    assert telling_job(results, {1: {"CLI"}, 2: {"CLI"}}) == 2


def means(**response_s):
    return [
        {"design": design, "jobs": 9, "mean_response_s": time_s}
        for design, time_s in response_s.items()
    ]


def test_no_winner_is_named_that_one_seed_cannot_tell():
    assert in_words(means(CLI=130, MAN=100, CEN=111)) == [
        "MAN is fastest: CEN takes 11 % longer and CLI takes 30 % longer (chance alone: up to 10 "
        "%)."
    ]
    assert in_words(means(CLI=130, MAN=100, CEN=109, BB2=101)) == [
        "MAN, BB2 and CEN differ by 9.0 %, and chance alone makes up to 10 %: this seed cannot "
        "tell which of them is fastest.",
        "CLI takes 30 % longer.",
    ]


def test_what_lending_gains_is_told_from_disk_paging():
    gain = "Lending memory shortens the mean response time of DP, 200 s, by "
    assert in_words(means(DP=200, CLI=90, MAN=100))[0] == f"{gain}50 to 55 %."
    assert in_words(means(DP=200, CLI=150)) == [f"{gain}25 %."]
    assert in_words(means(DP=200, CLI=190)) == [f"{gain}5 %; chance alone makes up to 10 %."]
    assert in_words(means(DP=200)) == []


OWN = """
import networkx as nx
from agents.pnr.protocol import Client, Manager, Protocol, Server

class Whispering(Manager):
    \"\"\"Tells what it learns to a servent
    that it likes.\"\"\"

class Polite(Server):
    \"\"\"Polite lending.\"\"\"

class Silent(Client):
    pass

def own(nodes):
    graph = nx.DiGraph(name="OWN", protocol=Protocol(Silent, Polite, Whispering))
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
"""


def test_what_a_design_does_is_told_from_its_graph_and_its_protocol(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    scenario = make_scenario(nodes=8)
    names = ("DP", "CEN", "BB2", "RACK4", "RELIABLE(MAN)")
    told = {name: describe(load_design(name, scenario)) for name in names}
    assert told["DP"].startswith("Disk paging: nobody lends")
    assert "1 of 8 nodes manages" in told["CEN"]
    assert "to nobody" in told["CEN"]
    assert "to 1 other manager," in told["BB2"]
    assert "after every grant and release" not in told["RACK4"]  # it tells others in its own way
    assert "to 7 other managers" in told["RELIABLE(MAN)"]  # the wrapper leaves that as it is

    own = describe(load_design(f"{tmp_path}/mine.py:own", scenario))
    assert "to nobody" not in own
    assert "Manager Whispering: Tells what it learns to a servent that it likes." in own
    assert "Server Polite: Polite lending." in own
    assert "Client Silent" not in own  # its class says nothing


# A file beside the scenario file goes before one of the same name elsewhere: itself is one.
NAMES = st.text(min_size=1).filter(lambda text: "\0" not in text and text != "scenario.toml")


@given(
    trace=NAMES,
    design=NAMES,
    ram=st.floats(1, 200),
    duplex=st.sampled_from(["full", "half"]),
    rotation=st.booleans(),
    memory_mb=st.floats(0.001, 1000),
)
def test_the_scenario_file_reads_back_as_the_scenario(trace, design, memory_mb, **values):
    job = [{"processes": 2, "memory_mb": memory_mb, "demand_s": 1}]
    for workload in ({"trace": trace}, {"job": job}):
        scenario = make_scenario(designs=["DP", design], **workload, **values)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "scenario.toml"
            file.write_text(scenario_file(scenario), encoding="utf-8", newline="\n")
            assert make_scenario(file) == scenario


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"trace": "my logs/it's <one> & $HOME.swf", "first": 3, "designs": "DP,my designs.py:ring"},
        {"skip_full": True, "rotation": False, "load_factor": 1e-05, "memory_mb": 3, "seed": 2**60},
    ],
)
def test_the_command_reads_back_as_the_scenario(values, monkeypatch):
    scenario = make_scenario(**values)
    asked = []
    monkeypatch.setattr(
        model.terminal.comparison, "run_comparison", lambda **options: asked.append(options)
    )
    words = shlex.split(command(scenario, "--report", "a page.html"))
    assert words[:2] == ["uv", "run"]
    monkeypatch.setattr(sys, "argv", words[2:])
    assert run.main() == 0
    (options,) = asked
    assert options["scenario"] == scenario
    assert options["report"] == Path("a page.html")


def test_the_page_tells_how_to_write_it_again_to_the_byte_journaled_or_not(
    plain, tmp_path, monkeypatch
):
    page, text = plain
    file, line = page.pre
    monkeypatch.chdir(tmp_path)
    Path("scenario.toml").write_text(file)
    words = [*shlex.split(line)[2:], "--quiet", "--check", "--journal", "all.parquet"]
    monkeypatch.setattr(sys, "argv", words)
    assert run.main() == 0
    assert Path("page.html").read_text(encoding="utf-8") == text
    assert Path("all.parquet").exists()
    assert not list(tmp_path.glob(".unfinished-*"))


@pytest.mark.parametrize("where", ["nowhere/page.html", "folder.html", "file/page.html"])
def test_a_page_that_cannot_be_written_is_said_before_anything_runs(where, tmp_path, monkeypatch):
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.setattr(Comparison, "results", lambda *a, **k: pytest.fail("it runs"))
    with pytest.raises(InputError, match="give a file that can be written") as raised:
        written(make_scenario(**SMALL, designs="DP,CLI"), tmp_path / where)
    assert str(tmp_path / where) in str(raised.value)
    assert {file.name for file in tmp_path.iterdir()} == {"folder.html", "file"}


def test_an_interrupted_comparison_keeps_the_page_that_was_there(tmp_path, monkeypatch, capsys):
    result = Comparison.result

    def interrupted(comparison, name, **options):
        if name == "CLI":
            raise KeyboardInterrupt
        return result(comparison, name, **options)

    monkeypatch.setattr(Comparison, "result", interrupted)
    file = tmp_path / "page.html"
    file.write_text("of yesterday")
    with pytest.raises(SystemExit):
        written(make_scenario(**SMALL, designs="DP,CLI,MAN"), file, out=tmp_path)
    assert f"1 of 3 designs had ended; {file} is not written" in capsys.readouterr().err
    assert file.read_text() == "of yesterday"
    assert json.loads((tmp_path / "partial-summary.json").read_text())["complete"] is False
    assert not list(tmp_path.glob(".unfinished-*"))
