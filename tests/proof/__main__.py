"""Proves that a change leaves all results as they are: 57 scenarios, compared to the bit.

`python -m tests.proof FOLDER` runs the scenarios of `scenarios.toml` and writes what each gives,
the records of its journals included, as texts into the folder, with their hashes in
`digests.json`. `--against FILE` compares these with others; without a name, with those of this
folder. `--only WORD` runs the scenarios whose names have it.

What differs is named by its scenario and output. To see it, write the same folder in a checkout of
the code before, and call `diff -r`. Where results change for a reason, `digests.json` of this
folder is replaced in the commit that states it.

The other parts of the proof: `python -m tests.proof.claims` compares every verdict of every paper,
and `tests/model/pnr/explore/test_mutants.py` has all mutants found.
"""

import json
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from model.report import designs, policies
from model.systems import make_any_scenario
from model.terminal.comparison import run_comparison

HERE = Path(__file__).parent
STORED = HERE / "digests.json"
PLANES = ("actors", "compiled")
#: What is no result: how long a run took.
NO_RESULTS = ("wall_s",)
Digests = dict[str, dict[str, str]]


def scenarios() -> dict[str, dict[str, Any]]:
    """The parameters of each scenario, by name."""
    declared = tomllib.loads((HERE / "scenarios.toml").read_text(encoding="utf-8"))
    found = {}
    for name, own in declared["scenario"].items():
        parameters = declared["base"][own.get("system", "pnr")] | own
        found[name] = {key: value for key, value in parameters.items() if value != "none"}
    return found


def outputs(parameters: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a scenario gives, as texts by name: on each plane, with each level of journal."""
    shared = "system" in parameters
    planes = ["auto"] if shared else parameters.get("planes", PLANES)
    scenario = make_any_scenario(**{key: v for key, v in parameters.items() if key != "planes"})
    levels = [None, "protocol", "all"] if shared else ["protocol", "all"]
    for plane in planes:
        for level in levels:
            with TemporaryDirectory() as folder:
                out = Path(folder)
                journal = out / "journal.parquet" if level else None
                run_comparison(
                    scenario,
                    out=out,
                    journal=journal,
                    journal_level=level or "protocol",
                    plane=plane,
                    check=False,
                    quiet=True,
                )
                # workstations that run ahead take fewer events, which a summary counts
                yield ("summary" if level else "summary-ahead"), _summary(out / "summary.json")
                for table in ("jobs", "stations"):
                    yield table, (out / f"{table}.csv").read_text(encoding="utf-8")
                if journal:
                    yield f"journal-{level}", _journal(journal)


def _summary(file: Path) -> str:
    """All that was measured; the scenario is what came in."""
    runs = json.loads(file.read_text(encoding="utf-8"))["runs"]
    for run in runs:
        for name in NO_RESULTS:
            del run[name]
    return json.dumps(runs, indent=1, sort_keys=True)


def _journal(file: Path) -> str:
    """Every field of every record."""
    table = pq.read_table(file)
    columns = {name: table[name].cast(_plain(table[name].type)) for name in table.column_names}
    sink = pa.BufferOutputStream()
    pyarrow.csv.write_csv(pa.table(columns), sink)
    return sink.getvalue().to_pybytes().decode()


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def digests_of(name: str, parameters: dict[str, Any], folder: Path | None) -> dict[str, str]:
    """The hashes of what a scenario gives, which is written into the folder, if there is one.

    What its planes or levels do not agree upon is an error.
    """
    found: dict[str, str] = {}
    for output, text in outputs(parameters):
        digest = blake2b(text.encode(), digest_size=8).hexdigest()
        if found.setdefault(output, digest) != digest:
            output = f"{output} of another plane or level"
            found[output] = digest
        if folder is not None:
            (folder / f"{name}.{output}.txt").write_text(text, encoding="utf-8")
    return found


def differences(found: Digests, expected: Digests) -> list[str]:
    """What differs, named by scenario and output; of the scenarios that were run."""
    return [
        f"{name}: {output}"
        for name, digests in found.items()
        for output in {**expected.get(name, {}), **digests}
        if expected.get(name, {}).get(output) != digests.get(output)
    ]


def without_figures() -> None:
    """Draw none: they are no part of the proof, and take longer than the runs."""
    for room in (designs, policies):
        room.draw = lambda results, folder: []


def main() -> int:
    parser = ArgumentParser("python -m tests.proof", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where to write what the scenarios give")
    parser.add_argument("--against", type=Path, nargs="?", const=STORED, help="compare with these")
    parser.add_argument("--only", default="", help="the scenarios whose names have this")
    options = parser.parse_args()
    without_figures()
    options.folder.mkdir(parents=True, exist_ok=True)
    found: Digests = {}
    for name, parameters in scenarios().items():
        if options.only in name:
            found[name] = digests_of(name, parameters, options.folder)
    written = options.folder / "digests.json"
    written.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.against is None:
        return 0
    differ = differences(found, json.loads(options.against.read_text(encoding="utf-8")))
    print(*differ, f"{len(found)} scenarios, {len(differ)} outputs differ", sep="\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
