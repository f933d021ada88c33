"""Carries results over to today's version of the model, as a person at a terminal sees it."""

import os
import sys
from pathlib import Path

from model.papers.carrying import carry_paper
from model.papers.paper import paper_names, paper_of
from model.sweeps.carrying import Differs, Sample, carry_folder
from model.terminal.command import INTERRUPTED


def run_carry(
    *,
    results: Path,
    sample: int,
    seed: int,
    longest_s: float,
    workers: int | None,
    model_version: str | None,
    quiet: bool,
) -> int:
    """Carry over a folder's results, or the bundled ones of a paper.

    Returns the exit status, which is 1 if a run's result differs today. Raises InputError.
    """

    def say(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr)

    drawn = Sample(sample, seed, longest_s, workers or os.cpu_count() or 1, say)
    try:
        if str(results) in paper_names() and not results.is_dir():
            notes = carry_paper(paper_of(str(results)), drawn, model_version)
        else:
            notes = carry_folder(results, drawn, model_version)
    except Differs as difference:
        print(f"error: {difference}; nothing was carried over", file=sys.stderr)
        return 1
    except OSError as error:
        reason = error.strerror or error
        print(f"error: {results}: {reason}; nothing was carried over", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("error: interrupted; start it again to go on", file=sys.stderr)
        return INTERRUPTED
    for note in notes:
        say(f"{note['results']:,} results of version {note['from']} are now of {note['to']}")
    if not notes:
        say(f"{results}: holds no results of another version")
    return 0
