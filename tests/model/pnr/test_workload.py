"""From records of a log, or jobs listed in a scenario, to the jobs of the cluster."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload, remark

MB, NS = 2**20, 10**9


def records(*fields: str) -> str:
    """A log of a machine of 64; each line: submit, run, processors, cpu, memory, asked memory."""
    lines = ["; MaxProcs: 64"]
    for number, text in enumerate(fields, start=1):
        submit, run, processors, cpu, memory, asked = text.split()
        lines.append(f"{number} {submit} -1 {run} {processors} {cpu} {memory} -1 -1 {asked} 1")
    return "\n".join(lines)


@pytest.fixture
def load(tmp_path):
    """The jobs of a log written as text, on 64 nodes."""

    def load(text: str, **parameters):
        (tmp_path / "log.swf").write_text(text)
        return load_workload(Scenario(trace=tmp_path / "log.swf", **parameters))

    return load


def test_the_median_is_of_the_loaded_jobs_alone(load):
    log = records("0 60 8 30 1000 -1", "0 60 8 30 2000 -1", "0 60 8 30 -1 -1", "0 60 8 30 7000 -1")
    assert [job.memory for job in load(log, first=2, jobs=2)] == [2000 * 1024] * 2


def test_where_no_used_memory_is_known_the_requested_counts(load):
    jobs = load(records("0 60 8 30 -1 1000", "0 60 8 30 -1 -1", "0 60 8 30 -1 3000"))
    # the second requested none either: it gets the median of what the others requested
    assert [job.memory for job in jobs] == [1000 * 1024, 2000 * 1024, 3000 * 1024]


def test_a_log_that_knows_no_memory_at_all_needs_a_value(load):
    log = records("0 60 8 30 -1 -1", "5 60 8 30 -1 -1")
    with pytest.raises(InputError, match=r"log\.swf.*--memory-mb"):
        load(log)
    assert [job.memory for job in load(log, memory_mb=1.5)] == [3 * MB // 2] * 2


def test_the_field_of_memory_may_be_chosen(load):
    log = records("0 60 8 30 1000 5000", "0 60 8 30 2000 -1", "0 60 8 30 -1 7000")
    assert [job.memory // 1024 for job in load(log)] == [1000, 2000, 1500]
    # what the second requested is unknown: the median of what the others did, or the given value
    assert [job.memory // 1024 for job in load(log, memory_field=10)] == [5000, 6000, 7000]
    given = load(log, memory_field="10", memory_mb=2)
    assert [job.memory // 1024 for job in given] == [5000, 2048, 7000]


def test_a_logs_memory_may_be_in_bytes(load):
    log = records("0 60 8 30 4096000 -1", "0 60 8 30 -1 512")
    memory = [job.memory for job in load(log, memory_unit="bytes", memory_field=10, memory_mb=1)]
    assert memory == [MB, 512]
    assert load(log, memory_unit="bytes")[0].memory == 4_096_000


def test_the_machines_size_may_be_given(load):
    log = records("0 60 32 30 9 9")  # of a machine of 64
    assert load(log)[0].processes == 32
    assert load(log, machine_processors=128)[0].processes == 16
    with pytest.raises(InputError, match=r"32 processors, more than the machine's 16; .*--mach"):
        load(log, machine_processors=16)


def test_a_table_becomes_jobs_by_its_columns(tmp_path):
    (tmp_path / "log.csv").write_text("when,cpus,took,mem\n5,4,90,10\n2,2,60,\n")
    (tmp_path / "map.toml").write_text(
        'submit = { column = "when", unit = "h" }\nprocessors = "cpus"\n'
        'seconds = { column = "took", unit = "s" }\nmemory = { column = "mem", unit = "mb" }\n'
    )
    table = {"trace": tmp_path / "log.csv", "columns": tmp_path / "map.toml", "nodes": 4}
    jobs = load_workload(make_scenario(**table))
    told = [(job.number, job.submit_ns // NS, job.processes, job.memory // MB) for job in jobs]
    assert told == [(2, 0, 2, 10), (1, 3 * 3600, 4, 10)]
    assert [job.demand_ns // NS for job in jobs] == [60, 90]
    assert remark(make_scenario(**table)).startswith("note: ")
    with pytest.raises(InputError, match=r"log\.csv: a table; say .* \(--columns\)$"):
        load_workload(make_scenario(trace=tmp_path / "log.csv"))
    with pytest.raises(InputError, match=r"columns: name the CSV or Parquet log"):
        make_scenario(columns=tmp_path / "map.toml")


# What a log does not say


def test_a_log_that_says_all_is_passed_over_in_silence(load, tmp_path):
    load(records("0 60 8 30 1000 -1"))
    assert remark(Scenario(trace=tmp_path / "log.swf")) == ""
    assert remark(Scenario()) == ""  # the bundled one, of which README tells
    assert remark(Scenario(job=[{"processes": 1, "memory_mb": 1, "demand_s": 1}])) == ""


def test_it_says_how_many_listed_jobs_compute_for_longer_than_they_were_listed_with():
    jobs = [{"processes": 1, "memory_mb": 1, "demand_s": demand_s} for demand_s in (0.5, 2, 4)]
    told = "note: demand_s of {} of 3 jobs is raised to {} s (minimum_demand_s)"
    assert remark(Scenario(job=jobs)) == told.format(1, 1)
    assert remark(Scenario(job=jobs, minimum_demand_s=2.5)) == told.format(2, 2.5)
    assert remark(Scenario(job=jobs, minimum_demand_s=0.5)) == ""


def test_what_a_log_does_not_say_is_said_in_a_line_with_what_is_taken(load, tmp_path):
    known = ["0 60 8 30 3072 -1"] * 5
    load(records(*known, "0 60 8 -1 -1 -1", "0 -1 8 -1 9 9", "0 60 -1 30 1024 -1"))
    assert remark(Scenario(trace=tmp_path / "log.swf")) == (
        f"note: {tmp_path}/log.swf lacks, of 8 jobs: memory of 1 (12%; 3 MB is taken); "
        "CPU time of 1 (run time is taken); time of 1 (1 s is taken); "
        "processors of 1 (one process is taken)"
    )


def test_an_unknown_machine_and_unread_fields_are_told(load, tmp_path):
    line = "1 0 -1 60 8 30 9 -1 -1 9 1 -1 -1 -1 -1 -1 -1 -1 batch 5"
    load(f"{line}\n")
    assert remark(Scenario(trace=tmp_path / "log.swf")) == (
        f"note: {tmp_path}/log.swf lacks, of 1 jobs: the machine's size (8 processors of "
        "the largest job); a meaning of 2 fields after the format's 18 (not read)"
    )
    assert "size" not in remark(Scenario(trace=tmp_path / "log.swf", machine_processors=64))


def test_the_logs_memory_is_multiplied_and_a_given_one_is_not(load):
    log = records("0 60 8 30 1000 -1", "0 60 8 30 0.0009765625 -1", "0 60 8 30 -1 -1")
    # 1,000 KB, 1 byte, and the median of both: 512,000.5 bytes; each times 2.5, rounded once
    memory = [job.memory for job in load(log, memory_scale=2.5)]
    assert memory == [2_560_000, 3, 1_280_002]  # 2.5 bytes; (2,560,000 + 3) / 2
    assert load(log, memory_scale=2.5, memory_mb=8)[2].memory == 8 * MB


def test_a_window_counts_records_from_1(load):
    log = records(*(f"{10 * i} 60 8 30 9 9" for i in range(5)))
    assert [(job.number, job.submit_ns // NS) for job in load(log, first=2, jobs=3)] == [
        (2, 0),
        (3, 10),
        (4, 20),
    ]
    assert [job.number for job in load(log, first=4)] == [4, 5]
    assert [job.number for job in load(log, jobs=2)] == [1, 2]


@pytest.mark.parametrize("window", [{"first": 6}, {"first": 4, "jobs": 3}, {"jobs": 6}])
def test_a_window_beyond_the_log_is_refused(load, window):
    log = records(*(f"{10 * i} 60 8 30 9 9" for i in range(5)))
    with pytest.raises(InputError, match=r"log\.swf: has 5 records; --first \d"):
        load(log, **window)


def test_numbers_that_occur_twice_are_refused(load):
    with pytest.raises(InputError, match="job 1 appears twice"):
        load("1 0 -1 60 8 30 900\n1 5 -1 60 8 30 900\n")


def test_a_job_larger_than_the_cluster_is_refused(load):
    with pytest.raises(InputError, match="job 2 has 72 processors, more than the machine's 64"):
        load(records("0 60 64 30 9 9", "0 60 72 30 9 9"), nodes=8)  # 72·8/64 = 9


def test_jobs_listed_in_the_scenario():
    jobs = load_workload(
        make_scenario(
            nodes=4,
            job=[
                {"submit_s": 7, "processes": 4, "memory_mb": 0.1, "demand_s": 2.5},
                {"submit_s": 5, "processes": 1, "memory_mb": 32, "demand_s": 0.25, "number": 40},
            ],
        )
    )
    first, second = jobs
    # 0.1 MB = 104,857.6 B, half up; 0.25 s is below the least demand, 1 s
    assert (first.number, first.submit_ns, first.memory, first.demand_ns) == (40, 0, 32 * MB, NS)
    assert (second.number, second.submit_ns, second.memory) == (1, 2 * NS, 104_858)
    assert (second.processes, second.demand_ns) == (4, 2_500_000_000)


def half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def hundredths(least: int, most: int) -> st.SearchStrategy[str]:
    return st.integers(least * 100, most * 100).map(lambda n: f"{n // 100}.{n % 100:02}")


RECORD = st.tuples(
    hundredths(0, 10**6),  # submit time, field 2
    st.one_of(st.just("-1"), hundredths(0, 10**5)),  # run time, field 4
    st.integers(1, 1024),  # processors, field 5
    st.one_of(st.just("-1"), hundredths(0, 10**5)),  # CPU time, field 6
    st.one_of(st.just(-1), st.integers(1, 32_768)),  # memory, field 7
    st.integers(1, 32_768),  # requested memory, field 10
)


@given(
    log=st.lists(RECORD, min_size=1, max_size=12),
    nodes=st.sampled_from([1, 8, 64, 100, 128]),
    demand=st.sampled_from(["cpu", "runtime"]),
    load_factor=st.sampled_from(["1", "0.3", "1.7", "4"]),
)
def test_any_log_becomes_the_jobs_that_the_formulas_say(
    tmp_path_factory, log, nodes, demand, load_factor
):
    file = tmp_path_factory.getbasetemp() / "any.swf"
    lines = [
        f"{number} {submit} -1 {run} {processors} {cpu} {memory} -1 -1 {asked} 1"
        for number, (submit, run, processors, cpu, memory, asked) in enumerate(log, start=1)
    ]
    file.write_text("\n".join(["; MaxProcs: 1024", *lines]))
    given = {"nodes": nodes, "demand": demand, "load_factor": load_factor, "scale": "keep-jobs"}
    scenario = make_scenario(trace=file, **given)

    known = sorted(Fraction(memory * 1024) for *_, memory, _ in log if memory > 0)
    middle = [known[(len(known) - 1) // 2], known[len(known) // 2]] if known else None
    begin = min(Fraction(submit) for submit, *_ in log)
    expected = []
    for number, (submit, run, processors, cpu, memory, asked) in enumerate(log, start=1):
        demand_s = Fraction(cpu if demand == "cpu" and cpu != "-1" else run)
        default = half_up(sum(middle) / 2) if middle else asked * 1024
        expected.append(
            (
                half_up((Fraction(submit) - begin) / Fraction(load_factor) * NS),
                number,
                max(1, floor(Fraction(processors * nodes, 1024))),
                memory * 1024 if memory > 0 else default,
                max(1, demand_s) * NS,
            )
        )
    jobs = load_workload(scenario)
    assert [
        (job.submit_ns, job.number, job.processes, job.memory, job.demand_ns) for job in jobs
    ] == sorted(expected)


def test_memory_in_bytes_that_is_read_as_kb_is_remarked(load, tmp_path):
    gigabyte = str(2**30)  # a GB in bytes; as KB, 1,048,576 MB, which is 32,768 times 32 MB
    load(records("0 60 8 30 9 -1", f"0 60 8 30 {gigabyte} -1"))
    log = {"trace": tmp_path / "log.swf"}
    told = (
        f"warning: {tmp_path}/log.swf, line 3: processes of 1,048,576 MB, 32,768 times the RAM of"
    )
    unit = "; if the log's memory is in bytes, give --memory-unit bytes"
    assert remark(Scenario(**log)) == f"{told} a node{unit}"
    assert remark(Scenario(**log, memory_unit="bytes")) == ""
    assert remark(Scenario(**log, ram_mb=2048)) == ""  # 512 times: perhaps it is meant
    assert remark(Scenario(**log, first=1, jobs=1)) == ""
    assert remark(Scenario(**log, memory_scale=1024, memory_unit="bytes")).endswith("of a node")
    with pytest.raises(InputError, match=r"has processes of .* takes; .* --memory-unit bytes$"):
        load(records(f"0 60 8 30 {2**36 + 1} -1"))
