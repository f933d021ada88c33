"""What would never end: times so short that a run would have too many events; found before it.

An event takes some 10 to 100 µs where Python handles it, so that `MOST` of them take a day. What is
counted here happens if the jobs end, and no job ends before its CPU time has passed; where nodes
crash, jobs may be given up, so only their submissions count.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

import networkx as nx

from agents.interfaces import BaseConstants
from agents.pnr.messages import MessageSizes
from model.core.emulation import Loaded
from model.ground.delays import frames, transmission_ns
from model.ground.errors import InputError
from model.ground.units import NS_PER_S, seconds
from model.pnr.constants import LONGEST_S
from model.pnr.design import Design
from model.pnr.faults import changed_network
from model.pnr.job_spec import JobSpec
from model.pnr.scenario import Scenario

MOST = 10**9  # events
MOST_BARRIERS = 10**12  # of processes; compiled code handles them
MOST_EXCHANGE_S = 10**9  # for which exchanged data may be on their way


class Often(NamedTuple):
    """Something that happens again and again in a run."""

    given: str  # the parameters that make it happen
    events: float
    of: str  # what the events are
    instead: str  # what would be right
    most: int = MOST


def refuse_endless(scenario: Scenario, jobs: Sequence[JobSpec]) -> None:
    """Raise InputError if the run of these jobs, in the order of arrival, would never end."""
    for kind in (_looks, _samples, _turns, _barriers):
        _refuse(kind(scenario, jobs))


def refuse_endless_timers(scenario: Scenario, jobs: Sequence[JobSpec], design: Design) -> None:
    """Raise InputError if timers of a design fire too often for this run to end."""
    last_s = _lasts_s(scenario, jobs)
    protocol = design.protocol
    for role in (protocol.client, protocol.server, protocol.manager):
        for name in role.periods:
            given_s = design.parameters[name]
            every_s = round(given_s * NS_PER_S) / NS_PER_S
            times = last_s / every_s if every_s > 0 else inf
            given, firings = (
                f"{design.name}: {name} {given_s:g}",
                f"firings within {last_s:,.10g} s",
            )
            _refuse([Often(given, times, firings, f"at least {_at_least(last_s / MOST)} s")])


def _refuse(kinds: Iterable[Often]) -> None:
    for often in kinds:
        if often.events > often.most:
            raise InputError(
                f"{often.given}: that makes {often.events:.1e} {often.of}, and a day is long "
                f"for {often.most:.0e}; give {often.instead}"
            )


def _slowed(scenario: Scenario) -> float:
    """What CPU times are multiplied by on the fastest nodes."""
    return scenario.cpu_mhz / max(group.cpu_mhz or scenario.cpu_mhz for group in scenario.groups)


def _lasts_s(scenario: Scenario, jobs: Sequence[JobSpec]) -> float:
    """For how long a run takes at least."""
    if any(table.stops_jobs for table in scenario.fault or ()):
        return seconds(jobs[-1].submit_ns)
    slowed = _slowed(scenario)
    return max(seconds(job.submit_ns) + slowed * seconds(job.demand_ns) for job in jobs)


def _looks(scenario: Scenario, jobs: Sequence[JobSpec]) -> Iterator[Often]:
    """Looks at whether a run with faults goes on (`watchdog.py`)."""
    if scenario.has_faults:
        twice = 2 * _lasts_s(scenario, jobs)
        yield Often(
            f"stall_s {scenario.stall_s:g}",
            twice / scenario.stall_s,
            "looks at whether the run goes on",
            f"at least {_at_least(twice / MOST)} s",
        )


def _samples(scenario: Scenario, jobs: Sequence[JobSpec]) -> Iterator[Often]:
    if jobs[-1].submit_ns >= 2 * scenario.sample_s * NS_PER_S:
        values = scenario.nodes * _lasts_s(scenario, jobs)
        yield Often(
            f"sample_s {scenario.sample_s:g}",
            values / scenario.sample_s,
            "samples of nodes' memory",
            f"at least {_at_least(values / MOST)} s",
        )


def _turns(scenario: Scenario, jobs: Sequence[JobSpec]) -> Iterator[Often]:
    """Turns of slots while two jobs share nodes that follow each other, and cannot be apart."""
    if scenario.slots == 1 or scenario.scheduler == "gang-memory":
        return
    shared_ns, slowed, seats = 0, _slowed(scenario), scenario.seats
    for one, other in pairwise(jobs):
        one_ends_ns = one.submit_ns + one.demand_ns
        if one.processes + other.processes > seats and other.submit_ns < one_ends_ns:
            shared_ns = max(shared_ns, min(one_ends_ns - other.submit_ns, other.demand_ns))
    times = 4 * slowed * seconds(shared_ns)  # of both jobs, the ends of turns and of switches
    yield Often(
        f"quantum_s {scenario.quantum_s:g}",
        times / scenario.quantum_s,
        f"ends of turns and switches while two jobs share nodes for {seconds(shared_ns):,.10g} s "
        "of CPU time",
        f"at least {_at_least(times / MOST)} s",
    )


def _barriers(scenario: Scenario, jobs: Sequence[JobSpec]) -> Iterator[Often]:
    if any(table.stops_jobs for table in scenario.fault or ()):
        return
    cpu_s = sum(job.processes * seconds(job.demand_ns) for job in jobs)
    yield Often(
        f"barrier_s {scenario.barrier_s:g}",
        cpu_s / scenario.barrier_s,
        f"stops at barriers in {cpu_s:,.10g} s of CPU time",
        f"at least {_at_least(cpu_s / MOST_BARRIERS)} s",
        MOST_BARRIERS,
    )


def refuse_endless_exchange(scenario: Scenario, loaded: Loaded) -> None:
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


def _at_least(time_s: float) -> str:
    """A time that is no shorter, in two digits, of which the second rounds by up to 5 %."""
    return f"{1.05 * time_s:.2g}"
