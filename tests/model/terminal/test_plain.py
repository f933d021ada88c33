"""The way of text to the terminal: no file and no argument can steer it."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from model.core.journal.file import SCHEMA
from model.core.measures import Table
from model.pnr.scenario import make_scenario
from model.terminal.plain import make_streams_plain
from model.terminal.printing import print_table
from tests.journaled import compared

ROOT = Path(__file__).parents[3]
STEERING = "\x1b]0;title\x07\x1b[2J\x9b2J\r\u202e"
ESCAPED = r"\x1b]0;title\x07\x1b[2J\x9b2J\r\u202e"
NAME = f"MAN{STEERING}\nerror: made up [/b][link=x] :cat:"
JOBS = [{"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.02}]


def raw(text):
    """What in a text could steer a terminal, or begins a line that we did not begin."""
    made_up = [line for line in text.split("\n") if line.startswith("error: made")]
    return [*(set(text) & {*"\x1b\x07\x9b\r\u202e"}), *made_up]


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A journal in which every word but those of the journal itself steers a terminal."""
    file = tmp_path_factory.mktemp("steering") / "journal.parquet"
    scenario = make_scenario(
        nodes=3, job=JOBS, designs=["MAN", "DP"], page_bytes=2**20, minimum_demand_s=0.001
    )
    compared(scenario, journal=file, plane="actors")
    table = pq.read_table(file)
    metadata = dict(table.schema.metadata)
    for name in ("design", "what", "hears", "phase", "station"):
        words = table[name].cast(pa.string()).to_pylist()
        made = [word if word in (None, "DP") else word + NAME for word in words]
        column = pa.array(made).dictionary_encode().cast(SCHEMA.field(name).type)
        table = table.set_column(table.schema.get_field_index(name), SCHEMA.field(name), column)
    metadata.pop(b"ARROW:schema", None)
    pq.write_table(table.replace_schema_metadata(metadata), file)
    return file


@pytest.mark.parametrize("kind", ["story --job 7", "state --node 0 --at 1", "mermaid"])
def test_no_view_lets_a_journal_steer_the_terminal(command, journal, kind):
    words = ["view", str(journal), "--design", "MAN" + NAME, "--kind", *kind.split()]
    status, out, err = command(words)
    assert status == 0
    assert raw(out + err) == []


@pytest.mark.parametrize(
    "words",
    [
        ["view", "{}"],
        ["view", "--kind", "{}"],
        ["compare", "--designs", "{}"],
        ["compare", "--nodes", "{}"],
        ["compare", "--topology={}"],
        ["compare", "--{}"],
        ["{}"],
    ],
)
@pytest.mark.parametrize("value", [STEERING + "\nerror: made", "é" * 3000])
def test_a_refused_value_is_told_on_one_line(refusal, words, value):
    told = refusal([word.replace("{}", value) for word in words])
    assert raw(told) == []
    assert len(told) < 1_600


def test_streams_show_controls_of_whoever_prints(capsys):
    make_streams_plain()
    print(f"one {STEERING}\n\ttwo")
    sys.stderr.writelines([f"three {STEERING}", "\n"])
    out, err = capsys.readouterr()
    assert out == f"one {ESCAPED}\n\ttwo\n"
    assert err == f"three {ESCAPED}\n"


def test_a_traceback_shows_controls(tmp_path):
    code = (
        "from model.terminal.plain import make_streams_plain\n"
        "make_streams_plain()\n"
        "raise RuntimeError('\\x1b[31m\\u202e')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.endswith("RuntimeError: \\x1b[31m\\u202e\n")


def test_a_table_takes_cells_as_they_are(capsys):
    print_table(Table([NAME], [NAME], [(NAME, NAME)], NAME))
    out = capsys.readouterr().out
    assert raw(out) == []
    assert out.count(f"MAN{ESCAPED}\\nerror: made up [/b][link=x] :cat:") == 5


PROGRAM = """
import sys, time
from model.terminal.plain import make_streams_plain
from model.terminal.progress import Bar
make_streams_plain()
with Bar(1) as bar:
    bar.stage("reading \\x1b]0;title\\x07.parquet")
    print("named \\x1b]0;title\\x07")
    time.sleep(0.3)
"""


def test_at_a_terminal_with_a_bar_only_rich_steers():
    """The bar moves by escapes of its own, but no title is set and no bell is rung."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    done = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=follower, stderr=follower, env=environment
    )
    os.close(follower)
    seen = io.BytesIO()
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:
            break
        if not part:
            break
        seen.write(part)
    assert done.wait() == 0
    os.close(leader)
    text = seen.getvalue().decode()
    assert "\x1b[" in text
    assert "named \\x1b]0;title\\x07" in text
    assert "reading \\x1b]0;title\\x07" in text
    assert "\x1b]" not in text
    assert "\x07" not in text
