"""What the READMEs show of a user's own code works as it stands there, on both data planes."""

import gzip
import re
from pathlib import Path
from textwrap import dedent

import pytest

from model.core.measures import CHANCE
from model.logs.columns import read_column_map
from model.pnr.scenario import make_scenario
from model.systems import measure, run
from tests.journaled import journaled

ROOT = Path(__file__).parents[1]
SMALL = {
    "nodes": 16,
    "page_bytes": 2**16,
    "job": [
        {"processes": 4, "memory_mb": 40, "demand_s": 3},
        {"processes": 8, "memory_mb": 20, "demand_s": 2, "submit_s": 1},
    ],
}


def code(readme, file):
    """The block of a README that begins with the comment `# FILE`."""
    text = (ROOT / readme).read_text("utf-8")
    (block,) = re.findall(rf"```\w+\n( *# {re.escape(file)}\b.*?)```", text, re.DOTALL)
    return dedent(block)


@pytest.mark.parametrize(
    ("readme", "file", "function", "parameter", "called"),
    [
        ("README.md", "my_design.py", "ring", "design", "RING"),
        ("README.md", "my_protocol.py", "cautious", "design", "CAUTIOUS"),
        ("topologies/README.md", "my_network.py", "twin_star", "topology", "MAN"),
        ("topologies/README.md", "my_racks.py", "racks", "design", "RACKS"),
        ("agents/README.md", "my_protocol.py", "hinting", "design", "HINTING"),
    ],
)
def test_code_of_ones_own_runs_on_both_planes(tmp_path, readme, file, function, parameter, called):
    (tmp_path / file).write_text(code(readme, file))
    own = f"{tmp_path}/{file}:{function}"
    scenario = make_scenario(**SMALL, **({"topology": own} if parameter == "topology" else {}))
    journals = []
    for plane in ("actors", "compiled"):
        name = own if parameter == "design" else "MAN"
        emulation, records = journaled(scenario, name, plane=plane, check=True)
        assert emulation.name == called
        journals.append(records)
    assert journals[0] == journals[1]
    assert any(record.kind == "borrowed" for record in journals[0])


def test_the_scenario_file_is_one(tmp_path):
    (tmp_path / "small.toml").write_text(code("model/README.md", "small.toml"))
    scenario = make_scenario(tmp_path / "small.toml")
    assert (scenario.designs, scenario.nodes, len(scenario.job)) == (("DP", "CLI", "MAN"), 4, 1)


def test_the_map_of_columns_is_one(tmp_path):
    (tmp_path / "columns.toml").write_text(code("model/data/README.md", "columns.toml"))
    assert read_column_map(tmp_path / "columns.toml").where == {"status": ("COMPLETED",)}


def test_the_faults_are_a_scenario_s_own(tmp_path):
    (tmp_path / "faults.toml").write_text(code("model/pnr/README.md", "faults.toml"))
    scenario = make_scenario(faults=tmp_path / "faults.toml", **SMALL)
    assert [fault.kind for fault in scenario.fault] == ["loss", "servent"]
    summary = measure(run(scenario, "RELIABLE(MAN)")).summary
    assert summary["faults"]["jobs_stuck"] == 0


def test_the_front_page_is_short_enough_to_be_read():
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 1200


def test_the_front_page_says_what_chance_alone_does():
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert f"Chance alone may move a design by {100 * CHANCE:.0f} %" in text


READMES = [file for file in sorted(ROOT.glob("**/README.md")) if ".venv" not in file.parts]


@pytest.mark.parametrize("readme", READMES, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_a_readme_links_to_is_there(readme):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", readme.read_text("utf-8")):
        assert (readme.parent / target).exists(), f"{readme}: {target}"


def commands():
    """What the front page runs: in its blocks of commands, and in the table of questions."""
    text = (ROOT / "README.md").read_text("utf-8").replace("\\\n", " ")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    for line in lines:
        if "run.py " in line:
            yield line.partition("run.py ")[2].partition("#")[0].strip()
    for cell in re.findall(r"^\|[^|]*\| (`[^|]*) \|", text, re.MULTILINE):
        yield from (words for words in re.findall(r"`([^`]*)`", cell) if "…" not in words)


def test_the_commands_of_the_front_page_run(here, command):
    for file in ("my_design.py", "my_protocol.py"):
        (here / file).write_text(code("README.md", file))
    log = gzip.decompress((ROOT / "model/data/lanl-cm5.swf.gz").read_bytes())
    (here / "log.swf").write_bytes(log)
    ran = []
    for words in commands():
        if words.startswith("compare --designs DP,"):
            words += " --first 4621 --jobs 19 --ram 65"  # instead of 300 jobs
        if words.startswith("judge"):
            words += " --first 4501 --jobs 100 --no-faults"  # few windows, whatever the machine
        if words.partition(" ")[0] in ("compare", "view", "explore", "windows", "judge"):
            status, _, err = command(words)
            assert (status, err.partition("error")[1]) == (words.startswith("explore"), ""), words
            ran.append(words.partition(" ")[0])
    assert ran.count("view") >= 6
    assert {*ran} == {"compare", "view", "explore", "windows", "judge"}
