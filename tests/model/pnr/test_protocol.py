"""Designs that bring a protocol, or a rule of whom to ask, of their own."""

import re
from collections import Counter
from pathlib import Path

import pytest

from agents.pnr.hosting import Host
from model.ground.errors import CheckFailed, InputError, ProtocolMistake
from model.pnr.checks import MemoryChecker
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.scenario import make_scenario
from model.systems import comparison_of, run
from model.views.recording import record
from tests.journaled import journaled
from tests.model.pnr.compiled.equality import assert_equal
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL

HEAD = """
from agents.pnr.messages import RamRequest, ServerReply
from agents.pnr.protocol import CancelTimer, Client, Manager, Note, Protocol, Send
from agents.pnr.protocol import Server, SetTimer, StartProcess, message
from topologies.managers.man import man
from topologies.managers.cen import cen

def patched(graph, **attributes):
    graph.graph |= {"name": "MINE", **attributes}
    return graph

@message("probing", hears="manager", size_bytes=8)
class Probe:
    pass

@message("probing", hears="manager", size_bytes=8)
class About:
    job: int
    rank: int

"""
#: The design of a manager M, which is written before.
OF_M = "def mine(nodes): return patched(man(nodes), protocol=Protocol(manager=M))"
#: A rack has two nodes, the first of which leads it.
RACKS = """
import networkx as nx

def racks(nodes):
    graph = nx.DiGraph(asks=lambda job, job_nodes, node, managers, draw: node - node % 2)
    graph.add_nodes_from((node, {"manager": node % 2 == 0}) for node in range(nodes))
    return graph
"""


@pytest.fixture
def mine(tmp_path):
    """Writes a file of a user's, and says which design it has."""

    def write(text, function="mine"):
        (tmp_path / "mine.py").write_text(text)
        return f"{tmp_path}/mine.py:{function}"

    return write


def scarce(*designs):
    return make_scenario(job=SCARCE, designs=designs or ("DP",), **SMALL)


# Names


def test_a_design_is_called_by_its_graph_or_else_by_its_function(mine):
    assert list(comparison_of(scarce(mine(RACKS, "racks"))).contestants) == ["RACKS"]
    named = mine(HEAD + "def mine(nodes): return patched(man(nodes), name='Own')")
    assert list(comparison_of(scarce(named)).contestants) == ["Own"]
    assert record(scarce("DP", named), "own", "protocol").design == "Own"


def test_two_designs_of_one_name_are_refused(mine):
    same = mine(HEAD + "def mine(nodes): return man(nodes)")
    with pytest.raises(InputError, match="--designs: MAN is listed twice"):
        comparison_of(scarce("MAN", same)).validate()


def test_another_protocol_does_not_pass_for_one_of_ours(mine):
    text = "class M(Manager): pass\ndef mine(nodes): return patched(man(nodes), name='MAN', "
    with pytest.raises(InputError, match=r'the name of a bundled design, MAN; set graph.graph\["n'):
        comparison_of(scarce(mine(HEAD + text + "protocol=Protocol(manager=M))"))).validate()


# Rules of whom to ask


def test_each_rack_asks_its_leader(mine):
    _, records = journaled(scarce(), mine(RACKS, "racks"), plane="actors", check=True)
    asked = [r for r in records if (r.kind, r.what) == ("sent", "RamRequest")]
    assert {(r.node, r.peer) for r in asked} <= {(node, node - node % 2) for node in range(8)}
    granted = [r for r in records if (r.kind, r.what) == ("sent", "RamGrant")]
    assert len(granted) == len(asked) == sum(job["processes"] for job in SCARCE)
    assert_equal(scarce(), mine(RACKS, "racks"), "protocol")


@pytest.mark.parametrize("answer", ["1", "None", "2.0"])
def test_a_rule_that_gives_no_manager_is_one_line(mine, answer):
    rule = f"lambda job, job_nodes, node, managers, draw: {answer}"
    design = mine(RACKS.replace("node - node % 2", answer), "racks")
    assert rule in Path(design.partition(":")[0]).read_text()
    with pytest.raises(InputError, match=r"RACKS: asks gives .* for node \d of job \d; give one"):
        run(scarce(), design)


# A protocol's mistakes


