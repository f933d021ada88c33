"""What pages are sent of a session: what the emulation does, in pieces, with faults by hand."""

import pytest

from model.dashboard import history as history_module
from model.dashboard.controls import with_faults
from model.dashboard.feed import Feed, Reader, faults_of
from model.dashboard.session import Session
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.exports.tables import parquet
from model.views.page.tables import Codes, tables_of
from model.views.recording import Selection, read_recordings, record
from tests.model.dashboard.steps import step
from tests.model.views.page.test_tables import unpacked

JOB = {"processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": 0}
SMALL = {"nodes": 4, "page_bytes": 2**18, "barrier_s": 0.01, "minimum_demand_s": 0.01}
JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 0.03},
    {"processes": 1, "memory_mb": 20, "demand_s": 0.02, "submit_s": 0.01},
]
GROWING = ("items", "hops", "jobs", "memory", "candidates")


def go_to(session, time_ns):
    while not session.seek(time_ns):
        pass


def watched(goal, *names, jobs=None, nodes=3, **parameters):
    """A session after one step, and what a page gets then."""
    jobs = jobs or [{**JOB, "memory_mb": 40, "demand_s": 5}]
    session = Session(make_scenario(nodes=nodes, job=jobs, **parameters), *names)
    feed = Feed(session)
    step(session, goal)
    return session, feed, feed.moment(Reader())


def whole(scenario):
    """What a file has of both runs."""
    likeness = Codes()
    return [tables_of(record(scenario, name, "all"), likeness)[1] for name in ("MAN", "CLI")]


class Page:
    """Puts together what it is sent, as the page in the browser does."""

    def __init__(self, feed):
        self.feed, self.reader = feed, Reader()
        self.runs, self.texts = {}, {}

    def look(self):
        moment = self.feed.moment(self.reader)
        for which, sent in enumerate(moment["runs"]):
            found, texts = unpacked(sent)
            if sent["reset"]:
                self.runs[which], self.texts[which] = {}, []
            self.texts[which] += texts if texts != [""] else []
            tables = self.runs[which]
            for column, name in [it for it in found if it[0] == "changed" and it[1] != "which"]:
                for item, value in zip(found["changed", "which"], found[column, name], strict=True):
                    tables["items", name][item] = value
            for (table, name), values in found.items():
                before = tables.get((table, name), []) if table in GROWING else []
                tables[table, name] = before + [int(it) for it in values]
        return moment


@pytest.mark.parametrize("goal", ["a protocol message arrives", "0.001 s", "10 min"])
def test_what_comes_in_pieces_is_what_a_file_has_at_once(goal):
    scenario = make_scenario(**SMALL, job=JOBS)
    session = Session(scenario, "MAN", "CLI")
    page = Page(Feed(session))
    while not session.has_ended:
        step(session, goal)
        page.look()
    made_at_once = whole(scenario)
    one, other = ({*page.runs[which]["items", "alike"]} for which in (0, 1))
    first, second = ({*made.tables["items"]["alike"]} for made in made_at_once)
    assert len(one & other) == len(first & second)
    for which, made in enumerate(made_at_once):
        assert page.texts[which] == made.texts
        for table in (*GROWING, "outages", "lasting"):
            for name, values in made.tables[table].items():
                if name != "alike":  # a number of its own for each pair, whatever it is
                    assert page.runs[which][table, name] == [*values], (table, name)
        assert len({*page.runs[which]["items", "alike"]}) == len({*made.tables["items"]["alike"]})


def test_a_second_page_gets_all_and_the_first_only_what_it_lacks():
    session, feed, _ = watched("a job is placed", "MAN")
    first = Page(feed)
    assert "stage" in first.look()
    before = len(first.runs[0]["items", "time"])
    step(session, "a job ends")
    moment = first.look()
    assert "stage" not in moment
    sent, _ = unpacked(moment["runs"][0])
    assert 0 < len(sent["items", "time"]) == len(first.runs[0]["items", "time"]) - before
    second = Page(feed)
    second.look()
    assert second.runs == {
        0: first.runs[0]
        | {key: second.runs[0][key] for key in second.runs[0] if key[0] == "changed"}
    }


