"""Looking at a journal runs no code that it names: whoever sent it could have named anything."""

import json
from contextlib import suppress
from pathlib import Path

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from model.core.journal.file import SCHEMA
from model.core.names import known
from model.core.routing import Routing
from model.core.topology import as_text, from_text
from model.dashboard.feed import Reader
from model.dashboard.server import Dashboard
from model.dashboard.session import Session, recordings
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.systems import comparison_of
from model.views import animation
from model.views.exports.formats import FORMATS
from model.views.offered import PICTURES, TEXTS
from model.views.recording import Selection, read_recordings
from model.views.show import Source, export, show
from tests.journaled import compared
from tests.model.dashboard.steps import run_out
from topologies.networks.fat_tree import fat_tree

#: A network, a design, a rule of faults and a policy; to import it leaves a mark.
MINE = """
from pathlib import Path

import networkx as nx
from agents.sharing.policy import Policy
from topologies.managers.man import man
from topologies.networks.fat_tree import fat_tree
from model.pnr.faults import Pass
from model.sharing.memory.system import SYSTEM

Path(__file__).with_name("mark").touch()

def tree(nodes, *links):
    graph = fat_tree(nodes, *links)
    return nx.relabel_nodes(graph, {"core 0": ("core", 0)})

def mine(nodes):
    graph = man(nodes)
    graph.graph["name"] = "MINE"
    return graph

def rule(message, now_ns):
    return Pass()

class Own(SYSTEM.policies["CPU_RE"]):
    pass
"""
JOBS = [
    {"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.02},
    {"number": 8, "processes": 1, "memory_mb": 40, "demand_s": 0.02, "submit_s": 0.1},
]


def scenarios(file):
    small = {"page_bytes": 2**20, "minimum_demand_s": 0.001}
    yield make_scenario(
        nodes=5,
        job=JOBS,
        topology=f"{file}:tree",
        designs=[f"{file}:mine", "DP"],
        fault_file=f"{file}:rule",
        **small,
    )
    yield make_sharing_scenario(
        system="memory", nodes=5, jobs=5, topology=f"{file}:tree", policies=[f"{file}:Own"]
    )


@pytest.fixture(scope="module", params=[0, 1], ids=["pnr", "sharing"])
def journal(request, tmp_path_factory):
    """A journal whose scenario names the file; it has run, and is not there any more."""
    folder = tmp_path_factory.mktemp("code")
    file = folder / "mine.py"
    file.write_text(MINE)
    scenario = [*scenarios(file)][request.param]
    journal = folder / "journal.parquet"
    compared(scenario, journal=journal, plane="actors")
    return journal


@pytest.fixture(params=["there", "gone"])
def marked(request, journal):
    """The mark that importing the file leaves, which is not there; the file may be gone, too."""
    file, mark = journal.with_name("mine.py"), journal.with_name("mark")
    mark.unlink(missing_ok=True)
    file.write_text(MINE)
    if request.param == "gone":
        file.unlink()
    yield mark
    assert not mark.exists()


@pytest.fixture(scope="module")
def read(journal):
    """The runs of the journal, to read which takes longest."""
    return read_recordings(journal)


def source_of(journal, runs, monkeypatch):
    """That of the file's own design among its runs, which have been read, as a source for views."""
    monkeypatch.setattr("model.views.show.read_recordings", lambda path: runs)
    own = "Own" if len(runs) == 1 else "MINE"
    return Source(journal, make_scenario(), own, "all")


@pytest.mark.parametrize("marked", ["there"], indirect=True)  # else, as with unknown kinds
def test_no_picture_or_text_runs_it(journal, marked, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(animation, "FRAMES", 3)
    # to write a picture takes longer than to draw it, and knows of no name or kind
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda _, file, **how: file.touch())
    runs = read_recordings(journal)
    source = source_of(journal, runs, monkeypatch)
    recording = runs[0]
    job = int(recording.records["job"].min())
    shared = not recording.scenario.lends_memory
    for kind in (*PICTURES, *TEXTS):
        if shared and kind not in ("gantt", "traffic", "story", "diff"):
            continue
        options = {"against": recording.design} if kind == "diff" else {}
        options |= {"at_s": 1, "node": 0} if kind == "state" else {}
        hops = {"hops": True} if kind in ("sequence", "mermaid") else {}
        selection = Selection(job=job if kind in ("why", "diff", "story") else None)
        out = None if kind in TEXTS else Path(f"{kind}.svg")
        show(kind, source, selection, out, **options, **hops)
    show("network", source, Selection(), Path("film.gif"))
    show("network", source, Selection(), Path("page.html"))


def test_no_export_runs_it(journal, read, marked, tmp_path, monkeypatch, capsys):
    source = source_of(journal, read, monkeypatch)
    for name, form in FORMATS.items():
        if name == "itf":  # of a path of `explore` alone
            continue
        export(source, Selection(), tmp_path / f"out{form.suffix or ''}", name)
    part = tmp_path / "part.parquet"
    export(source, Selection(nodes=(0, 1)), part)
    assert nx.utils.graphs_equal(read_recordings(part)[0].network, read[0].network)


def test_watching_it_does_not_run_it(journal, marked):
    runs = recordings(journal)
    session = Session(runs, runs[0].design)
    dashboard = Dashboard(runs, session)
    dashboard.feed.moment(Reader())
    _ = [*run_out(session, "a message arrives")]
    dashboard.feed.moment(Reader())


def test_a_journal_without_the_network_that_its_file_made_is_refused(journal, marked, tmp_path):
    table = pq.read_table(journal)
    bare = tmp_path / "bare.parquet"
    for network, complaint in (
        (None, "the journal lacks the network of .*:tree; write it again"),
        (b'{"name": "", "nodes": [], "edges": []}', "graph's nodes are not just 0 to 4"),
    ):
        metadata = dict(table.schema.metadata)
        del metadata[b"network"]
        metadata |= {} if network is None else {b"network": network}
        pq.write_table(table.replace_schema_metadata(metadata), bare)
        with pytest.raises(InputError, match=complaint):
            _ = read_recordings(bare)[0].network


@pytest.mark.parametrize("routing", ["single", "ecmp"])
def test_the_text_of_a_network_has_the_same_routes_and_stations(routing):
    for name in known("networks"):
        scenario = make_scenario(nodes=13, topology=name, routing=routing)
        graph = comparison_of(scenario).loaded.graph
        again = from_text(as_text(graph))
        assert nx.utils.graphs_equal(graph, again)
        assert graph.name == again.name
        assert list(graph) == list(again)
        for vertex in graph:
            assert list(graph[vertex]) == list(again[vertex])
        one, other = Routing(graph, scenario), Routing(again, scenario)
        for source in range(13):
            for target in range(13):
                if source != target:
                    assert one.path(source, target) == other.path(source, target)


def test_switches_are_kept_by_the_names_of_their_stations():
    named = nx.relabel_nodes(fat_tree(3, 10, 5, 7), {"core 0": ("core", 0)})
    again = from_text(as_text(named))
    assert "('core', 0)" in again
    assert [str(vertex) for vertex in named] == [str(vertex) for vertex in again]


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A file in the working folder, which leaves a mark when it is imported: nothing may."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(
        "open('mark', 'w').close()\n\ndef f(nodes, d=4):\n    return 5\n"
    )
    yield "evil.py:f"
    assert not (tmp_path / "mark").exists()


