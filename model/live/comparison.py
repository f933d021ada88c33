"""Designs that run for real, one after another, on the same jobs."""

from model.core.emulation import Progress, Readers
from model.core.result import RunResult
from model.live.head import LiveCluster, LiveSettings
from model.live.journal import Accounts
from model.live.scaling import ScaledComparison
from model.pnr.design import Design
from model.pnr.scenario import Scenario


class LiveComparison(ScaledComparison):
    """Coordination designs as processes of this machine; their journals and tables as ever.

    What the network of the scenario is does not matter: each node has a connection to each other.
    """

    def __init__(self, scenario: Scenario, settings: LiveSettings) -> None:
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
        """Run one design for real; with `check`, roles keep their rules, and accounts are kept."""
        exact = self.settings.starts_nodes  # here, and not on several machines
        accounts = Accounts(name, self.scenario.nodes, self.scenario.has_faults, exact)
        if check:
            readers = (*readers, accounts.read)
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
        cluster.run(progress)
        if check and not (cluster.stuck or cluster.died):
            accounts.finish()
        return cluster

    def load_contestant(self, declared: str) -> tuple[str, Design]:
        """A design, of which its nodes' processes must know how it was declared."""
        name, design = super().load_contestant(declared)
        self._declared[name] = declared
        return name, design

    def measure(self, emulation: object) -> RunResult:
        """The tables of a run, and what has become of the pages."""
        assert isinstance(emulation, LiveCluster)
        result = super().measure(emulation)
        result.summary["live"] = {
            "time_scale": self.time_scale,
            "pages_checked": emulation.pages_checked,
            "pages_from_copy": emulation.pages_from_copy,
        }
        return result