@pytest.mark.parametrize(
    ("role", "body", "says"),
    [
        ("Manager", "return None", "the manager of node \\d answers None; give a list"),
        ("Manager", "return [Send(8, Probe())]", "sends Probe to node 8; nodes are 0 to 7"),
        ("Manager", "return [Send(0, 'psst')]", "sends str, which no role hears; make it with"),
        ("Manager", "return ['go']", "wants 'go', which is no effect"),
        ("Manager", "return [SetTimer('soon', 0.5)]", "sets SetTimer.* a whole number of ns"),
        ("Manager", "return [SetTimer('soon', -1)]", "sets SetTimer.* a whole number of ns"),
        ("Manager", "return [Send(0, About(77, 0))]", "sends About about job 77, which there is"),
        ("Client", "return 2 * super().receive(sender, content, now_ns)", "starts the .* twice"),
        ("Server", "return [Send(1, Probe())]", "sends Probe to node 1, which has no manager"),
        ("Server", "return 1 / 0", r"mine\.py, line \d+, in receive: ZeroDivisionError"),
    ],
)
@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_mistake_names_role_message_and_time(mine, role, body, says, plane):
    own = f"class Own({role}):\n    def receive(self, sender, content, now_ns):\n        {body}\n"
    design = (
        f"def mine(nodes):\n    return patched(cen(nodes), protocol=Protocol({role.lower()}=Own))"
    )
    with pytest.raises(InputError, match=says) as refused:
        run(scarce(), mine(HEAD + own + design), plane=plane, readers=([].append,))
    assert "\n" not in str(refused.value)
    assert re.match(r"MINE of .*:mine, 0\.0\d+ s: the \w+ of node \d", str(refused.value))
    assert re.search(r"mine\.py, line \d+, in receive\b", str(refused.value))


AMOUNTS = """
from dataclasses import replace
import numpy as np
from agents.pnr.messages import RamGrant, ServerRequest, Loan

class S(Server):
    def receive(self, sender, content, now_ns):
        if isinstance(content, ServerRequest):
            {server}
        return super().receive(sender, content, now_ns)

class C(Client):
    def receive(self, sender, content, now_ns):
        if isinstance(content, RamGrant) and content.loans:
            (server, amount, word), *others = content.loans
            {client}
        return super().receive(sender, content, now_ns)

def mine(nodes): return patched(man(nodes), protocol=Protocol(server=S, client=C))
"""


def with_amounts(server="pass", client="pass"):
    return HEAD + AMOUNTS.format(server=server, client=client)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ({"server": "self.memory.lend(7 / 2, content.request)"}, "lends 3.5 bytes; give a whole"),
        ({"server": "self.memory.lend(-1)"}, "lends -1 bytes; give a whole number from 0 to"),
        ({"client": "self.memory.borrow(99, amount)"}, "borrows of node 99; nodes are 0 to 7"),
        ({"client": "self.memory.give_back(server, 10)"}, "10 bytes of node ., of which it b"),
    ],
)
def test_amounts_are_whole_and_not_negative(mine, lines, says):
    design = mine(with_amounts(**lines))
    with pytest.raises(ProtocolMistake, match=says) as refused:
        run(scarce(), design)
    text = Path(design.partition(":")[0]).read_text().splitlines()
    (one,) = lines.values()
    number = next(place for place, line in enumerate(text, 1) if one in line)
    handler = next(n for n in range(number, 0, -1) if "def receive" in text[n - 1])
    assert re.search(rf"mine\.py, line ({number}|{handler}), in receive", str(refused.value))


def test_whole_numbers_of_numpy_are_amounts(mine):
    """As many bytes are lent as if they were Python's own."""
    plain = run(scarce(), mine(with_amounts()))
    numpys = "content = replace(content, amount=np.int64(content.amount))"
    assert run(scarce(), mine(with_amounts(numpys))).clock.now_ns == plain.clock.now_ns


def test_exploring_names_the_line_of_an_amount_that_is_none(mine):
    design = mine(with_amounts("content = replace(content, amount=content.amount / 3)"))
    found = search(Setting(design)).finding
    says = r"the server of node \d lends .* bytes; .*mine.py, line \d+, in receive"
    assert re.match(says, found.complaint)


ODD = """
class Odd({base}):
    {line}
def mine(nodes): return patched(man(nodes), protocol=Protocol({role}=Odd))
"""


@pytest.mark.parametrize(
    ("role", "line", "says"),
    [
        ("client", "def __init__(self): pass", r"mine\.py, line \d+, in __init__: TypeError"),
        ("client", "def start(self, now_ns): self.gauge('x', float('nan'))", "gauges x as nan"),
    ],
)
@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_what_is_odd_in_a_class_is_one_line(mine, role, line, says, plane):
    design = mine(HEAD + ODD.format(base=role.capitalize(), line=line, role=role))
    with pytest.raises(InputError, match=says) as refused:
        run(scarce(), design, plane=plane)
    assert "\n" not in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("protocol", "says"),
    [
        ("'mine'", "protocol is a Protocol of roles"),
        ("Protocol(server=Manager)", "the server of its protocol is a class derived from Server"),
        ("Protocol(client=lambda: 0)", "the client of its protocol is a class derived from Client"),
    ],
)
def test_what_is_no_protocol_is_refused_at_once(mine, protocol, says):
    design = mine(HEAD + f"def mine(nodes): return patched(man(nodes), protocol={protocol})")
    with pytest.raises(InputError, match=says):
        comparison_of(scarce(design)).validate()


# Rules that a role keeps


