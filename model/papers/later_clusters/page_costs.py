"""What a page costs on each cluster, from its constants: to walk through, to fetch, to read."""

from math import nan

from model.ground.delays import frames
from model.ground.units import NS_PER_S
from model.papers.cases import Case
from model.papers.later_clusters.cases import hardware_of
from model.papers.measurements import Measurements
from model.pnr.constants import Constants
from model.pnr.scenario import make_scenario
from model.sweeps.statistics import Estimate

WALK, FETCH, READ = COSTS = "CPU time to walk through it", "over an idle star", "from the disk"
_BITS = 8
_LINKS = 2  # that a message takes: to the switch, and from there


def page_us(cluster: str) -> dict[str, float]:
    """What a page costs on a cluster, in microseconds."""
    parameters = {name: value for name, value in hardware_of(cluster).items() if name != "trace"}
    scenario = make_scenario(**parameters)
    constants = Constants.of(scenario)
    sizes = constants.sizes.page_request, constants.sizes.page_reply  # there and back
    size_bits = _BITS * sum(sizes)
    links_ns = _LINKS * size_bits * NS_PER_S / (scenario.bandwidth_mbps * 10**6)
    switched = sum(frames(size, scenario.frame_bytes) for size in sizes)
    fetch_ns = links_ns + switched * constants.switch_ns
    return {
        WALK: constants.page_walk_ns / 1000,
        FETCH: fetch_ns / 1000,
        READ: constants.disks_ns[0] / 1000,
    }


def cost_us(measured: Measurements, case: Case, what: str) -> Estimate:
    """One of these costs of the cluster with the case's name, for a figure."""
    return Estimate(page_us(case.name)[what], nan, nan, 0)
