"""What designs do if something goes wrong: searched in a small setting, and measured in windows.

A search tries one fault at any moment, in all orders of messages, until its time is over. In
windows 2 % of the protocol's messages are lost, and the servent of node 0, which manages under most
designs, crashes once and restarts a minute later.
"""

from collections.abc import Iterator, Sequence
from math import exp, log
from statistics import fmean
from time import monotonic
from typing import Any

from model.ground.errors import InputError, cut
from model.judge.judging import FAULTS, Damage, Judgement, Runner, Searched
from model.pnr.design import blamed_on_roles
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.fault_tables import Loss, ServentCrash
from model.pnr.measures import PAGING
from model.sweeps.execution import Failure, Outcome
from model.sweeps.results import mean_s
from model.sweeps.sweep import Run

SEARCH_S = 20  # at most, for each design and fault
_NODES = (3, 4, 8, 16, 32, 64)  # of a search: the fewest that the design fits on
_STATES = 1_000_000
_WINDOWS = 4
_RATE, _RESTART_S = 0.02, 60


def searches(judgement: Judgement, until_s: float) -> Iterator[Searched]:
    """Search each design that is judged with each fault; all take as long at most."""
    left = [(name, fault) for name in judgement.question.designs for fault in FAULTS]
    while left:
        name, fault = left.pop(0)
        search_s = min(SEARCH_S, (until_s - monotonic()) / (len(left) + 1))
        if search_s <= 0:
            yield Searched(name, fault, "not searched: no time was left (--minutes)")
        else:
            yield searched(name, judgement.question.designs[name], fault, search_s)


def searched(name: str, declared: str, fault: str, search_s: float) -> Searched:
    until_s = monotonic() + search_s

    def stop_in_time(*_: int) -> None:
        if monotonic() > until_s:
            raise KeyboardInterrupt  # with which a search ends, and says how far it came

    try:
        setting = _smallest(declared, fault)
        with blamed_on_roles(setting.design):
            found = search(setting, most_states=_STATES, progress=stop_in_time)
    except InputError as error:
        return Searched(name, fault, f"not searched: {cut(str(error), 200)}")
    if found.interrupted and monotonic() < until_s:
        raise KeyboardInterrupt
    seen = f"{found.states:,} states of {setting.nodes} nodes and {setting.jobs} jobs"
    if found.finding is not None:
        complaint = found.finding.complaint.partition(":")[0]
        said = f"{complaint}, after {len(found.finding.path)} steps"
    elif found.whole:
        said = f"nothing breaks in all {seen}"
    else:
        said = f"nothing broke in {seen}, all that {found.complete} steps reach; there are more"
    return Searched(name, fault, said, setting, found)


def _smallest(declared: str, fault: str) -> Setting:
    """The setting with the fewest nodes on which there is such a design; raises InputError."""
    _, field = FAULTS[fault]
    faults: dict[str, Any] = {field: 1} if field else {}
    for nodes in _NODES:
        setting = Setting(declared, nodes=nodes, **faults)
        try:
            assert setting.design
        except InputError:
            if nodes < _NODES[-1]:
                continue
            raise
        return setting
    raise AssertionError


def damages(judgement: Judgement, runner: Runner, until_s: float) -> Iterator[Damage]:
    """Run the first windows again with faults, as far as designs have run there, and time allows.

    Disk paging has no messages to lose. A scenario that has faults is left as it is.
    """
    question = judgement.question
    names = [name for name in question.declared if name != PAGING]
    if question.scenario.has_faults:
        return
    windows = judgement.windows_with(*names)[:_WINDOWS]
    places = [(window, name) for window in windows for name in names]
    runs = {place: _with_faults(question.run_of(*place), judgement, place[0]) for place in places}
    outcomes = dict(runner.do(runs, until_s))
    for name in names:
        pairs = [
            (judgement.outcomes[window, name], outcomes[window, name])
            for window in windows
            if (window, name) in outcomes
        ]
        if pairs:
            yield _damage(name, pairs, runner)


def _with_faults(run: Run, judgement: Judgement, window: int) -> Run:
    half_s = judgement.question.windows.scarce[window].placed.span_s / 2
    crash = ServentCrash(kind="servent", nodes=(0,), from_s=half_s, restart_s=_RESTART_S)
    faults = {"fault": (Loss(kind="loss", messages=None, rate=_RATE), crash)}
    return Run(run.scenario.model_copy(update=faults), run.observer)


def _damage(name: str, pairs: Sequence[tuple[Outcome, Outcome]], runner: Runner) -> Damage:
    """From runs without faults and with them, of the same windows."""
    logs, stuck, leaked_mb, jobs, why = [], 0, 0.0, 0, ""
    for clean, faulty in pairs:
        if isinstance(clean, Failure) or isinstance(faulty, Failure):
            why = faulty.error if isinstance(faulty, Failure) else "it failed without faults"
            continue
        faults = faulty["summary"]["faults"]
        stuck += faults["jobs_stuck"] + faults["jobs_failed"]
        leaked_mb += faults["leaked_mb"]
        jobs += clean["summary"]["jobs"]
        ended = {*faulty["jobs"]["number"]}
        own_s, clean_s = (
            mean_s(it, "response_ns", ended) for it in (faulty, runner.with_jobs(clean))
        )
        if own_s and clean_s:
            logs.append(log(own_s / clean_s))
    slowdown = exp(fmean(logs)) if logs else None
    return Damage(name, len(pairs), jobs, stuck, leaked_mb / len(pairs), slowdown, why)
