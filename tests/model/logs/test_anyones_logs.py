"""Logs and tables as others have them, each by a few lines, and the jobs that are in them."""

from pathlib import Path

import pytest

from model.ground.errors import InputError
from model.logs.doubts import contradictions
from model.logs.reading import read_log

EXAMPLES = Path(__file__).parents[3] / "model/data/examples"
S, MB = 10**9, 2**20


def jobs(log):
    """Of each job: submission from the first on, CPU and run time in s, processors, MB."""
    times = [(log.submit_ns - log.submit_ns.min()) / S, log.cpu_ns / S, log.run_ns / S]
    columns = (*times, log.processors, log.used_bytes / MB)
    return [*zip(*(column.tolist() for column in columns), strict=True)]


@pytest.fixture
def read(tmp_path):
    """The log of a file with this content, by a map of columns if one is given."""

    def read(name, content, columns=None):
        path, map_ = tmp_path / name, tmp_path / "columns.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if columns is not None:
            map_.write_text(columns)
        return read_log(path, map_ if columns else None, 1024)

    return read


def test_the_example_of_sacct_is_read_without_a_map():
    log = read_log(EXAMPLES / "sacct.csv", None, 1024)
    # CPU time of a job is shared by its processors; memory is the most of any step, as of a task
    assert jobs(log) == [
        (0, 24 * 3600 / 8, 25 * 3600, 8, 1536),
        (300, 59 * 60 + 48.512, 3600, 1, 512),
        (600, 29 * 60, 1800, 2, -1 / MB),
    ]
    # 16 GB on each of two nodes for eight processors; 4,000 MB a core; 8 GB for two
    assert (log.requested_bytes / MB).tolist() == [4096, 4000, 4096]
    assert log.number.tolist() == [1, 2, 3]
    assert log.user.tolist() == [0, 1, 0]
    assert log.notes == ("1 of 4 jobs never ran and are left out",)


def test_the_example_of_a_cloud_is_read_by_its_map():
    log = read_log(EXAMPLES / "tasks.csv", EXAMPLES / "tasks.toml", 1024)
    assert jobs(log) == [(0, 300, 300, 2, 32768), (60, 30, 30, 1, 1024), (90, 1200, 1200, 4, 2048)]
    assert log.notes == ("1 of 4 jobs never ran and are left out",)


def test_the_example_of_a_large_machine_is_read():
    log = read_log(EXAMPLES / "large.swf", None, 1024)
    assert jobs(log) == [
        (0, 1800, 3600, 512, 512),
        (90, 590.5, 600, 1, 256),
        (120, 1100, 1200, 4096, 128),
    ]
    assert log.number.tolist() == [1, 3, 4]
    assert (log.processors_of_machine, log.notes) == (
        4096,
        ("1 of 4 jobs never ran and are left out",),
    )


def swf(*lines):
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("headers", "machine"),
    [
        (["; MaxNodes: 256"], 256),
        (["; MaxNodes: 40960", "; MaxProcs: 163840"], 163840),
        (["; MaxNodes: 8"], 96),  # nodes of several processors
        (["; MaxProcs: 64"], 64),
        (["; MaxProcs: 1,024"], 96),  # not a number of this format
    ],
)
def test_the_size_of_a_machine_stands_in_its_header(read, headers, machine):
    log = read("log.swf", swf(*headers, "1 0 0 9 96", "2 1 0 9 8"))
    assert log.processors_of_machine == machine
    said = [*contradictions(log, "cpu", 7, "kb", False)]
    assert [text for text in said if "--machine-processors 96" in text] == said[: machine == 64]


