"""The scenario's hardware in nanoseconds and bytes; each constant is derived and rounded once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.pnr.messages import MessageSizes
from agents.pnr.surroundings import PnrConstants, PnrSurroundings
from agents.pnr.synchronization import SYNCHRONIZATIONS
from model.ground.delays import frames, switch_delay_ns
from model.ground.errors import InputError
from model.ground.units import (
    BYTES_PER_KB,
    BYTES_PER_MB,
    NS_PER_MS,
    NS_PER_S,
    exact,
    round_half_up,
    whole,
)
from model.pnr.node_groups import for_each_node
from model.pnr.scenario import Scenario

if TYPE_CHECKING:
    from agents.disk import Disk

LONGEST_S = 10**9  # the longest service (model/pnr/compiled/records.py explains why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants(PnrConstants):
    """What agents and the scheduler must know about the scenario, in ns and bytes."""

    @classmethod
    def of(cls, scenario: Scenario) -> "Constants":
        """Derive the constants from a scenario; raises InputError if a service takes too long."""
        page_walk_ns = reference_ns(scenario) * scenario.page_bytes
        barrier_ns = round_half_up(exact(scenario.barrier_s) * NS_PER_S)
        nodes = _of_nodes(scenario)
        switch_ns = switch_delay_ns(
            scenario.switch_us, scenario.bandwidth_mbps, scenario.switch_scaling
        )
        reply = scenario.page_header_bytes + scenario.page_bytes
        switched_ns = switch_ns * frames(reply, scenario.frame_bytes)
        for time_ns, what, options in (
            (page_walk_ns, "walk through a page", "--cpu-mhz, --reference-cycles, --hit-ratio"),
            (max(nodes["disks_ns"]), "page from the disk", "--seek-ms, --rpm, --disk-mb-per-s"),
            (switched_ns, "page through a switch", "--switch-us, --frame-bytes"),
        ):
            if time_ns > LONGEST_S * NS_PER_S:
                raise InputError(
                    f"{options}, --page-bytes: a {what} takes {time_ns // NS_PER_S} s; "
                    f"make it at most {LONGEST_S} s"
                )
        # as speed.py multiplies
        if barrier_ns * nodes["reference_speed"] + max(nodes["speeds"]) >= 2**62:
            raise InputError(
                "node: cpu_mhz: the clocks are in no simple proportion to --cpu-mhz "
                f"{scenario.cpu_mhz:g}; give them with fewer digits"
            )
        threshold = round_half_up(exact(scenario.threshold_mb) * BYTES_PER_MB)
        swapped_out = scenario.page_bytes if scenario.page_exchange == "swap" else 0
        return cls(
            **nodes,
            page=scenario.page_bytes,
            disk_bytes=scenario.page_bytes * disk_services(scenario),
            threshold=threshold,
            skip_below=threshold if scenario.skip_full else None,
            relocates_above=scenario.page_bytes if scenario.relocality else 2**62,  # never
            relocality_unit=scenario.page_bytes if scenario.relocality_unit == "page" else 1,
            drifts=scenario.locality == "drifting",
            page_walk_ns=page_walk_ns,
            disk=_disk,
            barrier_ns=barrier_ns,
            synchronization=SYNCHRONIZATIONS[scenario.synchronization],
            quantum_ns=round_half_up(exact(scenario.quantum_s) * NS_PER_S),
            pcs_ns=round_half_up(exact(scenario.pcs_ms) * NS_PER_MS),
            switch_ns=switch_ns,
            latency_ns=scenario.latency_ns,
            slots=scenario.slots,
            stall_ns=round_half_up(exact(scenario.stall_s) * NS_PER_S),
            drain_ns=round_half_up(exact(scenario.drain_s) * NS_PER_S),
            page_timeout_ns=round_half_up(exact(scenario.page_timeout_ms) * NS_PER_MS),
            barrier_timeout_ns=round_half_up(exact(scenario.barrier_timeout_ms) * NS_PER_MS),
            grant_timeout_ns=None
            if scenario.grant_timeout_s is None
            else max(1, round_half_up(exact(scenario.grant_timeout_s) * NS_PER_S)),
            sizes=MessageSizes(
                page_request=scenario.page_request_bytes + swapped_out,
                page_reply=reply,
                barrier=scenario.barrier_bytes,
                protocol=scenario.protocol_bytes,
                pair=scenario.pair_bytes,
                broadcast=scenario.broadcast_bytes,
                entry=scenario.entry_bytes,
                exchange=round_half_up(exact(scenario.exchange_kb) * BYTES_PER_KB),
            ),
        )


def _of_nodes(scenario: Scenario) -> dict[str, Any]:
    """The constants in which nodes may differ, by name."""
    groups = scenario.groups
    like = [scenario.model_copy(update=group.stated()) for group in groups]
    reference, *speeds = whole([exact(each.cpu_mhz) for each in (scenario, *like)])
    of_all = exact(scenario.ram) / 100
    rams = [round_half_up(exact(each.ram_mb) * BYTES_PER_MB * of_all) for each in like]
    cores = [each.cores for each in like]
    seats = [each.cores if group.seats else 0 for each, group in zip(like, groups, strict=True)]
    return {
        "rams": for_each_node(groups, rams),
        "disks_ns": for_each_node(
            groups, [disk_service_ns(each) * disk_services(each) for each in like]
        ),
        "speeds": for_each_node(groups, speeds),
        "reference_speed": reference,
        "joins_ns": for_each_node(groups, [_ns(it.joins_s) for it in groups]),
        "leaves_ns": for_each_node(
            groups,
            [
                None
                if it.leaves_s is None
                else (_ns(it.leaves_s), _ns(it.leaves_s) + _ns(it.leave_grace_s))
                for it in groups
            ],
        ),
        "cores": for_each_node(groups, cores),
        "most_cores": max(cores),
        "seats": tuple(
            node + core * scenario.nodes
            for node, count in enumerate(for_each_node(groups, seats))
            for core in range(count)
        ),
    }


def _ns(time_s: float) -> int:
    return round_half_up(exact(time_s) * NS_PER_S)


def reference_ns(scenario: Scenario) -> int:
    """R: CPU time between references that reach RAM (thesis, section 3.1.3); 242 ns by default."""
    cycles = exact(scenario.reference_cycles) / (1 - exact(scenario.hit_ratio))
    return max(1, round_half_up(cycles * 1000 / exact(scenario.cpu_mhz)))


def disk_services(scenario: Scenario) -> int:
    """Services of the disk for a page fault: a page is read, and perhaps one is written before."""
    return 2 if scenario.disk_writes else 1


def disk_service_ns(scenario: Scenario) -> int:
    """Seek, half a turn and the transfer of a page (thesis, 3.1.2); 13,244,792 ns by default."""
    seek_ns = exact(scenario.seek_ms) * NS_PER_MS
    half_turn_ns = 30 * NS_PER_S / exact(scenario.rpm) if scenario.rotation else 0
    rate = exact(scenario.disk_mb_per_s) * BYTES_PER_MB
    return max(1, round_half_up(seek_ns + half_turn_ns + scenario.page_bytes * NS_PER_S / rate))


def _disk(model: PnrSurroundings, node: int) -> "Disk":
    from agents.disk import Disk  # whose Mesa is slow to import
    from agents.pnr.page_costs import DrawnDisk

    costs = model.page_costs
    return Disk(model, node) if costs is None or not costs.by else DrawnDisk(model, node, costs)
