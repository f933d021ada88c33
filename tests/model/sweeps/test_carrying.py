"""Results are carried over whole or not at all, and only if some that are run again are equal."""

import json
import os

import pytest

from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.sweeps.carrying import Differs, Sample, Stored, carry_folder, difference, draw, history
from model.sweeps.execution import execute
from model.sweeps.identity import model_version
from model.sweeps.results import load_results
from model.sweeps.store import Store
from model.sweeps.sweep import Run

OLD = "0123456789abcdef"
SAMPLE = Sample(number=2, seed=1, longest_s=60, workers=1)
JOB = {"memory_mb": 40, "demand_s": 1}


def runs():
    """Two systems; two policies with two seeds of one, one run of the other."""
    for policy in ("NO_LS", "CPU_RE"):
        for seed in (1, 2):
            yield make_sharing_scenario(job=[JOB] * 3, policies=[policy], seed=seed)
    yield make_sharing_scenario(system="cmgs", job=[JOB], policies=["CMGS"])


@pytest.fixture(scope="module")
def results():
    """As they are run today, and as they were stored with an old version."""
    today = [json.loads(json.dumps(execute(scenario))) for scenario in runs()]
    old = [{**one, "version": OLD, "key": f"{i:064x}"} for i, one in enumerate(today)]
    return today, old


@pytest.fixture
def store(tmp_path, results):
    """A folder with the old ones."""
    store = Store(tmp_path / "runs")
    with store.writing():
        for result in results[1]:
            store.put(result)
    return store


pytestmark = pytest.mark.usefixtures("in_this_process")


def content(store):
    return {key: store.get(key) for key in store.all_keys()}


def without_times(results):
    dropped = {"took_s": 0}
    return {
        one["key"]: {**one, **dropped, "summary": {**one["summary"], "wall_s": 0}}
        for one in results
    }


def test_equal_results_become_todays_and_a_note_says_so(store, results):
    notes = carry_folder(store.folder, SAMPLE)
    carried = content(store)
    assert without_times(carried.values()) == without_times(results[0])
    assert [(note["from"], note["to"], note["results"]) for note in notes] == [
        (OLD, model_version("memory"), 4),
        (OLD, model_version("cmgs"), 1),
    ]
    assert [[run["design"] for run in note["run_again"]] for note in notes] in (
        [["NO_LS", "CPU_RE"], ["CMGS"]],
        [["CPU_RE", "NO_LS"], ["CMGS"]],
    )
    assert all(run["key"] in carried for note in notes for run in note["run_again"])
    assert load_results(store.folder).attrs["carried"] == store.notes() == notes
    assert history(notes[:1]).startswith(
        f"4 results carried over from version {OLD} to {model_version('memory')} on 20"
    )
    assert carry_folder(store.folder, SAMPLE) == []  # nothing is left to do


@pytest.mark.parametrize(
    ("change", "column"),
    [
        (lambda old: old["summary"].update(mean_response_s=1.5), "summary.mean_response_s"),
        (lambda old: old["summary"]["messages"].update(Hello=0), "summary.messages.Hello"),
        (lambda old: old["jobs"]["response_ns"].__setitem__(0, 7), "jobs.response_ns[0]"),
        (lambda old: old["stations"]["links"].update(wait_max_s=0.5), "stations.links.wait_max_s"),
    ],
)
def test_one_number_that_differs_keeps_all_as_it_was(store, results, change, column):
    for old in results[1]:
        other = json.loads(json.dumps(old))
        change(other)
        store.put(other)
    before = content(store)
    with pytest.raises(Differs, match="seed") as refusal:
        carry_folder(store.folder, SAMPLE)
    assert f": {column} is stored as" in str(refusal.value)
    assert str(refusal.value).split()[0] in before
    assert content(store) == before
    assert store.notes() == []


def test_a_run_that_was_done_anew_is_compared_too(store, results):
    today = json.loads(json.dumps(results[0][0]))
    today["summary"]["mean_response_s"] = 1.5
    store.put(today)
    with pytest.raises(Differs, match=r"mean_response_s is stored as .*, today 1\.5"):
        carry_folder(store.folder, Sample(1, 1, 60, 1), OLD)


def test_a_version_may_be_chosen(store, results):
    store.put({**results[1][0], "version": "another", "key": "f" * 64})
    notes = carry_folder(store.folder, SAMPLE, "another")
    assert [note["from"] for note in notes] == ["another"]
    assert {one["version"] for one in content(store).values()} == {OLD, model_version("memory")}


