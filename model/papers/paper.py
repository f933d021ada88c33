"""Writes what belongs to a paper into a folder: its figures, and the page of its findings."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from model.core.output import prepare_folder, put_in_place
from model.papers.findings import VERDICTS, Judged

FINDINGS_FILE = "findings.md"
#: The results in brief that come with the code, in a folder for each paper.
PAPERS = Path(__file__).parent
RESULTS_FILE = "results.parquet"


def counted(judged: list[Judged]) -> str:
    """How many findings have which verdict, in words."""
    counts = Counter(one.verdict for one in judged)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)


def write_condensed(runs: pd.DataFrame, page: str, file: Path) -> None:
    """Keep a table of runs, and beside it the page that follows from them; raises InputError."""
    prepare_folder(file.parent)
    with put_in_place(file) as unfinished:
        runs.to_parquet(unfinished, index=False, compression="zstd")
    _write_findings(page, file.parent)
    print(f"{len(runs):,} runs and {FINDINGS_FILE} are in {file.parent}")


def write_paper(page: str, pictures: Iterable[tuple[str, Figure]], out: Path) -> None:
    """Write the page, and figure-NUMBER.png and .svg, and say where; raises InputError."""
    prepare_folder(out)
    _write_findings(page, out)
    written = 0
    for number, picture in pictures:
        for kind in ("png", "svg"):
            with put_in_place(out / f"figure-{number}.{kind}") as unfinished:
                picture.savefig(unfinished, dpi=200)
        written += 1
    print(f"{written} figures and {FINDINGS_FILE} are in {out}")


def _write_findings(page: str, out: Path) -> None:
    with put_in_place(out / FINDINGS_FILE) as unfinished:
        unfinished.write_text(page, encoding="utf-8")
