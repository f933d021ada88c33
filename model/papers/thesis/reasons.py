"""Numbers that explain why findings of the thesis differ here, as `text/findings.toml` names them.

A number that was not run raises NotRun, and what would tell it is left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from model.papers.cases import Case, over
from model.papers.measurements import Measurements, NotRun
from model.papers.text import Named
from model.papers.thesis.cases import (
    CASES,
    FAST,
    H64,
    H128,
    L64,
    L128,
    LARGE,
    SMALL,
    coordinated,
    pnr,
)

_SLOW = {"bandwidth_mbps": 10}


def _of_designs(measured: Measurements, cases: Iterable[Case], measure: str) -> list[float]:
    """A measure's means under all designs of network RAM."""
    return [measured.mean(case, name, measure) for case in cases for name in pnr(case)]


def _unmet_pct(measured: Measurements) -> str:
    """How much of what nodes need no lender has, in the mean of the base cases' designs."""
    unmet, needed = (
        sum(_of_designs(measured, CASES, name)) for name in ("need_unmet_mb", "need_mb")
    )
    return f"{100 * unmet / needed:.1g}"


def _faults_by_ram(measured: Measurements) -> dict[int, float]:
    """Millions of DP's page faults under heavy load."""
    return {
        ram: measured.mean(H64.but(ram=ram), "DP", "faults_disk") / 10**6 for ram in (100, 115, 125)
    }


def _falls(measured: Measurements) -> dict[int, dict[str, float]]:
    """By nodes: RAM allocated, and its deviation over nodes, in multiples of DP's."""

    def lower(case: Case, measure: str) -> float:
        return fmean(_of_designs(measured, [case], measure)) / measured.mean(case, "DP", measure)

    return {
        nodes: {
            "mean": lower(case, "allocated_mb_mean"),
            "deviation": lower(case, "allocated_mb_sd"),
        }
        for nodes, case in {SMALL: H64, LARGE: H128}.items()
    }


def _beyond(measured: Measurements, cases: Sequence[Case]) -> list[tuple[Case, float, float]]:
    """What a job takes under DP and MAN in those of the cases that were run, s.

    Raises NotRun if disk paging is beyond the cliff in none of them.
    """
    found = [
        (case, paging.mean, borrowing.mean)
        for case in cases
        if (paging := measured.of(case, "DP")) and (borrowing := measured.of(case, "MAN"))
    ]
    if not any(paging_s > 5 * measured.mean(L64, "DP") for _, paging_s, _ in found):
        raise NotRun
    return found


def _under_paging(case: Case) -> Callable[[Measurements], dict[str, float]]:
    """Millions of page faults under DP, and how long jobs wait for their nodes."""
    return lambda measured: {
        "faults": measured.mean(case, "DP", "faults_disk") / 10**6,
        "waits_s": measured.mean(case, "DP", "mean_wait_s"),
    }


def _page_ms(*cases: Case) -> Callable[[Measurements], list[float]]:
    """What a page over the network costs under each design."""
    return lambda measured: _of_designs(measured, cases, "network_page_ms")


def _slow_page_ms(measured: Measurements) -> dict[str, float]:
    case = H64.but(**_SLOW)
    return {
        name: measured.mean(case, name, "network_page_ms") for name in ("CLI", "BB16", "CEN", "MAN")
    }


def _faults_over_bus(measured: Measurements) -> dict[str, float | list[float]]:
    """Millions of page faults over the network of CLI, and of each design that coordinates."""
    case = L128.but(topology="bus")
    own, *others = (
        measured.mean(case, name, "faults_network") / 10**6 for name in ("CLI", *coordinated(case))
    )
    return {"cli": own, "others": others}


def _lacking_pct(measured: Measurements) -> dict[str, float]:
    """For how much of what nodes need no lender is found with 65 % RAM, by design."""
    case = L64.but(ram=65)
    shares = {}
    for name in pnr(case):
        unmet, needed = (measured.mean(case, name, one) for one in ("need_unmet_mb", "need_mb"))
        shares[name] = 100 * unmet / needed
    return shares


def _by_seed_s(measured: Measurements) -> dict[str, list[float]]:
    """Mean response times with 65 % RAM."""
    case = L64.but(ram=65)
    return {name: measured.values(case, name).tolist() for name in ("MAN", "CEN")}


def _kept_s(case: Case) -> Callable[[Measurements], dict[str, list[float]]]:
    """For how long barriers and pages over the network keep a job: with MAN, with the others."""

    def spent_s(measured: Measurements, design: str) -> float:
        parts = ("breakdown.barriers_s", "breakdown.network_faults_s")
        return sum(measured.mean(case, design, part) for part in parts)

    return lambda measured: {
        "man": [spent_s(measured, "MAN")],
        "others": [spent_s(measured, name) for name in pnr(case) if name != "MAN"],
    }


def _cli_ahead_pct(measured: Measurements) -> list[float]:
    """By how much CLI is ahead of each design that coordinates with space sharing."""
    by_pct = [
        found.mean
        for case in over(CASES, scheduler="space", ram=75)
        for name in coordinated(case)
        if (found := measured.reduction_pct((case, "CLI"), (case, name))) is not None
    ]
    if not by_pct:
        raise NotRun
    return by_pct


NUMBERS: Mapping[str, Named] = {
    "unmet_pct": _unmet_pct,
    "faults_by_ram": _faults_by_ram,
    "falls": _falls,
    "gang": _under_paging(H64),
    "space": _under_paging(H64.but(scheduler="space")),
    "fast_page_ms": _page_ms(*over(CASES, bandwidth_mbps=FAST), *over(CASES, topology="connected")),
    "slow_page_ms_64": _page_ms(*over((L64, H64), **_SLOW)),
    "slow_page_ms_128": _page_ms(*over((L128, H128), **_SLOW)),
    "slow_page_ms": _slow_page_ms,
    "faults_over_bus": _faults_over_bus,
    "lacking_pct": _lacking_pct,
    "by_seed_s": _by_seed_s,
    "over_star_s": _kept_s(H64),
    "connected_s": _kept_s(H64.but(topology="connected")),
    "cli_ahead_pct": _cli_ahead_pct,
}
#: Numbers of the cases that a finding names.
NUMBERS_OF = {"beyond": _beyond}
