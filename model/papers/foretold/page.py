"""Writes what is foretold, `foretold.md`, and seals it: `python -m model.papers.foretold.page`.

The page has the version of all code that it comes from, and ends with the SHA-256 digest of what
stands above. So a prediction cannot be changed after results were compared with it unnoticed.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import fmean, median, pstdev, quantiles

from model.core.version import version_of
from model.papers.foretold import infiniswap, segments
from model.papers.measurements import Measurements
from model.papers.tables import table
from model.papers.text import text_of, unwrapped

FOLDER = Path(__file__).parent
PAGE, TEXT = FOLDER / "foretold.md", FOLDER / "text" / "page.md"
CLUSTERS, BATCHES, FILLED, FAILURES = 20, 500, 5, 5  # how often each was tried: seeds from 1 on
SEAL = "Sealed: "


def main() -> None:
    """Try everything, and write the page; some minutes."""
    PAGE.write_text(sealed(page()), encoding="utf-8")
    print(f"{PAGE} is written and sealed")


def sealed(text: str) -> str:
    """A page with its digest at its end."""
    return f"{text}\n{SEAL}{digest(text)}\n"


def digest(text: str) -> str:
    """The digest of a page without its seal."""
    return sha256(text.encode("utf-8")).hexdigest()


def page() -> str:
    """The text with its tables."""
    tables = {
        "cluster": _cluster(),
        "evicted": _evicted(),
        "failed": _failed(),
        "unequal": _segments(segments.UNEQUAL),
        "uniform": _uniform(),
        "alternate": _segments(segments.ALTERNATE),
        "version": version_of("model.papers.foretold.page"),
    }
    named = {name: lambda _, value=value: value for name, value in tables.items()}
    nothing = Measurements.__new__(Measurements)  # no runs of a sweep
    return text_of(unwrapped(TEXT.read_text(encoding="utf-8")), named)(nothing).strip() + "\n"


def _range(values: Sequence[float], form: str = "{:.2f}") -> str:
    """The median over seeds, and from where to where nine of ten are."""
    parts = quantiles(values, n=20, method="inclusive")
    told = [form.format(value) for value in (median(values), parts[0], parts[-1])]
    return f"{told[0]} ({told[1]} to {told[2]})" if len({*told}) > 1 else told[0]


def _cluster() -> str:
    found = [infiniswap.cluster(seed) for seed in range(1, CLUSTERS + 1)]
    rows = []
    for name, shares in (
        ("without", [one.without for one in found]),
        ("with it", [one.with_it for one in found]),
    ):
        uneven = [infiniswap.Cluster.uneven(one) for one in shares]
        known = [least for _, least in uneven if least is not None]
        of_least = f"{_range(known)}, but in {len(uneven) - len(known)} of {len(uneven)} infinite"
        rows.append(
            (
                name,
                _range([100 * fmean(one) for one in shares], "{:.1f}"),
                _range([of_median for of_median, _ in uneven]),
                _range(known) if len(known) == len(uneven) else of_least if known else "infinite",
                _range([100 * pstdev(one) for one in shares], "{:.1f}"),
            )
        )
    left = _range([one.on_disk_gb for one in found], "{:.1f}")
    of_memory = "% of all memory used"
    headings = ("", of_memory, "largest / median", "largest / smallest", "deviation, points")
    return f"{table(headings, rows)}\n\nOn the disk there remain {left} GB of the working sets."


def _evicted() -> str:
    rows = []
    for extra in (0, 5, 10):
        found = [infiniswap.evicted_busy(extra, seed) for seed in range(1, BATCHES + 1)]
        none = 100 * found.count(0) / len(found)
        closed = infiniswap.expected_busy(extra)
        rows.append((f"{extra}", f"{closed:.4f}", f"{fmean(found):.4f}", f"{none:.1f} %"))
    headings = (
        "E′",
        "busy slabs of 10 evicted, closed form",
        "on the bench",
        "batches without any",
    )
    return table(headings, rows)


def _failed() -> str:
    rows = []
    for disk in infiniswap.DISKS:
        found = [infiniswap.failure(disk, seed) for seed in range(1, FAILURES + 1)]
        again = [one.back_s for one in found if one.back_s is not None]
        rows.append(
            (
                disk,
                _range([one.longer_pct for one in found]),
                _range([one.pages_from_disk for one in found], "{:.0f}"),
                f"in {len(again)} of {len(found)}, after {max(again, default=0):.1f} s or less",
            )
        )
    return table(("", "% longer", "more pages from disk", "runs in which all is lent again"), rows)


def _segments(of: Sequence[int]) -> str:
    """Of each strategy and level: mean shares by size, deviation, largest over smallest."""
    sizes = sorted({*of})
    rows = []
    for strategy in segments.STRATEGY_NAMES:
        found = [segments.filled(strategy, of, seed) for seed in range(1, FILLED + 1)]
        for level in segments.LEVELS_PCT:
            shares = [one[level] for one in found]
            rows.append(
                (
                    strategy,
                    f"{level} %",
                    *(f"{100 * fmean(_of_size(size, of, shares)):.1f} %" for size in sizes),
                    _range([100 * pstdev(one) for one in shares], "{:.1f}"),
                    _range([max(one) / min(one) for one in shares]),
                    _range([max(one) / median(one) for one in shares]),
                )
            )
    of_sizes = (f"share of {size:,} GiB" for size in sizes)
    spread = ("deviation, points", "largest / smallest", "largest / median")
    return table(("strategy", "used", *of_sizes, *spread), rows)


def _of_size(size: int, of: Sequence[int], runs: Iterable[Sequence[float]]) -> list[float]:
    return [share for one in runs for own, share in zip(of, one, strict=True) if own == size]


def _uniform() -> str:
    sizes = sorted({*segments.UNEQUAL})
    rows = [
        (
            f"{level} %",
            *(
                f"{100 * segments.uniform_share(size, segments.UNEQUAL, level):.1f} %"
                for size in sizes
            ),
        )
        for level in segments.LEVELS_PCT
    ]
    return table(("used", *(f"share of {size:,} GiB" for size in sizes)), rows)


if __name__ == "__main__":
    main()
