"""What Solara's server loads: the page, for the scenario that the environment holds."""

import os

from model.dashboard.page import dashboard
from model.dashboard.server import SCENARIO
from model.pnr.scenario import Scenario

Page = dashboard(Scenario.model_validate_json(os.environ[SCENARIO]))