def renamed(journal, old, new):
    """A journal in which a run has another name, as whoever sent it may give it."""
    table = pq.read_table(journal)
    names = [new if name == old else name for name in table["design"].to_pylist()]
    column = pa.array(names).dictionary_encode()
    path = Path("renamed.parquet")
    metadata = {key: it for key, it in table.schema.metadata.items() if key != b"ARROW:schema"}
    table = table.set_column(0, SCHEMA.field("design"), column)
    pq.write_table(table.replace_schema_metadata(metadata), path)
    return path


@pytest.mark.parametrize("name", ["evil.py:f", "evil.py:f(d=4)", "RELIABLE(evil.py:f, sends=4)"])
def test_a_run_that_is_called_like_a_file_does_not_run_it(
    evil, journal, read, name, monkeypatch, capsys
):
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda _, file, **how: file.touch())
    path = renamed(journal, read[0].design, name)
    runs = recordings(path)
    monkeypatch.setattr("model.views.show.read_recordings", lambda path: runs)
    for asked in (name, "PROBE(d=4)", "CEN(x=1)"):
        source = Source(path, make_scenario(), asked, "all")
        if asked == name:
            show("network", source, Selection(), Path("network.svg"))
        else:
            with pytest.raises(InputError, match="has no run of"):
                source.recording()
        with suppress(InputError):  # it has no such run
            Session(runs, asked)


def test_a_path_is_not_replayed_with_a_file_that_only_it_names(evil, command):
    command("explore MAN --jobs 1 --loss 1 --out lost.parquet")
    Path("workload.toml").write_text("nodes = 3\ndesigns = ['evil.py:f']\ntopology = 'evil.py:f'\n")
    table = pq.read_table("lost.parquet")
    for names, told in (
        ({"declared": evil}, "its design is from a file; if you trust it, name it"),
        ({"declared": f"RELIABLE({evil})"}, "run.py explore RELIABLE(evil.py:f) --replay"),
        ({"scenario_file": "workload.toml"}, "name it: --scenario workload.toml"),
    ):
        explored = json.loads(table.schema.metadata[b"explored"])
        explored["setting"] |= names
        metadata = table.schema.metadata | {b"explored": json.dumps(explored).encode()}
        pq.write_table(table.replace_schema_metadata(metadata), "sent.parquet")
        status, out, err = command("explore --replay sent.parquet")
        assert (status, out) == (2, "")
        assert told in err
    assert command("explore MAN --replay lost.parquet")[0] == 1


def test_a_name_with_a_command_of_tex_is_not_given_to_tex(journal, read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("model.views.show.which", lambda program: program)
    path = renamed(journal, read[0].design, r"\input{/etc/passwd}")
    source = Source(path, make_scenario(), r"\input{/etc/passwd}", "all")
    with pytest.raises(InputError, match=r"a \.pgf is TeX, which would carry out what stands in"):
        show("gantt", source, Selection(), Path("out.pgf"))
    assert not Path("out.pgf").exists()
