"""Designs judged on a small log: windows by hand, verdicts, what is run again and what is not."""

from math import inf
from pathlib import Path
from time import monotonic

import pytest

import model
from model.ground.errors import InputError
from model.judge.course import carry_out
from model.judge.judging import Judgement, Runner, ask
from model.judge.page import write
from model.judge.sentences import sentences
from model.judge.tables import Judged
from model.judge.windows import choose_windows
from model.report.page import check_place
from model.sweeps.execution import LocalProcesses, execute
from model.sweeps.store import Store
from model.sweeps.sweep import Run
from tests.model.judge.conftest import MANY, OPTIONS, SMALL


class Here:
    """Does runs in this process, up to so many, and then is stopped as by Ctrl-C."""

    slots = 1

    def __init__(self, most=10**6):
        self.done = []
        self._most = most

    def outcomes(self, runs, until_s=inf):
        for run in runs:
            if len(self.done) == self._most:
                raise KeyboardInterrupt
            self.done.append((run.scenario.first, run.design))
            yield run, execute(run.scenario, run.observer)


def judged(scenario, place, *designs, against=("MAN",), out="runs", minutes=10, faults=False):
    judgement = Judgement(ask(scenario, designs, against, length=4))
    store = Store(Path(out))
    with store.writing():
        carry_out(judgement, Runner(lambda: place, store), minutes, faults)
    return judgement


def test_windows_with_scarce_memory_come_by_the_memory_that_they_hold(write_log):
    scenario = write_log([4, 40, 4, 60, 50, 4])
    windows = choose_windows(scenario, 4, "MAN")
    assert [window.first for window in windows.scarce] == [13, 17, 5]
    assert (windows.in_log, len(windows.scarce)) == (6, 3)
    assert [window.of(scenario).seed for window in windows.scarce] == [1 + 4, 1 + 5, 1 + 2]


def test_a_window_that_takes_far_longer_than_others_comes_last(write_log):
    scenario = write_log([40] * 5, long=2)  # later windows compute for longer, and hold more
    assert [window.place for window in choose_windows(scenario, 4, "DP").scarce] == [5, 4, 2, 1, 3]


def test_where_memory_is_not_scarce_nothing_is_asked(write_log):
    scenario = write_log([4, 4, 20, 4])
    with pytest.raises(InputError, match=r"0 of the log's 4 windows .* try --ram \d+"):
        choose_windows(scenario, 4, "MAN")
    with pytest.raises(InputError, match="the log has 16 jobs"):
        choose_windows(scenario, 16, "MAN")


def test_a_copy_is_equal_a_miser_slower_and_a_broken_design_not_judged(write_log):
    judgement = judged(write_log(MANY), Here(), *(f"mine.py:{it}" for it in ("copy", "miser")))
    copy, miser = judgement.verdicts.values()
    assert (copy.says, copy.windows, copy.ratio) == ("equal", 4, 1)
    assert miser.says == "slower"
    told = "\n".join(sentences(judgement))
    assert "COPY and MAN did the very same in 4 windows" in told
    broken = judged(write_log(MANY), place := Here(), "mine.py:broken", "mine.py:copy")
    assert broken.verdict("BROKEN", "MAN").says == "failed"
    assert "BROKEN failed in 4 of 4 windows" in "\n".join(sentences(broken))
    assert broken.verdict("COPY", "MAN").says == "equal"
    assert [design for _, design in place.done] == ["BROKEN"] * 4  # all else is stored


def test_a_run_that_is_given_up_is_told_and_not_left_out(write_log):
    scenario = write_log(MANY).model_copy(update={"give_up_response_s": 1})
    judgement = judged(scenario, Here(), "MAN", against=("DP",))
    assert judgement.verdict("MAN", "DP").says == "failed"
    assert "MAN was given up in 4 of 4 windows" in "\n".join(sentences(judgement))


def test_stopped_in_the_middle_it_goes_on_and_ends_as_if_it_had_not_been(write_log):
    scenario = write_log(MANY)
    with pytest.raises(KeyboardInterrupt):
        judged(scenario, first := Here(most=5), "mine.py:miser")
    judgement = judged(scenario, second := Here(), "mine.py:miser")
    whole = judged(scenario, Here(), "mine.py:miser", out="others")
    assert not {*first.done} & {*second.done}
    assert judgement.verdicts == whole.verdicts


def test_a_window_counts_once_all_before_it_have_ended(write_log):
    judgement = judged(write_log(MANY), Here(), "mine.py:miser")
    del judgement.outcomes[2, "MISER"]
    assert judgement.verdict("MISER", "MAN").windows == 2


