"""How jobs of a large machine become processes on few nodes."""

import numpy as np
import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload, remark


def write(path, machine, rows):
    """A log of (submitted in s, run time and CPU time in s, processors, KB of a process)."""
    lines = [
        f"{number} {at} 0 {run} {size} {run} {kb} -1 -1 -1 1"
        for number, (at, run, size, kb) in enumerate(rows, 1)
    ]
    path.write_text("\n".join([f"; MaxProcs: {machine}", *lines]))


def many(machine):
    draws = np.random.default_rng(machine)
    sizes = np.exp(draws.uniform(0, np.log(machine), 3000)).astype(int)
    times = draws.lognormal(7, 1.5, 3000).astype(int) + 1
    kb = draws.lognormal(9, 1, 3000).astype(int) + 1
    return list(zip(range(0, 30_000, 10), times, sizes, kb, strict=True))


def of_all(amounts, weights):
    return np.average([*amounts], weights=[*weights])


@pytest.mark.parametrize("machine", [16, 100, 4_096, 24_515, 100_000])
def test_the_work_of_a_seat_and_the_memory_of_a_process_are_kept(tmp_path, machine):
    file, rows = tmp_path / "log.swf", many(machine)
    write(file, machine, rows)
    for first, count in ((1, 3000), (1001, 1000)):
        window = rows[first - 1 :][:count]
        jobs = [
            job
            for job in load_workload(make_scenario(trace=file))
            if first <= job.number < first + count
        ]
        work = sum(run * size for _, run, size, _ in window) / machine
        here = sum(job.processes * job.demand_ns for job in jobs) / 1e9 / 64
        assert here == pytest.approx(work, rel=0.03)
        memory = of_all((kb for *_, kb in window), (size for *_, size, _ in window)) * 1024
        found = of_all((job.memory for job in jobs), (job.processes for job in jobs))
        assert found == pytest.approx(memory, rel=0.03)
        shares = {number: row[2] * 64 / machine for number, row in enumerate(rows, 1)}
        assert all(abs(job.processes - shares[job.number]) < 1 for job in jobs)


def test_the_jobs_left_do_not_depend_on_seed_or_window_and_as_many_are_as_were_asked_for(tmp_path):
    file = tmp_path / "log.swf"
    write(file, 4096, many(4096))
    whole = {job.number: job.processes for job in load_workload(make_scenario(trace=file))}
    part = load_workload(make_scenario(trace=file, first=500, jobs=100, seed=7))
    kept = [number for number in whole if number >= 500][:100]
    assert {job.number: job.processes for job in part} == {it: whole[it] for it in kept}


def test_periods_in_a_log_do_not_matter(tmp_path):
    # A quarter of a process each; every fourth job is large.
    rows = [(at, 100, 16, 4000 if at % 4 else 40_000) for at in range(4000)]
    write(tmp_path / "log.swf", 4096, rows)
    jobs = load_workload(make_scenario(trace=tmp_path / "log.swf"))
    assert len(jobs) == 1000
    assert np.mean([job.memory for job in jobs]) == pytest.approx(13_000 * 1024, rel=0.1)


def test_how_much_is_left_is_told(tmp_path):
    file = tmp_path / "log.swf"
    # 16 of 1,024 processors for 100 s every 10 s; of 4 nodes 1/16 is asked for
    write(file, 1024, [(10 * at, 100, 16, 4000 + at % 2) for at in range(1601)])
    said = remark(make_scenario(trace=file, nodes=4))
    assert said == (
        f"note: {file}: load 0.156 in the log, 0.156 here (1,024 processors scaled to 4); "
        "of 1,601 jobs, 1,501 are left out and 100 rounded up"
    )
    said = remark(make_scenario(trace=file, nodes=4, scale="keep-jobs"))
    assert said == (
        f"warning: {file}: load 0.156 in the log, 2.5 here (1,024 processors scaled to 4); "
        "of 1,601 jobs, 0 are left out and 1,601 rounded up; --scale keep-load keeps the load"
    )
    few = remark(make_scenario(trace=file, nodes=4, first=1561))
    assert few.startswith("warning: ")
    assert few.endswith("--machine-processors), more --nodes, or --scale keep-jobs")
    assert remark(make_scenario(trace=file, nodes=64)) == ""  # each has one of 64 nodes
    with pytest.raises(InputError, match=r"100 of 1,601 jobs are left where .*: 0.156.*keep-jobs"):
        load_workload(make_scenario(trace=file, nodes=4, jobs=101))


def test_the_bundled_log_keeps_its_jobs_and_a_changed_load_is_told():
    assert remark(make_scenario()) == ""
    assert remark(make_scenario(nodes=8)).startswith("warning: ")
    assert remark(make_scenario(nodes=8, scale="keep-load")) == ""
