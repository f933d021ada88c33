"""Rules of a user's own in a search: what breaks them, on paths and in circles."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.core.watching import Watching
from model.pnr.explore.alike import Alike
from model.pnr.explore.narrator import retrace
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import Search, search
from model.pnr.explore.setting import Setting
from model.pnr.explore.walks import walk
from model.pnr.explore.world import World
from model.views.story import recorded_path

HERE = Path(__file__).parent
LIVELOCKS = HERE / "livelocks.py"

RULES = '''
from model import Monitor, eventually, leads_to, until


def said(kind, what):
    return lambda record: record.kind == kind and record.what == what


class AtMost(Monitor):
    """So many records are of a kind."""

    def __init__(self, kind='nothing', most=0):
        self.kind, self.most, self.count = kind, most, 0

    def sees(self, record):
        self.count += record.kind == self.kind
        if self.count > self.most:
            return f"{self.count} times {self.kind}"


'''


def rules(text, name="mine.py"):
    """A file of rules."""
    file = Path(name)
    file.write_text(RULES + text)
    return str(file.resolve())


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def checked(setting, finding):
    """The verdict of `check` on the journal of a finding's path."""
    watching = Watching(setting.rules)
    for record in recorded_path(setting, finding)[1].each():
        watching.read(record)
    return {verdict.rule: verdict for verdict in watching.verdicts()}


MESSAGES = ("RamRequest", "ServerRequest", "ServerReply", "RamGrant", "ReleaseNotice", "Nothing")
SAID = st.tuples(st.sampled_from(["sent", "delivered"]), st.sampled_from(MESSAGES))
MONITORS = st.one_of(
    st.builds("leads_to(said{}, said{}, key=lambda r: r.job)".format, SAID, SAID),
    st.builds("leads_to(said{}, said{})".format, SAID, SAID),
    st.builds("until(lambda r: r.kind != 'started', said{})".format, SAID),
    st.builds("eventually(said{})".format, SAID),
    st.builds("AtMost('{}', {})".format, st.sampled_from(["sent", "lent"]), st.integers(0, 9)),
)
FAULTS = st.sampled_from([{}, {"losses": 1}, {"duplicates": 1}, {"crashes": 1}])


@settings(max_examples=40)
@given(MONITORS, st.sampled_from(["MAN", "CLI", "CEN", f"{LIVELOCKS}:takes_up_one"]), FAULTS)
def test_check_says_of_a_path_what_the_search_said(monitor, design, faults):
    """Also where another rule is broken, on whose path none of the user's own is."""
    setting = Setting(design, 2, 1, rules_file=rules(f"own = {monitor}\n"), **faults)
    finding = search(setting, most_states=3_000).finding
    if finding is None:
        return
    verdict = checked(setting, finding)["own"]
    assert bool(verdict.times) == finding.complaint.startswith("own: ")
    if verdict.times:
        assert verdict.complaint.startswith(f"{len(finding.path)}.000000 s")
    assert retrace(setting, finding.path, repeat=finding.repeat, alike=finding.alike) == finding


ANSWERED = """
answered = leads_to(
    said("sent", "RamRequest"), said("delivered", "RamGrant"), key=lambda r: (r.job, r.rank)
)
"""


def test_what_is_lost_is_never_followed_and_dooms_the_run(command):
    file = rules(ANSWERED)
    found = search(Setting("MAN", 2, 1, losses=1, rules_file=file), all_rules=True)
    assert "answered: what must follow never does" in found.finding.complaint
    assert {it.cause for it in found.findings} >= {"RamRequest lost", "RamGrant lost"}
    words = "explore MAN --nodes 2 --jobs 1 --loss 1 --check mine.py --out lost.parquet"
    assert command(words)[0] == 1
    status, out, _ = command("check lost.parquet --rules mine.py")
    assert status == 1
    assert "MAN: rule answered is broken at 3.000000 s, the end: what must follow never" in out
    assert command("explore --replay lost.parquet --quiet")[0] == 2  # nobody has named the file
    assert command("explore --replay lost.parquet --check mine.py --quiet")[0] == 1
    ends = "ends = leads_to(lambda r: r.kind == 'placed', lambda r: r.kind == 'ended')\n"
    setting = {"losses": 1, "late_timers": True, "rules_file": rules(ends, "ends.py")}
    assert search(Setting("MAN", 2, 1, **setting)).finding.complaint.startswith("ends: ")
    assert search(Setting("RELIABLE(MAN)", 2, 1, **setting)).whole


