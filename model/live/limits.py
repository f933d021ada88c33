"""What of a scenario can happen for real."""

from model.ground.errors import InputError
from model.pnr.fault_tables import NodeCrash, Pause, Slow
from model.pnr.scenario import Scenario

MOST_NODES = 64
_MOST_MB = 8192  # of RAM of all nodes together


def check_runs_live(scenario: Scenario, hosts: bool) -> None:
    """Raise InputError for what cannot happen with processes of one machine, or of several."""
    if not 2 <= scenario.nodes <= MOST_NODES:
        raise InputError(f"--nodes: for real, from 2 to {MOST_NODES} (not {scenario.nodes})")
    if hosts and len(scenario.designs) != 1:
        raise InputError("--designs: with --hosts, give one: the nodes end with the run")
    if scenario.synchronization != "central" or scenario.exchange_kb:
        raise InputError(
            "--synchronization, --exchange-kb: for real, all processes synchronize with rank 0 and "
            "exchange nothing; leave them out"
        )
    if scenario.give_up_response_s is not None:
        raise InputError("--give-up-response-s: for real, no run is given up; leave it out")
    ram_mb = scenario.nodes * scenario.ram_mb * scenario.ram / 100
    if not hosts and ram_mb > _MOST_MB:
        raise InputError(
            f"--ram-mb, --nodes: {ram_mb:,.0f} MB of RAM of all nodes; for real, on one machine, "
            f"at most {_MOST_MB:,}"
        )
    for place, table in enumerate(scenario.fault or (), start=1):
        if isinstance(table, Slow):
            raise InputError(f"fault {place} (slow): links are not slowed down for real")
        if hosts and isinstance(table, NodeCrash | Pause):
            raise InputError(
                f"fault {place} ({table.kind}): with --hosts, who started a node stops it"
            )
