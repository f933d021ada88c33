"""From records of a log, or jobs listed in a scenario, to the jobs of the cluster."""

from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload

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


def test_memory_is_the_used_memory_of_each_processor(load):
    (job,) = load(records("0 60 8 30 988 5000"))
    assert job.memory == 988 * 1024


@pytest.mark.parametrize(
    ("known", "median"),
    [
        (["3000", "1000", "2000"], 2000 * 1024),  # odd: the middle one
        (["4000", "1000", "2000", "3000"], 2500 * 1024),  # even: between the middle two
        # 1 and 2 bytes are 1/1024 and 2/1024 KB; between them is 1.5 bytes, half up: 2
        (["0.0009765625", "0.001953125"], 2),
    ],
)
def test_unknown_memory_is_the_median_of_the_known(load, known, median):
    jobs = load(records(*(f"0 60 8 30 {kb} 9999" for kb in known), "0 60 8 30 -1 9999"))
    assert jobs[-1].memory == median


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


def test_a_given_memory_stands_in_for_the_unknown_only(load):
    jobs = load(records("0 60 8 30 1000 -1", "0 60 8 30 -1 -1"), memory_mb=8)
    assert [job.memory for job in jobs] == [1000 * 1024, 8 * MB]


def test_the_logs_memory_is_multiplied_and_a_given_one_is_not(load):
    log = records("0 60 8 30 1000 -1", "0 60 8 30 0.0009765625 -1", "0 60 8 30 -1 -1")
    # 1,000 KB, 1 byte, and the median of both: 512,000.5 bytes; each times 2.5, rounded once
    memory = [job.memory for job in load(log, memory_scale=2.5)]
    assert memory == [2_560_000, 3, 1_280_002]  # 2.5 bytes; (2,560,000 + 3) / 2
    assert load(log, memory_scale=2.5, memory_mb=8)[2].memory == 8 * MB


def test_demand_is_cpu_time_or_run_time_and_at_least_a_second(load):
    log = records("0 60 8 30.25 9 9", "0 60 8 -1 9 9", "0 60 8 0.5 9 9", "0 -1 8 -1 9 9")
    # the second knows no CPU time: its run time; the third is too short; the fourth knows nothing
    assert [job.demand_ns / NS for job in load(log)] == [30.25, 60, 1, 1]
    assert [job.demand_ns / NS for job in load(log, demand="runtime")] == [60, 60, 60, 1]


def test_processes_scale_with_the_cluster_and_are_at_least_one(load):
    log = records("0 60 64 30 9 9", "0 60 20 30 9 9", "0 60 1 30 9 9")
    # on 16 of 64: 64·16/64, 20·16/64, and 1·16/64 rounded down to 0, so 1
    assert [job.processes for job in load(log, nodes=16)] == [16, 5, 1]


def test_the_first_job_arrives_at_0_and_the_load_factor_divides_the_rest(load):
    log = records("100 60 8 30 9 9", "103 60 8 30 9 9", "110.5 60 8 30 9 9")
    assert [job.submit_ns for job in load(log)] == [0, 3 * NS, 10_500_000_000]
    # 3 s / 1.5 = 2 s, 10.5 s / 1.5 = 7 s
    assert [job.submit_ns for job in load(log, load_factor=1.5)] == [0, 2 * NS, 7 * NS]
    # 3 s / 0.7 = 4.285714285714… s, to the nearest ns
    assert load(log, load_factor=0.7)[1].submit_ns == 4_285_714_286


def test_jobs_that_stand_out_of_order_arrive_in_order(load):
    jobs = load(records("50 60 8 30 9 9", "20 60 8 30 9 9", "50 60 8 30 9 9", "30 60 8 30 9 9"))
    assert [(job.number, job.submit_ns // NS) for job in jobs] == [
        (2, 0),
        (4, 10),
        (1, 30),
        (3, 30),
    ]


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
    with pytest.raises(InputError, match=r"job 2 has 9 processes.*8 nodes"):
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


@pytest.mark.parametrize(
    ("jobs", "says"),
    [
        ([{"processes": 5, "memory_mb": 1, "demand_s": 1}], "job 1 has 5 processes"),
        (
            [{"processes": 1, "memory_mb": 1, "demand_s": 1, "number": 3}] * 2,
            "job 3 appears twice",
        ),
    ],
)
def test_listed_jobs_are_checked_like_others(jobs, says):
    with pytest.raises(InputError, match=says):
        load_workload(make_scenario(nodes=4, job=jobs))


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
    scenario = make_scenario(trace=file, nodes=nodes, demand=demand, load_factor=load_factor)

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
