"""Each pattern that a README shows does what it says, and keeps all rules when it is explored."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from agents.pnr.messages import (
    LoadBroadcast,
    LoadReport,
    RamRequest,
    Request,
    ServerReply,
    ServerRequest,
)
from agents.pnr.protocol import Protocol
from agents.pnr.testing import Bench
from model.pnr.explore.setting import Setting
from model.pnr.explore.walks import walk
from topologies.managers.man import man

AGENTS = Path(__file__).parents[2] / "agents"
WALKS = 100  # what lost a wake-up was found by the first 60

AS_DESIGN = """
from agents.pnr.protocol import Protocol
from topologies.managers.man import man


def design(nodes):
    graph = man(nodes)
    graph.graph |= {{"name": "{name}", "protocol": Protocol({role}={name})}}
    return graph
"""


def patterns(page):
    """The pieces of Python on a page that define a role, by the name of that role."""
    text = (AGENTS / page).read_text("utf-8")
    blocks = re.findall(r"^ *```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    found = {}
    for block in map(dedent, blocks):
        if roles := re.findall(r"^class (\w+)\((?:Client|Server|Manager)\):", block, re.MULTILINE):
            found[roles[-1]] = block
    return found


SHOWN = patterns("README.md") | patterns("pnr/README.md")


def role_in(name):
    space = {"__name__": f"page_{name}"}
    exec(SHOWN[name], space)
    return space[name]


def bench(name):
    role = role_in(name)
    graph = man(4)
    graph.graph["protocol"] = Protocol(**{role.name: role})
    return Bench(graph, ram=10)


def sent(effects, kind):
    sends = [effect for effect in effects if isinstance(getattr(effect, "content", None), kind)]
    return [(send.target, send.content) for send in sends]


@pytest.mark.parametrize("name", SHOWN)
def test_whatever_order_three_jobs_bring_a_pattern_keeps_all_rules(name, tmp_path):
    code, role = SHOWN[name], role_in(name)
    design = re.search(r"^def (\w+)\(nodes\):", code, re.MULTILINE)
    file = tmp_path / "pattern.py"
    file.write_text(code if design else code + AS_DESIGN.format(name=name, role=role.name))
    function = design[1] if design else "design"
    found = walk(Setting(f"{file}:{function}", nodes=3, jobs=3), WALKS, most_depth=60)
    assert found.finding is None
    assert all(found.sometimes.values())  # requests were denied, and granted in part


def test_effects_are_filtered():
    made = bench("Filtering")
    made.place(1, {0: 14}, manager=0)
    told = []
    while made.messages:
        message = made.take()
        if isinstance(message.content, LoadBroadcast):
            told.append(message.target)
        made.arrive(message)
    assert told == [2]


def test_a_job_is_postponed_as_a_whole_until_the_one_before_it_has_its_answer():
    manager = bench("OneAtATime").role(0, "manager")

    def asks(job, rank, node, clients):
        request = Request(node, "client", 0, job)
        return RamRequest(job, rank, clients, 4, LoadReport(-4, 1), request)

    (first,) = sent(manager.receive(1, asks(7, 0, 1, 1), 1), ServerRequest)
    assert manager.receive(2, asks(8, 0, 2, 2), 2) == []
    assert manager.receive(3, asks(8, 1, 3, 2), 3) == []
    server, question = first
    reply = ServerReply(7, 4, LoadReport(6, 3), question.request)
    ((_, next_question),) = sent(manager.receive(server, reply, 4), ServerRequest)
    assert (next_question.job, next_question.amount) == (8, 8)  # for both of its processes


def test_a_server_that_does_not_answer_is_passed_over_and_its_late_loan_goes_back():
    made = bench("Impatient")
    made.place(1, {0: 14}, manager=0)
    made.deliver("RamRequest")
    late = made.take("ServerRequest")
    made.fire(0, f"answer {late.content.request.count}")
    made.settle()
    assert made.started == [(0, 1)]
    assert made.memory(0).borrowed == 4
    assert late.target not in made.memory(0).loans
    made.arrive(late)
    assert made.memory(late.target).lent == 4
    made.settle()
    assert made.memory(late.target).lent == 0


def test_an_answer_that_comes_twice_counts_once():
    made = bench("Asking")
    question = made.take("Question", sender=0)
    made.arrive(question)
    reply = made.take("Reply", sender=question.target)
    made.memory(question.target).allocate(7, 5)
    made.arrive(question)
    assert made.take("Reply", sender=question.target).content == reply.content
    for _ in range(2):
        made.arrive(reply)
    manager = made.role(0, "manager")
    assert (manager.found, manager.metrics.ignored) == ([10], 1)
