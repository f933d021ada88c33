"""The policy that README shows is short, and works."""

import re
from pathlib import Path

from model.sharing.metrics import measure
from model.sharing.scenarios import make_sharing_scenario
from model.systems import run

README = Path(__file__).parents[3] / "model" / "sharing" / "README.md"


def test_a_policy_of_ones_own_shares_the_load(tmp_path):
    (text,) = re.findall(r"```python\n(# my_policy.py\n.*?)```", README.read_text(), re.DOTALL)
    assert len(text.splitlines()) < 40
    (tmp_path / "my_policy.py").write_text(text)
    name = f"{tmp_path}/my_policy.py:Shortest"
    jobs = [{"memory_mb": 1, "demand_s": 10}] * 6  # all at node 0, at once
    scenario = make_sharing_scenario(policies=[name, "NO_LS"], nodes=3, job=jobs)
    own, none = (measure(run(scenario, policy, check=True)).summary for policy in (name, "NO_LS"))
    assert own["remote_submissions"] == 3  # third, fourth; sixth: 3 here, 1 there
    assert own["mean_response_s"] < none["mean_response_s"]
