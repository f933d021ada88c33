"""What a design costs, besides time: messages, and what they were good for.

`Costs` observes the runs, as a sweep's observer does, and so is a part of their keys.
"""

from collections import Counter
from collections.abc import Mapping

from agents.messages import DATA_PHASES
from model.core.journal.kinds import Record, Sent
from model.core.scenario import BaseScenario
from model.pnr.constants import Constants
from model.pnr.scenario import Scenario
from model.pnr.waste import Waste

OBSERVER = f"{__name__}:Costs"


class Costs:
    """Reads a run's journal for the use of messages, and for what the busiest manager hears."""

    def __init__(self, scenario: BaseScenario) -> None:
        assert isinstance(scenario, Scenario)
        constants = Constants.of(scenario)
        self._waste = Waste(constants.rams, constants.threshold)
        self._heard: Counter[int | None] = Counter()  # messages over the network, by manager

    def read(self, record: Record) -> None:
        self._waste.read(record)
        if record.kind != Sent.name or record.phase in DATA_PHASES:
            return
        if record.hears == "manager" and record.node != record.peer:
            self._heard[record.peer] += 1

    def measures(self, end_ns: int) -> Mapping[str, object]:
        most = max(self._heard.values(), default=0)
        return {**self._waste.measures(end_ns), "busiest_manager_messages": most}
