"""What would have saved a run does: a good end can be reached after it, as plain steps show."""

from pathlib import Path

import networkx as nx
import pytest

import model
from model.pnr.explore.properties import Properties
from model.pnr.explore.repair import repairs
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import CRASH, DELIVER, DUPLICATE, LEAVE, LOSE
from model.pnr.explore.world import World

HERE = Path(__file__).parent
THESIS, PROTOCOLS = (f"{HERE / file}" for file in ("mutants.py", "mutants_of_protocols.py"))
BROKEN = "a rule is broken"

OVERTAKEN = """
from tests.model.pnr.explore.letters import Counts, Letter, Send, dp, mistake


@mistake(dp)
class Door(Counts):
    is_open = False

    def start(self, now_ns):
        return [Send(1, Letter(letter)) for letter in ("opens", "closes") if self.node == 0]

    def receive(self, sender, content, now_ns):
        self.require(self.is_open or content.letter == "opens", "closes what is not open")
        self.is_open = True
        return []
"""


def plain(world, state, step):
    """Where a step leads."""
    after, broken, _ = world.rules.taken(world, state, step)
    return BROKEN if broken else after


def ends_well(setting, alike, path):
    """Whether a good end can be reached after a path, without faults."""
    world = World(setting, alike)
    world.rules = Properties(setting)
    state = world.beginning().state
    for step in path:
        state = state if state == BROKEN else plain(world, state, step)
    graph, left = nx.DiGraph(), [state]
    graph.add_nodes_from([state, BROKEN])
    while left:
        one = left.pop()
        for step in [] if one == BROKEN else world.steps(one):
            if step.kind not in (LOSE, DUPLICATE, CRASH, LEAVE):
                after = plain(world, one, step)
                left += [] if after in graph else [after]
                graph.add_edge(one, after)
    done = {one for one in graph if one != BROKEN and world.is_done(one)}
    good = {one for one in done if nx.descendants(graph, one) <= done}
    return not good.isdisjoint(nx.descendants(graph, state) | {state})


SETTINGS = [
    Setting("MAN", jobs=1, duplicates=1),
    Setting("CLI", jobs=1, crashes=1),
    Setting("MAN", jobs=1, crashes=1, for_ever=True),
    Setting(f"{THESIS}:ForgetsGrants", 2, 1, "any", duplicates=1),
    Setting(f"{PROTOCOLS}:EndsAllChecks", jobs=1, losses=1, late_timers=True),
    Setting(f"{PROTOCOLS}:TakesLoansTwice", jobs=1, duplicates=1, late_timers=True),
]
#: Of some variations, the kinds of the steps with the message.
INSTEAD = {"losing it": [LOSE], "sending it twice": [DUPLICATE, DELIVER]}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda it: it.declared.split(":")[-1])
def test_what_saves_runs_does_so_in_as_many_cases(setting):
    found = search(setting, all_rules=True)
    one, alike = found.search, found.search.world.alike
    for finding in {it.cause: it for it in found.findings}.values():
        told = repairs(one, finding)
        places = one.causes.of(finding.path).places
        for words, saves in told.each if told else ():
            if words in INSTEAD and len(places) <= 20:
                cases = [(one.path(one.graph.begins[at]), one.graph.label(at)[0]) for at in places]
                paths = [
                    (*way, *(step._replace(kind=kind) for kind in INSTEAD[words]))
                    for way, step in cases
                ]
                assert saves == sum(ends_well(setting, alike, path) for path in paths)


def test_a_lost_message_that_is_sent_again_saves_every_run():
    found = search(Setting("MAN", jobs=1, losses=1), all_rules=True)
    for finding in found.findings:
        again = "sending it again when nothing else is on its way saves"
        told = f'Of {finding.dooms} cases of "{finding.cause}", {again} {finding.dooms}.'
        assert str(repairs(found.search, finding)) == told


def test_a_message_that_overtakes_another_had_better_come_later_or_never(command):
    """The job has five states (it waits; both, either or none of its processes run)."""
    Path("mine.py").write_text(OVERTAKEN)
    told = (
        'Of 5 cases of "Letter delivered", delaying it until nothing else is on its way saves 5; '
        "losing it saves 5; sending it twice saves none."
    )
    words = "explore mine.py:Door --nodes 2 --jobs 1 --order any"
    assert f"{told}\n" in command(words)[1]
    assert f"{told}\n" in command(f"{words} --all-rules")[1]
    found = model.explore("mine.py:Door", nodes=2, jobs=1, order="any")
    assert (str(found.repairs), found.story.endswith(told)) == (told, True)


def test_where_every_run_is_doomed_nothing_is_tried():
    assert model.explore(f"{THESIS}:NeverCloses", nodes=2, jobs=1).repairs is None
