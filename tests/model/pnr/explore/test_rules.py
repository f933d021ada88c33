"""Which rules a search checks, what it says of each kind of complaint, and what it never tried."""

from contextlib import suppress
from pathlib import Path

import pytest

from agents.pnr.protocol import Manager, Protocol
from model.pnr.explore.search import kind_of, search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import END, FIRE, PLACE
from model.pnr.explore.storing import read_finding
from model.pnr.explore.trail import Trail

HERE = Path(__file__).parent
MUTANTS = HERE / "mutants.py"


def test_a_kind_of_complaint_is_what_is_said_and_not_of_whom():
    one = kind_of("memory stays lent for ever: node 0 7.00 MB, node 1 1.00 MB")
    assert one == kind_of("memory stays lent for ever: node 2 4.00 MB")
    waits = kind_of("somebody waits for ever: node 0 (job 1 to start); node 1 (job 1 to start)")
    assert waits == kind_of("somebody waits for ever: node 2 (job 2 to start)")
    assert waits != kind_of("somebody waits for ever: node 2 (the manager to end a release)")


def test_with_all_rules_one_mistake_does_not_hide_the_others(command):
    """Under a duplicate a mutant borrows twice what is lent; further on its original design, MAN,
    waits for ever."""
    mutant = f"{MUTANTS}:BorrowsDouble"
    words = f"explore {mutant} --nodes 2 --duplicates 1 --all-rules --out each.parquet"
    status, out, _ = command(words)
    found = [line for line in out.splitlines() if line.startswith("Found after")]
    assert status == 1
    assert "14.00 MB of node 1 are borrowed, but it lends 7.00 MB" in found[0]
    assert {line.partition(": ")[2][:24] for line in found[1:]} == {
        "14.00 MB of node 1 are b",
        "somebody waits for ever:",
    }
    files = sorted(Path().glob("each*.parquet"), key=lambda file: (len(file.name), file.name))
    assert len(files) == len(found)
    lengths = [len(read_finding(file)[1].path) for file in files]
    assert lengths == sorted(lengths)
    alone = search(Setting(mutant, 2, duplicates=1)).finding
    assert read_finding(Path("each.parquet"))[1] == alone


def test_a_rule_that_is_left_out_need_not_hold_and_is_not_said_to(command):
    words = "explore MAN --loss 1 --jobs 1"
    status, out, _ = command(f"{words} --except quiet,whoever")
    assert status == 0
    assert "none lent is lost" in out
    assert "quiet means done" not in out
    assert command(f"{words} --rules quiet")[0] == 1
    mutant = f"explore {MUTANTS}:BorrowsDouble --nodes 2"
    assert "are borrowed, but it lends" in command(mutant)[1]
    assert "are borrowed, but it lends" not in command(f"{mutant} --except lent")[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "--except nothing",
            "--except nothing: 0 rules begin so; rules are lent covers borrowed; none",
        ),
        ("--rules l --except q", "--rules and --except: give one of them"),
        ("--random 9 --all-rules", "--random and --all-rules: give one of them"),
        ("--early 1", "--early needs --timers late"),
    ],
)
def test_a_rule_that_does_not_exist_is_one_line(command, words, told):
    status, out, err = command(f"explore MAN {words}")
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


KNOWING = """
from tests.model.pnr.explore.mutants import ForgetsToRelease as mutant

known = {"3.00 MB that node 1 lends": "it never gives back; see issue 7"}


def own(nodes):
    return mutant(nodes)
"""


def test_what_a_design_knows_of_itself_is_told_apart_from_news(command):
    Path("knowing.py").write_text(KNOWING)
    status, out, _ = command("explore knowing.py:own --nodes 2")
    assert status == 0
    assert "Known: 3.00 MB that node 1 lends" in out
    assert "after 12 steps (it never gives back; see issue 7)" in out
    Path("other.py").write_text(KNOWING.replace("MB", "GB"))
    assert command("explore other.py:own --nodes 2")[0] == 1


