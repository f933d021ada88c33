"""What a run measures, on runs that can be followed by hand."""

from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.core.result import RunResult
from model.pnr.metrics import measure
from model.pnr.sampling import mean_and_sd_mb
from model.pnr.scenario import make_scenario
from model.systems import compare, run


def job(submit_s=0, processes=1, memory_mb=8, demand_s=1):
    return {
        "submit_s": submit_s,
        "processes": processes,
        "memory_mb": memory_mb,
        "demand_s": demand_s,
    }


def measured(*jobs, design="DP", **parameters) -> RunResult:
    scenario = make_scenario(job=list(jobs), minimum_demand_s=0.001, **parameters)
    return measure(run(scenario, design, check=True))


def station(result, name):
    (row,) = result.stations[result.stations.station == name].itertuples()
    return row


def test_one_job_after_the_other():
    # one node, one slot: 0 to 10 s; and 4 s, when it is submitted, waiting to 10 s, to 12 s
    result = measured(
        job(0, demand_s=10), job(4, demand_s=2, memory_mb=3), nodes=1, scheduler="space"
    )
    first, second = result.jobs.itertuples()
    assert (first.submit_s, first.start_s, first.end_s, first.response_s) == (0, 0, 10, 10)
    assert (second.submit_s, second.start_s, second.end_s, second.response_s) == (4, 10, 12, 8)
    assert (second.job, second.processes, second.memory_mb, second.demand_s) == (2, 1, 3, 2)
    assert (first.wait_s, second.wait_s) == (0, 6)
    assert (first.slowdown, second.slowdown) == (1, 4)
    # bounded: 10/10 s; 8 s is below the bound of 10 s, so 1
    assert (first.bounded_slowdown, second.bounded_slowdown) == (1, 1)

    summary = result.summary
    assert (summary["jobs"], summary["mean_response_s"], summary["mean_wait_s"]) == (2, 9, 3)
    assert (summary["mean_slowdown"], summary["mean_bounded_slowdown"]) == (2.5, 1)
    assert (summary["sim_end_s"], summary["utilization"]) == (12, 1)
    assert summary["throughput_jobs_per_h"] == 600  # 2 in 12 s
    assert summary["breakdown"]["waiting_s"] == 3
    assert summary["breakdown"]["computing_s"] == 6
    assert (summary["pcs"], summary["faults_disk"], summary["faults_network"]) == (0, 0, 0)


def test_two_jobs_in_turn():
    # job 1 runs 0 to 1 s; a switch of 4 ms; job 2 runs 1.004 to 2.004 s; a switch; job 1 goes on
    # from 2.008 to 3.008 s
    result = measured(job(demand_s=2), job(demand_s=1), nodes=1, quantum_s=1)
    assert list(result.jobs.end_s) == [3.008, 2.004]
    assert list(result.jobs.switched_out_s) == [1.008, 1.004]
    assert list(result.jobs.wait_s) == [0, 0]
    assert result.summary["pcs"] == 2
    assert result.summary["breakdown"]["switched_out_s"] == pytest.approx(1.006)
    assert result.summary["utilization"] == pytest.approx(3 / 3.008)


def test_a_barrier_and_the_stations_on_its_way():
    # Three processes meet once, at 1 s. 64 B hold a link for 5,120 ns.
    # Arrivals: both workers' messages reach the switch at 5,170 ns, one waits 80,000 ns; the second
    #   is at the master after 5,170 + 160,000 + 5,170 = 170,340 ns.
    # Releases: the second waits 5,120 ns for the master's link and 80,000 - 5,120 for the switch;
    #   it too takes 170,340 ns. So the job takes 2 s and 2 · 170,340 ns.
    result = measured(job(processes=3, demand_s=2), nodes=3)
    (row,) = result.jobs.itertuples()
    assert row.response_s == 2.000_340_680
    assert row.barriers_s == pytest.approx(340_680e-9)
    assert result.summary["messages"]["BarrierArrive"] == 2
    assert result.summary["bytes"]["BarrierRelease"] == 128

    switch = station(result, "switch")
    assert (switch.messages, switch.bytes) == (4, 256)
    assert switch.max_wait_s == 80_000e-9
    assert switch.mean_wait_s == pytest.approx((80_000 + 74_880) / 4 * 1e-9)
    assert switch.utilization == pytest.approx(4 * 80_000 / 2_000_340_680)
    # Both arrivals and both releases pass the master's link; only the second release waits for it
    link = station(result, "0<->switch")
    assert (link.messages, link.max_wait_s) == (4, 5_120e-9)
    assert link.mean_wait_s == pytest.approx(5_120 / 4 * 1e-9)
    assert link.utilization == pytest.approx(4 * 5_120 / 2_000_340_680)
    assert station(result, "disk 0").messages == 0


def test_disk_faults_take_the_disk_service_each():
    # seek 9 ms, half a turn 4,166,666.67 ns, 64 KB / 50 MB/s = 1.25 ms
    result = measured(job(memory_mb=40, demand_s=1), nodes=1, page_bytes=2**16)
    (row,), faults = result.jobs.itertuples(), result.summary["faults_disk"]
    assert faults > 0
    assert row.disk_faults_s == pytest.approx(faults * 14_416_667e-9)
    assert result.summary["disk_page_ms"] == pytest.approx(14.416667)
    assert result.summary["network_page_ms"] is None
    assert row.response_s == pytest.approx(1 + faults * 14_416_667e-9)
    disk = station(result, "disk 0")
    assert (disk.messages, disk.bytes) == (faults, faults * 2**16)
    assert disk.utilization == pytest.approx(row.disk_faults_s / row.response_s)


