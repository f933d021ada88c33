"""What a comparison of designs tells, in sentences: for the terminal and the report."""

from collections.abc import Sequence

from model.core.measures import CHANCE, CHANCE_IN_WORDS, Summary, is_beyond
from model.ground.text import in_a_row
from model.pnr.measures import PAGING, optimization_ratio_pct, submitted


def in_words(summaries: Sequence[Summary]) -> list[str]:
    """Which jobs never end, what lending gains, and whether designs differ by more than chance."""
    sentences = []
    ended = [run for run in summaries if not is_beyond(run)]
    for run in summaries:
        if is_beyond(run):
            limit = f"{run['beyond']['response_s']:g}"
            sentences.append(
                f"{run['design']} was given up: its mean response time is certain to exceed "
                f"{limit} s."
            )
    lacking = [run for run in ended if submitted(run) > run["jobs"]]
    sentences += [
        f"Under {run['design']}, {submitted(run) - run['jobs']:,} of {submitted(run):,} jobs "
        "never end."
        for run in lacking
    ]
    if ended and "jobs_compared" in ended[0]:
        compared = ended[0]["jobs_compared"]
        sentences.append(f"Means are over the {compared:,} jobs that end under every design.")
    elif lacking:
        sentences.append("Means are over the other jobs.")
    elif len(ended) > 1:  # a design under which jobs never end is not the fastest
        sentences += _gain(ended)
        sentences += _differences([run for run in ended if run["design"] != PAGING])
    return sentences


def _gain(runs: Sequence[Summary]) -> list[str]:
    """What designs gain over disk paging, if that is among them."""
    response_s = {run["design"]: run["mean_response_s"] for run in runs}
    paging_s = response_s.pop(PAGING, None)
    gains_pct = [optimization_ratio_pct(paging_s, it) for it in response_s.values()]
    known = sorted(gain for gain in gains_pct if gain is not None)
    if not known:
        return []
    least, most = (f"{gain:.0f}" for gain in (known[0], known[-1]))
    by = f"{least} %" if least == most else f"{least} to {most} %"
    text = f"Lending memory shortens the mean response time of {PAGING}, {paging_s:,.0f} s, by {by}"
    by_chance = known[0] < 100 * CHANCE
    return [f"{text}; chance alone makes up to {CHANCE_IN_WORDS}." if by_chance else f"{text}."]


def _differences(runs: Sequence[Summary]) -> list[str]:
    """Which design is fastest, or which ones one seed cannot tell from the fastest."""
    ranked = sorted(runs, key=lambda run: run["mean_response_s"])
    if len(ranked) < 2:
        return []
    least_s = ranked[0]["mean_response_s"]
    behind_pct = {run["design"]: 100 * (run["mean_response_s"] / least_s - 1) for run in ranked}
    alike = [name for name, pct in behind_pct.items() if pct <= 100 * CHANCE]
    others = [
        f"{name} takes {pct:.0f} % longer" for name, pct in behind_pct.items() if name not in alike
    ]
    if len(alike) == 1:
        by_chance = f"chance alone: up to {CHANCE_IN_WORDS}"
        return [f"{alike[0]} is fastest: {in_a_row(others)} ({by_chance})."]
    apart_pct = behind_pct[alike[-1]]
    apart = f"{apart_pct:.1f} %" if apart_pct >= 0.05 else "less than 0.1 %"
    told = (
        f"{in_a_row(alike)} differ by {apart}, and chance alone makes up to {CHANCE_IN_WORDS}: "
        "this seed cannot tell which of them is fastest."
    )
    return [told, *([f"{in_a_row(others)}."] if others else [])]