def test_without_time_there_is_no_verdict(write_log):
    judgement = judged(write_log(MANY), Here(), "mine.py:miser", minutes=0)
    assert judgement.verdict("MISER", "MAN").windows <= 4


def test_processes_end_when_time_is_over(write_log):
    scenario = write_log(MANY).model_copy(update={"jobs": 4})
    runs = [Run(scenario.comparing("MAN"))] * 3
    assert [*LocalProcesses(1).outcomes(runs, until_s=monotonic())] == []


def test_lending_that_collapses_is_said(write_log):
    scenario = write_log(MANY).model_copy(update={"bandwidth_mbps": 1})
    judgement = judged(scenario, Here(), "MAN", against=("DP", "CLI"))
    assert any("lending collapses" in sentence for sentence in sentences(judgement))


def test_faults_are_tried_in_windows_and_in_a_search(write_log):
    judgement = judged(write_log(MANY), Here(), "mine.py:copy", minutes=0.5, faults=True)
    man, copy = judgement.damages
    assert (man.design, copy.design) == ("MAN", "COPY")
    assert (copy.windows, copy.jobs, copy.stuck) == (4, 16, man.stuck)
    assert copy.slowdown == man.slowdown
    # As the table of single faults has it for MAN (agents/README.md).
    assert [(it.fault, it.is_broken) for it in judgement.searches] == [
        ("none", False),
        ("loss", True),
        ("duplicate", True),
        ("crash", True),
    ]
    told = "\n".join(sentences(judgement))
    assert f"With lost messages and a crash {copy.stuck} of 16 jobs never end" in told
    assert "it takes one loss, duplicate or crash to break it: somebody waits for ever" in told
    assert "run.py explore mine.py:copy --loss 1" in told


def test_what_cannot_be_searched_in_time_is_said(write_log):
    judgement = judged(write_log(MANY), Here(), "SURVIVOR", minutes=0.02, faults=True)
    assert not any(it.is_broken for it in judgement.searches)
    assert {it.said.partition(" ")[0] for it in judgement.searches} <= {"nothing", "not"}


def test_tables_have_numbers_with_units(write_log):
    shown = Judged(judged(write_log(MANY), Here(), "mine.py:copy"))
    assert shown.verdicts.loc[0, ["design", "against", "says"]].tolist() == [
        "COPY",
        "MAN",
        "equal",
    ]
    costs = shown.costs.set_index("design")
    assert costs.loc["COPY"].dropna().equals(costs.loc["MAN"].dropna())
    assert costs.loc["MAN", "messages_per_job"] > 0
    assert shown.windows["mean_response_s.MAN"].notna().sum() == 4
    assert "the very same" in repr(shown)
    assert "<td>equal</td>" in shown._repr_html_()


def test_the_command_and_python_say_the_same(command, write_log, in_this_process):
    write_log(MANY)
    line = f"judge mine.py:copy --against MAN,DP {OPTIONS} --length 4 --no-faults --out runs"
    status, out, _ = command(line)
    assert status == 0
    assert "did the very same in 4 windows" in out
    scenario = {"trace": "log.swf", **SMALL}
    again = model.judge(
        "mine.py:copy", against=["MAN", "DP"], length=4, faults=False, out="runs", **scenario
    )
    assert repr(again) in out


def test_a_page_has_three_sentences_intervals_tables_and_what_happened_beside_it(write_log):
    judgement = judged(write_log(MANY), Here(), "mine.py:miser", minutes=0.1, faults=True)
    write(judgement, Path("page.html"))
    page = Path("page.html").read_text()
    top = page[page.index("<strong>") : page.index("</strong>")]
    assert top.count(". ") + top.endswith(".") == 3
    assert "MISER is slower than MAN" in top
    assert page.count("<caption>") == 4
    assert "data:image/svg+xml" in page
    for beside in ("page-messages.html", "page-broken.html"):
        assert f'href="{beside}"' in page
        assert "MISER" in Path(beside).read_text()
    with pytest.raises(InputError, match="a page is written as"):
        check_place(Path("page.pdf"))


def test_what_cannot_be_judged_is_refused(refusal, write_log):
    write_log(MANY)
    assert "name a design that is not judged itself" in refusal("judge MAN --against MAN")
    assert "name each design once" in refusal("judge BB4 BB4")
    assert "no such file" in refusal("judge nowhere.py:ring")
