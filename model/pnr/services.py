"""Messages that take so long that no time of a run could hold it; found before the run."""

from math import inf

import networkx as nx

from agents.interfaces import BaseConstants
from agents.pnr.messages import MessageSizes
from model.core.emulation import Loaded
from model.ground.delays import frames, transmission_ns
from model.ground.errors import InputError
from model.ground.units import NS_PER_S, seconds
from model.pnr.constants import LONGEST_S
from model.pnr.faults import changed_network
from model.pnr.scenario import Scenario

MOST_EXCHANGE_S = 10**9  # for which exchanged data may be on their way


def refuse_long_exchange(scenario: Scenario, loaded: Loaded) -> None:
    """Raise InputError for data that take longer than `MOST_EXCHANGE_S`, as nobody waits for them.

    They queue up until the jobs end, and no time may exceed 64 bits. On shortest paths all have
    arrived after as many services as there are messages, and one for each station of a path
    (Mansour and Patt-Shamir, 1993): at most as long as the slowest takes.
    """
    sizes = loaded.constants.sizes
    assert isinstance(sizes, MessageSizes)
    if not (size_bytes := sizes.exchange):
        return
    each_ns = _longest_service_ns(size_bytes, scenario, loaded.graph)
    cpu_s = sum(job.processes * seconds(job.demand_ns) for job in loaded.workload)
    services = 2 * cpu_s / scenario.barrier_s + 2 * len(loaded.graph)
    if (together_s := services * seconds(each_ns)) > MOST_EXCHANGE_S:
        most_kb = scenario.exchange_kb * MOST_EXCHANGE_S / together_s
        raise InputError(
            f"exchange_kb {scenario.exchange_kb:g}: the data of all jobs take {together_s:.2g} s "
            f"on the slowest link or switch; give at most {0.95 * most_kb:.2g}"
        )


def refuse_long_services(scenario: Scenario, constants: BaseConstants, graph: nx.Graph) -> None:
    """Raise InputError if a message of the thesis's may hold a link or switch for `LONGEST_S`."""
    sizes, nodes = constants.sizes, scenario.nodes
    assert isinstance(sizes, MessageSizes)
    size_bytes, options = max(
        (sizes.page_request, "--page-request-bytes, --page-bytes"),
        (sizes.page_reply, "--page-bytes, --page-header-bytes"),
        (sizes.barrier, "--barrier-bytes"),
        (sizes.protocol + sizes.pair * nodes, "--protocol-bytes, --pair-bytes"),
        (sizes.broadcast + sizes.entry * nodes, "--broadcast-bytes, --entry-bytes"),
    )
    service_ns = _longest_service_ns(size_bytes, scenario, graph)
    if service_ns > LONGEST_S * NS_PER_S:
        raise InputError(
            f"{options}: a message may be {size_bytes:,} B, which take {seconds(service_ns):.2g} s "
            f"on the slowest link or switch; make it at most {LONGEST_S} s"
        )


def _longest_service_ns(size_bytes: int, scenario: Scenario, graph: nx.Graph) -> int:
    """How long the slowest link or switch takes for a message of this size."""
    graph = changed_network(graph, scenario.fault)
    slowest_mbps = min((mbps for *_, mbps in graph.edges(data="bandwidth_mbps")), default=inf)
    slowest_ns = max((ns for _, ns in graph.nodes(data="switch_ns", default=0)), default=0)
    service_ns: int = slowest_ns * frames(size_bytes, scenario.frame_bytes)
    if slowest_mbps == inf:
        return service_ns
    return max(service_ns, transmission_ns(size_bytes, slowest_mbps))