SUBMIT = 'submit = { column = "at", unit = "s" }\n'
RUN = 'seconds = { column = "run", unit = "s" }\n'
CPUS = 'processors = "cpus"\n'
TWO = [(0, 60, 60, 4, -1 / MB), (30, 90, 90, 1, -1 / MB)]
DATED = SUBMIT.replace('"s"', '"date"') + CPUS


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("grid.gwf", "# JobID\tSubmit\n1\t0\t0\t60\t4\t60\n2\t30\t0\t90\t1\t90\n", None),
        ("a.tsv", "at\trun\tcpus\n5\t60\t4\n35\t90\t1\n", SUBMIT + RUN + CPUS),
        ("a.csv", "at;run;cpus\n5,0;60;4\n35,0;90;1\n", SUBMIT + RUN + CPUS + 'decimal = ","'),
        ("a.txt", "at, run, cpus\n5, 60, 4\n\n35, 90, 1\n", SUBMIT + RUN + CPUS),
        ("a.csv", '"at","run","cpus"\n5,60,4,\n35,90,1,\n', SUBMIT + RUN + CPUS),
        ("a.csv", "at,run,cpus\r\n5,60,4\r\n35,90,1\r\n".encode("utf-16"), SUBMIT + RUN + CPUS),
        ("a.csv", "5,60,4\n35,90,1\n", SUBMIT + RUN + CPUS + 'columns = ["at", "run", "cpus"]'),
        (
            "a.jsonl",
            '{"at": 5, "run": 60, "cpus": 4, "x": [1]}\n{"at": 35, "run": 90, "cpus": 1}\n',
            SUBMIT + RUN + CPUS,
        ),
        ("a.json", '[{"at":5,"run":60,"cpus":4},{"at":35,"run":90,"cpus":1}]', SUBMIT + RUN + CPUS),
        (
            "a.csv",
            "at,run,cpus,State\n5,60,4,ok\n,x,,bad\n35,90,1,ok\n",
            SUBMIT + RUN + CPUS + 'where = { State = "ok" }',
        ),
        (
            "clock.csv",
            "at,run,cpus\n5,00:01:00,4\n35,01:30.000,1\n",
            SUBMIT + CPUS + 'seconds = { column = "run", unit = "clock" }',
        ),
        (
            "zones.csv",
            "at,s,e,cpus\n2024-03-10T01:59:50-05:00,10,70,4\n2024-03-10T03:00:20-04:00,10,100,1\n",
            DATED + 'seconds = { from = "s", to = "e", unit = "s" }',
        ),
        (
            "helios.csv",
            "at,s,e,cpus\n2020-04-01 00:00:00,2020-04-01 00:07:00,2020-04-01 00:08:00,4\n"
            "2020-04-01 00:00:30,2020-04-01 00:08:00,2020-04-01 00:09:30,1\n"
            "2020-04-01 00:00:31,,,1\n",
            DATED + 'seconds = { from = "s", to = "e", unit = "date" }',
        ),
        (
            "days.csv",
            "at,run,cpus\n31.05.2004 12:00,60,4\n31.05.2004 12:00,60,4\n",
            SUBMIT.replace('"s"', '"date", format = "%d.%m.%Y %H:%M"') + CPUS + RUN,
        ),
        (
            "cpu_of_job.csv",
            "at,run,cpus,cput\n5,60,4,240\n35,90,1,90\n",
            SUBMIT
            + CPUS
            + 'seconds = { column = "cput", unit = "s", of = "job" }\n'
            + 'run = { column = "run", unit = "s" }',
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_tables_of_many_shapes_have_the_same_two_jobs(read, name, content, columns):
    expected = TWO if name != "days.csv" else [TWO[0]] * 2
    assert jobs(read(name, content, columns)) == expected


@pytest.mark.parametrize(
    ("cell", "mb"),
    [
        ("423232K", 423232 / 1024),
        ("1.50G", 1536),
        ("512mb", 512),
        ("2 GiB", 2048),
        ("12 Mbytes", 12),
        ("1048576", 1),
        ("16Gn", 16 * 1024 / 4),
        ("4000Mc", 4000),
        ("Unknown", -1 / MB),
    ],
)
def test_sizes_may_have_the_letter_of_their_unit(read, cell, mb):
    memory = 'memory = { column = "mem", unit = "suffixed" }'
    log = read("a.csv", f"at,run,cpus,mem\n0,60,4,{cell}\n", SUBMIT + RUN + CPUS + memory)
    assert log.used_bytes[0] / MB == mb


@pytest.mark.parametrize(
    ("name", "content", "columns", "says"),
    [
        ("a.csv", "at,run,cpus\n5,01:00:00,4\n", SUBMIT + RUN + CPUS, 'row 2, .*unit = "clock"'),
        ("a.csv", "at,run,cpus\n2024-01-01,1,4\n", SUBMIT + RUN + CPUS, 'unit = "date"'),
        ("a.csv", 'at,run,cpus\n5,"1,5",4\n', SUBMIT + RUN + CPUS, 'decimal = ","'),
        ("a.csv", "at,run,cpus\n1.5.2024,1,4\n", DATED + RUN, "format = "),
        (
            "a.csv",
            "at,run,cpus,id\n1,1,4,7\n2,1,4,7\n",
            SUBMIT + RUN + CPUS + 'number = "id"',
            "row 3, column id: job '7' appears twice; leave `number` out",
        ),
        (
            "a.csv",
            "at,run,cpus\n",
            SUBMIT + RUN + CPUS + 'separator = ";"',
            "its columns are at,run",
        ),
        (
            "s.txt",
            "JobID|State\n1|COMPLETED\n",
            None,
            "without Submit, AllocCPUS, Elapsed; .*sacct",
        ),
        ("s.txt", "JobID     State\n----- -----\n1   OK\n", None, "cut to their width; .*sacct -a"),
        ("pbs.txt", "10/05/2020,E,12.host\n", None, "line 1: .*is a table say .*--columns"),
    ],
)
def test_what_is_refused_names_the_remedy(read, name, content, columns, says):
    with pytest.raises(InputError, match=says):
        read(name, content, columns)


def test_clocks_that_are_set_back_are_told(read):
    at = "2024-11-03T01:59:00,60,4\n2024-11-03T01:01:00,60,4\n"
    (note,) = read("a.csv", "at,run,cpus\n" + at, DATED + RUN).notes
    assert "go back in row 3" in note


@pytest.mark.parametrize(
    ("cpu", "used", "asked", "helps"),
    [
        ("{i}", "{i}", "{i}", []),
        ("0", "{i}", "{i}", ["--demand runtime"]),
        ("1", "{i}", "{i}", ["--demand runtime"]),
        ("9{i}000", "{i}", "{i}", ["--demand runtime"]),
        ("{i}", "1024", "{i}", ["--memory-field 10"]),
        ("{i}", "1024", "-1", ["--memory-mb"]),
        ("{i}", "1024", "2{i}000000000", ["--memory-field 10", "--memory-unit bytes"]),
    ],
)
def test_a_contradiction_is_told_once_with_the_option_that_helps(read, cpu, used, asked, helps):
    line = "{i} {i} 0 {i}0 8 " + f"{cpu} {used} 8 -1 {asked} 1"
    log = read("log.swf", swf(*(line.replace("{i}", str(i)) for i in range(10, 22))))
    said = [*contradictions(log, "cpu", 7, "kb", False)]
    assert [option in text for option, text in zip(helps, said, strict=True)] == [True] * len(helps)