def test_what_has_been_forgotten_is_taken_from_the_page(monkeypatch):
    monkeypatch.setattr(history_module, "_DETAILS_KEPT", 30)
    session = Session(make_scenario(**SMALL, job=JOBS), "MAN")
    page = Page(Feed(session))
    resets = 0
    while not session.has_ended:
        step(session, "a protocol message arrives")
        resets += page.look()["runs"][0]["reset"]
    assert resets > 1
    about = page.look()["runs"][0]
    assert "are not kept" in about["missing"]
    codes = about["about"]["words"]["kind"]
    kinds = [codes[code] for code in page.runs[0]["items", "kind"]]
    assert kinds.count("ended") == len(JOBS)
    assert len(page.runs[0]["hops", "at"]) <= 60


def test_what_is_shown_ends_with_a_record_even_if_others_have_the_same_time():
    session = Session(make_scenario(**SMALL, job=JOBS), "MAN")
    feed, shown = Feed(session), []
    for _ in range(4):
        step(session, "anything happens")
        shown.append(feed.moment(Reader())["runs"][0]["shown"])
    assert session.at_ns == 0
    assert shown == [1, 2, 3, 4]  # submitted, placed, resumed, sent: an item each


def test_what_is_lost_is_counted_and_a_run_that_stands_still_says_so():
    loss = {"kind": "loss", "messages": ["ServerRequest"]}
    session, feed, moment = watched("a message is lost", "CLI", fault=[loss])
    assert moment["runs"][0]["state"].endswith("; 0 messages on the way; 1 message lost")
    while not session.has_ended:
        step(session, "10 min")
    assert "1 job is not done" in feed.moment(Reader())["runs"][0]["complaint"]


def test_a_node_that_is_down_is_counted():
    crash = {"kind": "servent", "nodes": [2], "from_s": 1, "restart_s": 2}
    session, feed, moment = watched("a servent or node fails", "MAN", fault=[crash])
    assert "1 node down" in moment["runs"][0]["state"]
    step(session, "a job ends")
    assert "1 restart; 0 nodes down" in feed.moment(Reader())["runs"][0]["state"]


# Faults by hand


def test_faults_are_listed_can_be_taken_away_and_a_mistake_is_told():
    scenario = make_scenario(nodes=4, job=[JOB])
    assert faults_of(scenario) == {"tables": [], "sentences": []}
    table = {"kind": "servent", "nodes": [2], "from_s": 1.5}
    hurt = with_faults(scenario, [table])
    assert faults_of(hurt) == {
        "tables": [table | {"nodes": [2]}],
        "sentences": ["servent: node 2 from 1.5 s"],
    }
    assert faults_of(with_faults(hurt, [])) == {"tables": [], "sentences": []}
    with pytest.raises(InputError, match="node 9"):
        with_faults(scenario, [table | {"nodes": [9]}])
    with pytest.raises(InputError):
        with_faults(scenario, "nonsense")


# Load reports that the log has


def test_of_a_part_of_a_journal_nothing_is_told_of_what_messages_were_good_for(tmp_path):
    """Others, which the part lacks, may have made outdated."""
    run = record(make_scenario(**SMALL, job=JOBS), "MAN", "all")
    parquet([run], Selection(job=1), tmp_path / "part.parquet")
    for recordings, is_part in (([run], False), (read_recordings(tmp_path / "part.parquet"), True)):
        session = Session(recordings, "MAN")
        feed = Feed(session)
        go_to(session, 10**10)
        moment = feed.moment(Reader())
        (of_run,) = moment["stage"]["runs"]
        assert (
            "from a part of the journal with the messages of job 1" in of_run["caption"]
        ) == is_part
        items, _ = unpacked(moment["runs"][0])
        assert any(use >= 0 for use in items["items", "use"]) != is_part