def test_a_servent_that_may_restart_some_day_does():
    """A circle of steps without the restart is not fair."""
    file = rules("""
back = leads_to(
    lambda r: r.kind == "crashed", lambda r: r.kind == "restarted", key=lambda r: r.node
)
""")
    setting = {"nodes": 2, "jobs": 1, "crashes": 1, "left_out": ("quiet means done",)}
    found = search(Setting("DP", rules_file=file, **setting))
    assert (found.whole, found.finding) == (True, None)
    finding = search(Setting("DP", rules_file=file, for_ever=True, **setting)).finding
    assert finding.complaint.startswith("back: what must follow never does: node 0: the servent")


@pytest.mark.parametrize(
    ("rule", "is_broken"),
    [
        ("eventually(said('sent', 'Nothing'))", True),
        ("leads_to(said('sent', 'Token'), said('delivered', 'Token'))", False),
        ("leads_to(said('sent', 'Token'), said('sent', 'Nothing'))", True),
    ],
)
def test_what_stays_open_while_a_token_goes_round_for_ever_is_wrong(rule, is_broken):
    setting = Setting(f"{LIVELOCKS}:takes_turns", 2, 1, rules_file=rules(f"own = {rule}\n"))
    found = search(setting)
    if not is_broken:
        assert (found.whole, found.finding) == (True, None)
        return
    assert found.finding.complaint.startswith("own: what must ")
    assert "repeat for ever" in found.finding.complaint
    alone = replace(setting, left_out=tuple(set(Properties(setting).optional) - {"own"}))
    assert search(alone).finding.complaint == found.finding.complaint
    assert checked(setting, found.finding)["own"].times == 1


def test_the_state_of_a_monitor_is_a_part_of_the_state():
    """Two messages sent in any order are one state, unless a monitor keeps their order."""
    with_ids = World(Setting("MAN", 2, 2), Alike(requests=False))
    plain = Search(with_ids).run()
    blind = search(Setting("MAN", 2, 2, rules_file=rules("own = AtMost('nothing', 1)\n")))
    text = "class Keeps(Monitor):\n    last = None\n    def sees(self, record):\n        "
    keeps = rules(f"{text}self.last = record.kind, record.what, record.node\n", "keeps.py")
    keeping = search(Setting("MAN", 2, 2, rules_file=keeps))
    assert blind.states == plain.states < keeping.states
    assert (plain.whole, blind.whole, keeping.whole) == (True, True, True)
    assert blind.sometimes["what rule own is about"] is False
    assert keeping.sometimes["what rule Keeps is about"] is True


def test_walks_break_the_same_rules():
    setting = Setting("MAN", 3, 2, losses=1, rules_file=rules("own = AtMost('lost', 0)\n"))
    assert walk(setting, 50).finding.complaint == "own: 1 times lost"


def test_monitors_in_a_designs_own_file_are_its_rules_and_can_be_left_out(command):
    rules("from topologies.managers.man import man as own_design\ntwice = AtMost('placed', 0)\n")
    status, out, _ = command("explore mine.py:own_design --nodes 2 --jobs 1")
    assert (status, "twice: 1 times placed" in out) == (1, True)
    status, out, _ = command("explore mine.py:own_design --nodes 2 --jobs 1 --except twice")
    assert (status, "twice" in out) == (0, False)
    rules("nothing = leads_to(said('sent', 'Nothing'), said('sent', 'Nothing'))\n")
    status, out, _ = command("explore MAN --nodes 2 --jobs 1 --check mine.py")
    told = "Never seen: what rule nothing is about, so the rule is vacuous; nothing is proved"
    assert (status, told in out) == (0, True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("return record.time_ns", "mine.py, line 23, in sees: AttributeError: a search has no ti"),
        ("self.it = (x for x in ())", "keeps <generator object"),
        ("1 / 0", "mine.py, line 23, in sees: ZeroDivisionError: division by zero"),
    ],
)
def test_what_a_search_cannot_do_or_fails_is_one_line(command, text, told):
    rules(f"class Wrong(Monitor):\n    def sees(self, record):\n        {text}\n")
    status, _, err = command("explore MAN --nodes 2 --jobs 1 --check mine.py")
    assert (status, err.count("\n")) == (2, 1)
    assert told in err