def test_no_two_are_drawn_alike_and_designs_take_turns():
    def stored(design, seed, ram, expected_s):
        run = Run(make_scenario(designs=design, seed=seed, ram=ram))
        return Stored(f"{design}{seed}", OLD, run, expected_s, lambda today: "")

    some = [
        stored(design, seed, ram, 10 * seed)
        for design in ("DP", "CEN", "MAN")
        for seed in (1, 2, 3)
        for ram in (50, 100)
    ]
    long = [stored("CLI", seed, 100, 600 + seed) for seed in (1, 2)]
    drawn = draw([*some, *long], 8, seed=5, longest_s=25)
    assert draw([*some, *long], 8, seed=5, longest_s=25) == drawn
    assert (
        len({(one.run.design, one.run.scenario.seed, one.run.scenario.ram) for one in drawn}) == 8
    )
    assert {one.run.design for one in drawn[:4]} == {"DP", "CEN", "MAN", "CLI"}
    assert [one.name for one in drawn if one.run.design == "CLI"] == ["CLI1"]  # none is quick
    assert {one.run.scenario.seed for one in drawn} == {1, 2}  # 3 takes 30 s
    assert {one.run.scenario.ram for one in drawn[:4]} == {50, 100}
    assert len(draw(some, 99, seed=1, longest_s=60)) == len(some)


def test_the_first_difference_is_named():
    stored = {"a": {"b": [1, 2.5, None]}, "took_s": 3}
    assert difference(stored, {"a": {"b": [1, 2.5, None]}, "took_s": 4, "new": 1}) == ""
    assert difference(stored, {"a": {"b": [1, 2.0, None]}}) == "a.b[1] is stored as 2.5, today 2.0"
    assert difference(stored, {"a": {"b": [1]}}) == "a.b is stored as [1, 2.5, None], today [1]"
    assert difference(stored, {}).startswith("a is stored as")
    assert difference({"x": 0.1 + 0.2}, {"x": 0.3}) != ""


@pytest.mark.parametrize("step", ["_write", "rename", "replace", "unlink"])
def test_a_kill_leaves_the_old_results_or_the_new_ones(tmp_path, results, step):
    """Killed at the first such step, the second, and so on until it comes through."""
    today, old = results[0][:2], results[1][:2]
    before, after = ({one["key"]: one for one in some} for some in (old, today))
    owner = Store if step == "_write" else os
    done = getattr(owner, step)
    ended = []
    while 0 not in ended:
        store, left = Store(tmp_path / str(len(ended))), len(ended)
        with store.writing():
            for result in old:
                store.put(result)

        def deadly(*arguments, **options):
            nonlocal left
            if left == 0:
                os._exit(9)
            left -= 1
            return done(*arguments, **options)

        child = os.fork()
        if child == 0:
            setattr(owner, step, deadly)
            try:
                store.replace([*before], today, [{"from": OLD}])
                os._exit(0)
            finally:
                os._exit(1)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        found = Store(store.folder)  # by whoever comes next
        assert (content(found), found.notes()) in ((before, []), (after, [{"from": OLD}]))
    assert ended == [9] * (len(ended) - 1) + [0]
    assert content(found) == after
    assert not [*store.folder.glob(".carr*")]


def test_a_full_disk_changes_nothing(store, monkeypatch):
    before = content(store)
    write, written = Store._write, []

    def full(self, key, suffix, text):
        written.append(key)
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        write(self, key, suffix, text)

    monkeypatch.setattr(Store, "_write", full)
    with pytest.raises(OSError, match="No space"):
        carry_folder(store.folder, SAMPLE)
    assert content(Store(store.folder)) == before
    assert not [*store.folder.glob(".carr*")]


def test_steps_from_version_to_version_are_told_as_one():
    def note(old, new, day, results=7, **others):
        again = {"results": results, "run_again": ["a", "b"], "when": f"2026-11-{day}T10:00"}
        return {"from": old, "to": new, **again, **others}

    steps = [note("A", "B", 20), note("X", "Y", 20, results=3), note("B", "C", 21)]
    assert history(steps) == (
        "7 results carried over from version A to C in 2 steps on 2026-11-20 to 2026-11-21, after "
        "4 of them, run again, came out equal to the bit; "
        "3 results carried over from version X to Y on 2026-11-20, after 2 of them, run again, "
        "came out equal to the bit"
    )
    apart = note("C", "D", 22, without_log={"a.swf": 2})
    assert history([note("B", "C", 21), apart]).endswith(
        "bit, and with them 2 on a.swf, which was not there"
    )