KNOWN_CIRCLE = """
from tests.model.pnr.explore.livelocks import asks_the_same as livelock

known = {"somebody waits for ever": "it asks for ever"}


def own(nodes):
    return livelock(nodes)
"""


def test_who_is_known_to_wait_in_a_circle_is_no_news_and_hides_nobody_else(command):
    """Node 0 waits while its manager asks a server that refuses; what another server has granted
    before stays lent all the while, which nobody knows of."""
    Path("circle.py").write_text(KNOWN_CIRCLE)
    status, out, _ = command("explore circle.py:own")
    assert status == 1
    assert "Known: somebody waits for ever: node 0 (job 1 to start), while steps" in out
    assert "steps: memory stays lent for ever: node 0, while steps" in out
    Path("circle.py").write_text(KNOWN_CIRCLE.replace("known = {", "known = {'memory': 'so', "))
    status, out, _ = command("explore circle.py:own")
    assert (status, "Rules that held:" in out) == (0, True)


def test_walks_go_on_after_what_is_known(command):
    Path("knowing.py").write_text(KNOWING)
    status, out, _ = command("explore knowing.py:own --nodes 2 --random 20")
    assert status == 0
    assert "20 random walks" in out
    assert "(it never gives back; see issue 7)" in out


RAISES_AFTER_TWO = """
from agents.pnr.client import Client
from agents.pnr.protocol import SetTimer
from model.pnr.explore.world import END
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.dp import dp


@mistake(dp)
class Counts(Client):
    ended = 0

    def start(self, now_ns):
        return [SetTimer("check", 10**9)]

    def process_ended(self, process, now_ns):
        self.ended += 1
        return super().process_ended(process, now_ns)

    def timer(self, name, now_ns):
        if self.ended == 2:
            raise ValueError("a mistake")
        return [SetTimer("check", 10**9)]


def job_LAST_ends_last(before, step, after):
    here = {job for job, _ in before.nodes[0].residents}
    others = before.state.stage.placed == 2 and not here - {LAST}
    return "another order" if step.kind == END and step.b == LAST and others else None


known = {"another order": "harmless"}
"""


@pytest.mark.parametrize("last", [1, 2])
def test_a_state_that_one_step_may_not_lead_to_is_searched_on_if_another_may(last, tmp_path):
    """Either of two jobs ends last, and the state is the same; of one of the orders a rule says
    that it is broken, which is known. Whichever comes first, the timer after it raises an error: a
    job is placed, another, both end, the timer fires."""
    file = tmp_path / "counts.py"
    file.write_text(RAISES_AFTER_TWO.replace("LAST", str(last)))
    found = search(Setting(f"{file}:Counts", nodes=1, jobs=2))
    assert "ValueError: a mistake" in found.finding.complaint
    assert [step.kind for step in found.finding.path] == [PLACE, PLACE, END, END, FIRE]
    assert [one.complaint for one in found.known] == ["another order"]
    assert found.states == 10  # of which one is where the broken order leads


class Halves(Manager):
    def receive(self, sender, content, now_ns):
        if sender == 99:
            return self.never()
        return super().receive(sender, content, now_ns)

    def never(self):
        first = 1
        return [first]


def test_lines_that_no_step_has_run_are_named():
    trail = Trail(Protocol(manager=Halves))
    setting = Setting("MAN", 2, 1)
    role = Halves.__new__(Halves)
    with trail.followed(), suppress(AttributeError):
        role.receive(0, None, 0)
    lines = [line for line in trail.never_run() if line.startswith("test_rules.py")]
    first = Halves.receive.__code__.co_firstlineno
    assert lines == [
        f"test_rules.py {first + 2} (receive)",
        f"test_rules.py {first + 6}-{first + 7} (never)",
    ]
    whole = Trail(setting.design.protocol)
    search(setting, trail=whole)
    never = "\n".join(whole.never_run())
    assert "(timer)" in never  # no time-out is set
    assert "(new_request)" not in never
