"""The form holds every parameter, and means the scenario that it shows; files lie below here."""

from pathlib import Path

import pytest

from model.dashboard.controls import filled, form, lies_here, names_on_offer
from model.dashboard.session import Session
from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario
from model.sharing.scenarios import SHARING, make_sharing_scenario

JOBS = [{"processes": 1, "memory_mb": 1, "demand_s": 1}]
MINE = """
import networkx as nx


def mine(nodes):
    graph = nx.DiGraph(name="MINE", asks="member")
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
"""


def scenarios():
    yield make_scenario(ram=42, bandwidth_mbps=25, seed=1234, topology="ring", jobs=9)
    yield make_scenario(nodes=2, job=JOBS, designs="DP,MAN")
    yield from (make_sharing_scenario(system=system) for system in SHARING)


def values_of(scenario):
    return {field["name"]: field["value"] for field in form(scenario)}


@pytest.mark.parametrize("scenario", [*scenarios()], ids=lambda it: type(it).__name__)
def test_a_form_that_nobody_touches_means_the_same_scenario(scenario):
    assert filled(scenario, values_of(scenario), [*scenario.compared]) == scenario


@pytest.mark.parametrize("kind", [Scenario, *SHARING.values()])
def test_every_parameter_is_in_the_form(kind):
    scenario = (
        make_scenario()
        if kind is Scenario
        else make_sharing_scenario(system=kind.model_fields["system"].default)
    )
    tables = {"job", "fault", "node", kind.compares}
    assert {field["name"] for field in form(scenario)} == kind.model_fields.keys() - tables


def test_its_groups_and_help_are_those_of_the_command_line(command):
    fields = form(make_scenario(ram=42))
    status, told, _ = command("watch --help-scenario")
    assert status == 0
    headings = [line[:-1] for line in told.splitlines() if line[:1].isalpha()]
    groups = [*dict.fromkeys(field["group"] for field in fields)]
    assert groups == ["Scenario", *(it for it in headings if it in groups)]
    for name in ("latency_ns", "seek_ms", "quantum_s"):
        (field,) = [field for field in fields if field["name"] == name]
        part = f"\n{told}".partition(f"\n{field['group']}:\n")[2].partition("\n\n")[0]
        assert f"--{name.replace('_', '-')} " in part
        assert " ".join(field["help"].split()) in " ".join(part.split())
    known = {field["name"]: field for field in fields}
    assert (known["ram"]["value"], known["ram"]["default"]) == ("42", "100")
    assert (known["nodes"]["value"], known["nodes"]["default"]) == ("", "64")


def test_what_is_filled_in_counts():
    scenario = make_scenario(jobs=9, first=7)
    values = values_of(scenario) | {"ram": "65", "scheduler": "space", "rotation": "false"}
    values |= {"first": "", "grant_timeout_s": "2.5"}
    changed = filled(scenario, values, ["CLI"])
    assert (changed.ram, changed.scheduler, changed.rotation) == (65, "space", False)
    assert (changed.first, changed.jobs, changed.grant_timeout_s) == (None, 9, 2.5)
    assert changed.designs == ("CLI",)


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"ram": "much"}, "--ram"),
        ({"ram": "-1"}, "--ram"),
        ({"colour": "red"}, "'colour': no parameter"),
        ({"ram": 65}, "'ram': no parameter"),
        ({"designs": "DP"}, "'designs': no parameter"),
    ],
)
def test_a_mistake_is_one_line(values, part):
    with pytest.raises(InputError, match=part) as told:
        filled(make_scenario(), values, ["DP"])
    assert "\n" not in str(told.value)


def test_a_design_of_ones_own_is_taken_by_its_file(here):
    Path("mine.py").write_text(MINE)
    scenario = make_scenario(nodes=2, job=JOBS)
    chosen = filled(scenario, {}, ["mine.py:mine", "CLI"])
    session = Session(chosen, *chosen.designs)
    assert [run.source.name for run in session.runs] == ["MINE", "CLI"]


@pytest.mark.parametrize(
    "name",
    [
        "../mine.py:mine",
        "/etc/passwd",
        "RELIABLE(../mine.py:mine)",
        "sub/../../mine.py:mine",
        "link/mine.py:mine",
        "star,../other",
        "..",
    ],
)
def test_files_named_in_the_page_lie_below_this_folder(here, name):
    (here.parent / "mine.py").write_text(MINE)
    Path("link").symlink_to("..")
    scenario = make_scenario(nodes=2, job=JOBS)
    with pytest.raises(InputError, match="below the folder"):
        filled(scenario, {}, [name])
    for parameter in ("topology", "trace", "fault_file"):
        if "(" not in name:
            with pytest.raises(InputError, match="below the folder"):
                filled(scenario, {parameter: name}, ["DP"])


@pytest.mark.parametrize("name", ["star", "MAN", "mine.py:mine", "sub/mine.graphml", "a,b.py:c"])
def test_names_and_files_below_are_allowed(here, name):
    lies_here(name)


def test_what_the_command_line_named_may_lie_anywhere(here):
    elsewhere = here.parent / "mine.py"
    elsewhere.write_text(MINE)
    design = f"{elsewhere}:mine"
    scenario = make_scenario(nodes=2, job=JOBS, designs=design)
    assert filled(scenario, values_of(scenario), [design]).designs == (design,)


def test_designs_on_offer_begin_with_those_of_the_scenario():
    offer = names_on_offer(make_scenario(designs="MAN,PROBE2"))
    assert offer[:2] == ["MAN", "PROBE2"]
    assert {"DP", "CLI", "BB16"} <= {*offer}
