"""What queueing theory says of the same stations, within confidence intervals."""

from math import sqrt
from statistics import fmean, stdev

import numpy as np
import pytest

from agents.disk import Disk
from agents.sharing.job import SequentialSpec
from model.sharing.scenarios import make_sharing_scenario
from model.systems import emulation_of, run


def batch_mean(values, batches=30, t=2.756):
    """The mean of correlated values and half its 99 % confidence interval, by batch means."""
    means = [fmean(batch) for batch in np.array_split(values, batches)]
    return fmean(means), t * stdev(means) / sqrt(batches)


@pytest.mark.parametrize("rho", [0.3, 0.6])
def test_short_slices_and_free_switches_are_processor_sharing(rho):
    """M/M/1-PS: 1 / (mu - lambda); and a job's response is proportional to its demand."""
    random, count = np.random.default_rng(3), 10_000
    submit = np.cumsum(random.exponential(1e9 / rho, count))
    demand = random.exponential(1e9, count)
    jobs = [
        SequentialSpec(n, round(at), 0, max(1, round(need)), 1)
        for n, (at, need) in enumerate(zip(submit, demand, strict=True))
    ]
    scenario = make_sharing_scenario(nodes=1, slice_ms=0.1, context_switch_ms=0)
    cluster = run(scenario, "NO_LS", workload=jobs)
    mean, half = batch_mean([(job.end_ns - job.submit_ns) / 1e9 for job in cluster.jobs])
    assert abs(mean - 1 / (1 - rho)) < half
    assert half < 0.2 * mean
    long = [job for job in cluster.jobs if job.demand_ns > 2e9]
    slowdown, half = batch_mean([(job.end_ns - job.submit_ns) / job.demand_ns for job in long])
    assert abs(slowdown - 1 / (1 - rho)) < half


def test_the_disk_is_an_m_g_1_queue():
    """Pollaczek and Khinchine: a wait of lambda E(s^2) / (2 (1 - rho))."""
    random, count, rho = np.random.default_rng(5), 100_000, 0.7
    services = random.choice([2, 20], count, p=[0.8, 0.2])  # ms; mean 5.6, mean square 83.2
    arrivals = np.cumsum(random.exponential(5.6 / rho, count))
    cluster = emulation_of(
        make_sharing_scenario(nodes=1),
        "NO_LS",
        workload=[SequentialSpec(1, 0, 0, 1, 1)],
    )
    disk, waits = Disk(cluster, 0), []
    for at_ms, service_ms in zip(arrivals, services, strict=True):
        cluster.clock.now_ns = round(at_ms * 1e6)
        end_ns = disk.enter(int(service_ms) * 10**6, 4096)
        waits.append(end_ns / 1e6 - service_ms - at_ms)
    mean, half = batch_mean(waits)
    expected_ms = rho / 5.6 * 83.2 / (2 * (1 - rho))
    assert abs(mean - expected_ms) < half
    assert half < 0.1 * mean