FORGETFUL = """
class Forgetful(Manager):
    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [] if isinstance(content, ServerReply) else effects
    def validate(self):
        super().validate()
        self.require(self.memory.lent < 10**6, "lends too much")
def mine(nodes): return patched(man(nodes), protocol=Protocol(manager=Forgetful))
"""


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_roles_validate_themselves_with_check_alone(mine, plane, monkeypatch):
    monkeypatch.setattr(Host, "validates", False)
    design = mine(HEAD + FORGETFUL)
    told = r"^MINE of .*:mine, 0\.0\d+ s: the manager of node \d, on \w+: lends too much$"
    with pytest.raises(CheckFailed, match=told):
        run(scarce(), design, plane=plane, check=True)
    with pytest.raises(Exception, match="the manager of node 0 has not answered"):
        run(scarce(), design, plane=plane)


# What is lent is somewhere


GENEROUS = """
class M(Manager):
    def _grant(self, job, allocation, now_ns):
        allocation.grants = allocation.grants[1:]  # what it was granted first is forgotten
        return super()._grant(job, allocation, now_ns)
"""
SECRET = """
@message("start", hears="manager", size_bytes=8)
class Secret:
    amount: int
class M(M):
    def start(self, now_ns):
        return [Send(0, Secret(1))]
    def receive(self, sender, content, now_ns):
        return [] if isinstance(content, Secret) else super().receive(sender, content, now_ns)
"""


def checked(scenario, *readers):
    """A run of its only design, whose journal a checker reads, and these; the cluster, and it."""
    comparison, checker = comparison_of(scenario), MemoryChecker()
    [design] = comparison.contestants
    cluster = comparison.emulation(design, readers=(checker.read, *readers))
    checker.watch(cluster)
    cluster.run()
    checker.finish()
    return cluster, checker


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_with_check_lent_memory_that_is_nowhere_is_told_at_once(mine, plane):
    """A grant without the first loan: what its server lends is not borrowed, carried nor held."""
    records = []
    with pytest.raises(CheckFailed, match="lends are neither borrowed nor held") as told:
        run(
            scarce(),
            mine(HEAD + GENEROUS + OF_M),
            readers=(records.append,),
            plane=plane,
            check=True,
        )
    first = next(record for record in records if record.kind == "lent")
    size = f"{first.amount_bytes / 2**20:.2f} MB"
    assert f"{size} that node {first.node} lends" in str(told.value)
    grants = [r for r in records if (r.kind, r.what) == ("sent", "RamGrant")]
    assert records[-1].time_ns == grants[-1].time_ns


def test_nothing_is_known_of_lent_memory_once_a_message_does_not_say_what_it_carries(mine):
    """The same mistake; now the memory may be in Secrets, until at the end it has not come back."""
    with pytest.raises(CheckFailed, match="keeps memory"):
        run(scarce(), mine(HEAD + GENEROUS + SECRET + OF_M), check=True)


@pytest.mark.parametrize(
    ("design", "tells"),
    [
        *((design, True) for design in ("DP", "CLI", "CEN", "MAN", "BB2", "PROBE2", "GOSSIP")),
        *((design, True) for design in ("TREE2", "RACK2", "ADAPT", "RECLAIM(MAN)", "MIGRATE(MAN)")),
        *((design, False) for design in ("LEASE", "RELIABLE(MAN)")),
    ],
)
def test_shipped_designs_account_for_all_that_is_lent(design, tells):
    kinds = Counter()
    cluster, checker = checked(scarce(design), lambda record: kinds.update([record.kind]))
    assert all((servent.accounts is checker) == tells for servent in cluster.servents)
    assert (kinds["lent"] > 0) == (design != "DP")


@pytest.mark.parametrize("profile", ["static", "ramp"])
@pytest.mark.parametrize(
    "design", ["CLI", "RECLAIM(MAN)", "RECLAIM(RACK2)", "MIGRATE(RECLAIM(CEN))"]
)
def test_they_do_while_memory_changes_and_processes_do_not_wait_for_grants(design, profile):
    memory = {"memory_profile": profile, "grant_timeout_s": 0.001}
    scenario = make_scenario(job=SCARCE, designs=(design,), **SMALL | memory)
    kinds = Counter()
    cluster, checker = checked(scenario, lambda record: kinds.update([record.kind]))
    assert kinds["lent"] > 0
    assert (kinds["resized"] > 0) == (profile == "ramp")
    assert all(servent.accounts is checker for servent in cluster.servents)


def test_a_failure_at_the_start_says_so(mine):
    text = "class M(Manager):\n    def start(self, now_ns):\n        return 1 / 0\n"
    with pytest.raises(InputError, match=r"the manager of node 0, at its start: .*ZeroDiv"):
        run(scarce(), mine(HEAD + text + OF_M))


# What a run is stored under


def test_the_code_of_a_protocol_is_part_of_what_a_run_is(mine):
    text = HEAD + "class M(Manager):\n    x = 1\n"
    text += OF_M

    def identity(text):
        design = mine(text)
        return comparison_of(scarce(design)).identity_of(design)

    first = identity(text)
    assert identity(text) == first
    assert identity(text.replace("x = 1", "x = 2")) != first
    assert identity(text.replace("'MINE'", "'OTHER'").replace('"MINE"', '"OTHER"')) != first
