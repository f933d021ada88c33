"""Designs that run for real, one after another, on the same jobs."""

from model.core.emulation import Progress, Readers
from model.core.result import RunResult
from model.ground.errors import InputError
from model.live.head import LiveCluster, LiveSettings
from model.live.scaling import ScaledComparison
from model.pnr.design import Design
from model.pnr.fault_tables import NodeCrash, Pause
from model.pnr.scenario import Scenario

_MOST_NODES = 64
_MOST_MB = 8192  # of RAM of all nodes together


class LiveComparison(ScaledComparison):
    """Coordination designs as processes of this machine; their journals and tables as ever.

    What the network of the scenario is does not matter: each node has a connection to each other.
    """

    def __init__(self, scenario: Scenario, settings: LiveSettings) -> None:
        """Raises InputError for what cannot happen for real."""
        _check_runs_live(scenario)
        super().__init__(scenario.model_copy(update={"topology": "connected"}), settings.time_scale)
        self.settings = settings
        self._declared: dict[str, str] = {}  # by name

    def run(
        self,
        name: str,
        *,
        readers: Readers = (),
        journal_level: str = "all",
        check: bool = False,
        progress: Progress | None = None,
        **_: object,
    ) -> LiveCluster:
        """Run one design for real; with `check`, roles keep their rules."""
        cluster = LiveCluster(
            self.scenario,
            self.contestants[name],
            self._declared[name],
            self.settings,
            self.loaded,
            readers,
            journal_level,
            check,
        )
        return cluster.run(progress)

    def load_contestant(self, declared: str) -> tuple[str, Design]:
        """A design, of which its nodes' processes must know how it was declared."""
        name, design = super().load_contestant(declared)
        if design.migrates:
            raise InputError(f"--designs {declared}: processes move only in an emulation")
        self._declared[name] = declared
        return name, design

    def measure(self, emulation: object) -> RunResult:
        assert isinstance(emulation, LiveCluster)
        result = super().measure(emulation)
        result.summary["live"] = {
            "time_scale": self.time_scale,
            "pages_checked": emulation.pages_checked,
            "pages_from_copy": emulation.pages_from_copy,
        }
        return result


def _check_runs_live(scenario: Scenario) -> None:
    if not 2 <= scenario.nodes <= _MOST_NODES:
        raise InputError(f"--nodes: for real, from 2 to {_MOST_NODES} (not {scenario.nodes})")
    ram_mb = scenario.nodes * scenario.ram_mb * scenario.ram / 100
    if ram_mb > _MOST_MB:
        total = f"{ram_mb:,.0f} MB of RAM of all nodes"
        raise InputError(f"--ram-mb, --nodes: {total}; for real, at most {_MOST_MB:,}")
    only_emulated = {
        "--cores": scenario.most_cores > 1,
        "--synchronization": scenario.synchronization != "central",
        "--exchange-kb": scenario.exchange_kb,
        "--give-up-response-s": scenario.give_up_response_s is not None,
        "--page-costs": scenario.page_costs is not None,
        "--count-pages": scenario.count_pages,
        "--node-groups (nodes that join or leave)": scenario.nodes_come_or_go,
        "--faults (a rule)": scenario.fault_file,
    }
    for table in scenario.fault or ():
        is_emulated = not isinstance(table, NodeCrash | Pause)
        only_emulated[f"a fault of kind {table.kind}"] = is_emulated
    for what, is_there in only_emulated.items():
        if is_there:
            raise InputError(f"{what}: only an emulation has that; leave it out")
