"""Why runs fail: causes told apart, and those of a base design left out."""

from pathlib import Path

import pytest

import model
from model.pnr.explore.graph import moment_doomed
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting

NEEDED = {  # each message of a job's allocation and release, none of which is repeated
    *("RamRequest", "ServerRequest", "ServerReply", "RamGrant"),
    *("ReleaseNotice", "ServerRelease", "ReleaseAck"),
}


@pytest.mark.parametrize("nodes", [2, 3])
def test_each_message_that_must_not_be_lost_is_a_cause(nodes):
    """The thesis's protocol has no time-outs, so the loss of any message dooms the run but that of
    a broadcast; of two nodes, one borrows from the other."""
    found = search(Setting("MAN", nodes, 1 if nodes == 3 else 2, losses=1), all_rules=True)
    assert {finding.cause for finding in found.findings} == {f"{name} lost" for name in NEEDED}


def test_a_path_is_doomed_by_the_step_that_is_its_cause_and_is_a_shortest_one():
    setting = Setting("MAN", 3, 1, losses=1)
    found = search(setting, all_rules=True)
    for finding in found.findings:
        moment = moment_doomed(found.search.graph, finding.path)
        assert moment.step == finding.doomed
        assert finding.dooms >= 1
    assert found.findings[0] == search(setting).finding
    lengths = [len(finding.path) for finding in found.findings]
    assert lengths == sorted(lengths)


MINE = """
from agents.pnr.messages import RamRequest, ReleaseAck
from agents.pnr.protocol import Manager, Protocol
from topologies.managers.man import man

known = KNOWN


class Partial(Manager):
    first = None

    def receive(self, sender, content, now_ns):
        if isinstance(content, RamRequest) and self.first is None:
            self.first = sender
        if isinstance(content, ReleaseAck) and self.first == 1:
            return []
        return super().receive(sender, content, now_ns)


def partial(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "PARTIAL", "protocol": Protocol(manager=Partial)}
    return graph
"""


def test_what_a_base_design_does_not_hides_what_is_new(command):
    """A manager that hears no acknowledgement, if node 1 has asked first, waits for ever, as MAN's
    does after a loss: the kind of complaint is the same, the cause is not."""
    Path("mine.py").write_text(MINE.replace("KNOWN", "{}"))
    words = "explore mine.py:partial --jobs 1 --loss 1"
    status, out, _ = command(f"{words} --base MAN")
    assert status == 1
    assert out.count("Found after") == 1
    assert "Cause: RamRequest delivered" in out
    assert "(as under MAN); cause: RamGrant lost" in out
    assert command("explore MAN --jobs 1 --loss 1 --base MAN --quiet")[0] == 0
    status, _, err = command(f"{words} --base MAN --states 20")
    assert (status, err.count("\n")) == (2, 1)
    assert "--base MAN: only " in err


def test_causes_can_be_known_in_the_designs_file(command):
    causes = [*(f"{name} lost" for name in sorted(NEEDED)), "RamRequest delivered"]
    known = {f"cause: {cause}": "no time-outs" for cause in causes}
    Path("mine.py").write_text(MINE.replace("KNOWN", repr(known)))
    status, out, _ = command("explore mine.py:partial --jobs 1 --loss 1")
    assert (status, "(no time-outs); cause: RamGrant lost" in out) == (0, True)
    known.pop("cause: RamRequest delivered")
    Path("mine.py").write_text(MINE.replace("KNOWN", repr(known)))
    assert command("explore mine.py:partial --jobs 1 --loss 1 --quiet")[0] == 1


def test_python_tells_causes_and_the_step_that_doomed_the_path():
    found = model.explore("MAN", jobs=1, losses=1, all_rules=True)
    assert {f"{name} lost" for name in NEEDED} == set(found.causes.cause)
    assert found.moment.step == found.found.finding.doomed
    assert "Doomed from step" in found.story
    assert found.most_asked == 1  # only node 2 has memory that the job lacks
    based = model.explore("MAN", jobs=1, losses=1, base="MAN")
    assert (based.holds, {*based.known.cause}) == (True, {*found.causes.cause})