def test_network_faults_take_a_round_trip_each_and_a_grant_comes_first():
    # Node 1 lends all 8 MB that lack. Request and reply of the server: 2 · 100,580 ns (128 B).
    # A page: 64 B, 2 · 5,120 + 80,100 ns; 65,600 B, 2 · 5,248,000 + 80,100 ns.
    result = measured(
        job(memory_mb=40, demand_s=1), nodes=2, page_bytes=2**16, barrier_s=9, design="CLI"
    )
    (row,), summary = result.jobs.itertuples(), result.summary
    faults, trip_s = summary["faults_network"], 10_666_440e-9
    assert faults > 0
    assert row.grant_s == summary["mean_request_to_grant_s"] == 201_160e-9
    assert row.network_faults_s == pytest.approx(faults * trip_s)
    assert summary["network_page_ms"] == pytest.approx(1000 * trip_s)
    assert summary["disk_page_ms"] is None
    assert row.response_s == pytest.approx(1 + 201_160e-9 + faults * trip_s)
    assert summary["messages"] | {"PageRequest": 0, "PageReply": 0} == {
        **dict.fromkeys(summary["messages"], 0),
        # node 0 is its own manager: what it tells itself does not count
        **dict.fromkeys(("ServerRequest", "ServerReply", "ServerRelease", "ReleaseAck"), 1),
    }
    assert summary["bytes"]["PageReply"] == faults * 65_600
    assert (summary["requests"], summary["requests_granted_nothing"]) == (1, 0)
    assert summary["need_unmet_mb"] == 0
    # the run ends with the release: 201,160 ns after the job
    assert summary["sim_end_s"] == pytest.approx(row.end_s + 201_160e-9)


def test_a_need_that_is_met_in_part_counts_as_unmet_in_part():
    # 38 MB lack; the other node gives 32 MB - 104,858 B
    summary = measured(
        job(memory_mb=70, demand_s=0.01), nodes=2, page_bytes=2**20, design="CLI"
    ).summary
    assert summary["need_unmet_mb"] == pytest.approx(6 + 104_858 / 2**20)
    assert summary["requests_granted_nothing"] == 0


def test_a_short_run_is_sampled_twenty_times_over_its_submissions():
    # 40 MB on a node of 32: 32 allocated, 8 on disk. At the last sample, 4 s, job 2 is there too.
    result = measured(job(0, 1, 40, 10), job(4, 1, 8, 10), nodes=2, page_bytes=2**20)
    samples = result.samples
    assert list(samples.time_s) == pytest.approx([0.2 * i for i in range(1, 21)])
    assert list(samples.allocated_mb_mean) == [16] * 19 + [20]  # of 32 and 0; of 32 and 8
    assert list(samples.allocated_mb_sd) == [16] * 19 + [12]
    assert set(samples.disk_mb_mean) == set(samples.disk_mb_sd) == {4}  # of 8 and 0
    summary = result.summary
    assert summary["allocated_mb_mean"] == pytest.approx((19 * 16 + 20) / 20)
    assert summary["allocated_mb_sd"] == pytest.approx((19 * 16 + 12) / 20)
    pooled = pstdev([*[32, 0] * 19, 32, 8])
    assert summary["allocated_mb_pooled_sd"] == pytest.approx(pooled)
    assert (summary["disk_mb_mean"], summary["disk_mb_sd"]) == (4, 4)


def test_a_process_that_never_started_has_nothing_on_disk():
    """Its request is lost, and it waits for ever on node 0; on node 1 is the other job."""
    lost = [{"kind": "loss", "messages": ["ServerRequest"]}]
    jobs = job(0, 1, 40, 1), job(4, 1, 8, 1)
    samples = measured(*jobs, design="CLI", nodes=2, fault=lost).samples
    assert list(samples.allocated_mb_mean[:19]) == [16] * 19
    assert set(samples.disk_mb_mean) == {0}


def test_borrowed_memory_counts_at_its_lender_and_not_on_disk():
    summary = measured(
        job(memory_mb=40, demand_s=1), nodes=2, page_bytes=2**20, design="CLI"
    ).summary
    # 32 MB on one node, 8 MB lent by the other
    assert (summary["allocated_mb_mean"], summary["allocated_mb_sd"]) == (20, 12)
    assert summary["disk_mb_mean"] == 0


def test_a_long_run_is_sampled_at_its_interval_until_the_last_job_ends():
    # job 1 is there from 0 to 2.5 s, job 2 from 3 to 4.2 s: 8 MB, then 16 MB, on one of two nodes
    result = measured(job(0, 1, 8, 2.5), job(3, 1, 16, 1.2), nodes=2, sample_s=1)
    assert list(result.samples.time_s) == [1, 2, 3, 4]
    assert list(result.samples.allocated_mb_mean) == [4, 4, 8, 8]


def test_designs_are_compared_with_disk_paging_wherever_it_is_listed():
    scenario = make_scenario(
        job=[job(memory_mb=40, demand_s=1)], nodes=2, page_bytes=2**16, designs="CLI,DP,MAN"
    )
    runs = {result.summary["design"]: result.summary for result in compare(scenario)}
    paging_s = runs["DP"]["mean_response_s"]
    assert runs.keys() == {"DP", "CLI", "MAN"}
    assert runs["DP"]["optimization_ratio_pct"] == 0
    for design in ("CLI", "MAN"):
        saved = 1 - runs[design]["mean_response_s"] / paging_s
        assert saved != 0
        assert runs[design]["optimization_ratio_pct"] == pytest.approx(100 * saved)


@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=8))
def test_a_sample_is_rounded_as_statistics_does(amounts):
    in_mb = [amount / 2**20 for amount in amounts]
    assert mean_and_sd_mb(amounts) == (fmean(in_mb), pstdev(in_mb))
