"""The page: Mesa's SolaraViz with its controls, and the pictures of the cluster."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import solara
from mesa.visualization import SolaraViz
from mesa.visualization.utils import update_counter

from model.core.network import load_network
from model.core.topology import known
from model.dashboard import pictures
from model.dashboard.watched import PACES, Pace, WatchedCluster
from model.ground.errors import InputError
from model.pnr.constants import Constants
from model.pnr.design import load_design
from model.pnr.scenario import SHOWCASE_JOBS, Scenario
from model.pnr.workload import read_log

Pick = Callable[[int], None]

_DETAILS_STYLE = """
.pnr-details { max-height: 60vh; overflow: auto }
.pnr-details th, .pnr-details td { padding: 0 1.2em 0 0; text-align: right }
"""

_CHART = {"style": "height: 260px", "class": "pnr-chart"}

RAM_PCT = (150, 135, 125, 115, 100, 85, 75, 65, 50)
NETWORK_MBPS = (10, 100, 1_000, 10_000, 100_000)
DESIGNS = ("DP", "CLI", "CEN", "MAN", "BB4", "BB8", "BB16", "BB32")


@solara.component_vue("network.vue")
def _network(
    nodes: list[dict[str, Any]],
    edges: list[list[int]],
    switches: list[list[int]],
    messages: list[dict[str, Any]],
    losses: list[dict[str, Any]],
    legend: list[dict[str, str]],
    radius: int,
    full: str,
    picked: int,
    drawing: int,
    event_pick: Pick,
    event_drawn: Callable[[Any], None],
) -> None: ...


@solara.component_vue("memory.vue")
def _memory(
    bars: list[dict[str, Any]],
    ram_y: float,
    ticks: list[dict[str, Any]],
    legend: list[dict[str, str]],
    event_pick: Pick,
) -> None: ...


@solara.component
def Network(model: WatchedCluster, picked: solara.Reactive[int]) -> None:
    """The topology with its nodes, and the messages where they are now."""
    numbers = solara.use_memo(itertools.count, [])

    def number() -> int:
        model.drawn.clear()
        return next(numbers)

    drawing = solara.use_memo(number, [model, update_counter.get()])
    layout = solara.use_memo(lambda: pictures.Layout(model), [model])
    with model.lock:
        legend = pictures.message_legend(model)
        state = pictures.state_line(model)
        nodes = pictures.node_marks(model, layout)
        messages = pictures.message_marks(model, layout)
        losses = pictures.loss_marks(model, layout)
        faults = pictures.fault_line(model)
    with solara.Card("Network"):
        solara.Text(state, classes=["pnr-state"])
        if faults:
            solara.Text(f"Faults: {faults}", classes=["pnr-faults"], style={"display": "block"})
        _network(
            nodes=nodes,
            edges=layout.edges,
            switches=layout.switches,
            messages=messages,
            losses=losses,
            legend=legend,
            radius=layout.radius,
            full=pictures.FULL,
            picked=picked.value,
            drawing=drawing,
            event_pick=picked.set,
            event_drawn=lambda _: model.drawn.set(),
        )


@solara.component
def Memory(model: WatchedCluster, picked: solara.Reactive[int]) -> None:
    """A bar for each node's memory."""
    update_counter.get()
    with model.lock:
        bars = pictures.memory_bars(model)
    with solara.Card("Memory of each node (MB)"):
        _memory(**bars, legend=pictures.LEGEND, event_pick=picked.set)


@solara.component
def Details(model: WatchedCluster, picked: solara.Reactive[int]) -> None:
    """What the servent of the clicked node knows and has done."""
    update_counter.get()
    with model.lock:
        details = pictures.node_details(model, picked.value)
    with solara.Card("The node clicked on"):
        solara.Style(_DETAILS_STYLE)
        solara.HTML(unsafe_innerHTML=details, classes=["pnr-details"])


@solara.component
def Traffic(model: WatchedCluster) -> None:
    """Messages by kind over time."""
    update_counter.get()
    with model.lock:
        chart = pictures.traffic_chart(model)
    with solara.Card("Traffic"):
        solara.FigureEcharts(chart, attributes=_CHART, responsive=True)


@solara.component
def Responses(model: WatchedCluster) -> None:
    """Response times of the jobs that have ended."""
    update_counter.get()
    with model.lock:
        chart = pictures.response_chart(model)
    with solara.Card("Response times"):
        solara.FigureEcharts(chart, attributes=_CHART, responsive=True)


@solara.component
def PaceMenu(pace: Pace) -> None:
    """The menu that says how far one step goes."""
    goal, set_goal = solara.use_state(pace.goal)

    def choose(value: str) -> None:
        pace.goal = value
        set_goal(value)

    with solara.Card("A step goes on for, or until"):
        solara.Select("Step", value=goal, values=list(PACES), on_value=choose)
        solara.Text("Play repeats it. Changed parameters take effect at the next Reset.")


def dashboard(scenario: Scenario) -> Callable[[], Any]:
    """The page's component for clusters like the scenario's; raises InputError."""
    parameters = controls(scenario)
    initial = {name: control["value"] for name, control in parameters.items()}

    @solara.component
    def Page() -> None:
        pace = solara.use_memo(Pace, [])
        picked = solara.use_reactive(0)
        made = solara.use_memo(lambda: WatchedCluster(scenario, pace, **initial), [])
        model = solara.use_reactive(made)
        with solara.Sidebar():
            PaceMenu(pace)
        # SolaraViz gets no components, since it would lay them out in cells of equal size.
        SolaraViz(
            model,
            model_params={"like": scenario, "pace": pace, **parameters},
            play_interval=100,
            name="Parallel Network RAM",
        )
        now = model.value
        with solara.v.Row():
            with solara.v.Col(cols=12, lg=6):
                Network(now, picked)
                Details(now, picked)
            with solara.v.Col(cols=12, lg=6):
                Memory(now, picked)
                Traffic(now)
                Responses(now)

    return Page


def controls(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """Mesa's controls for what can be chosen on the page, with the scenario's values.

    They offer only what fits together, since Mesa has no place for error messages.
    """
    designs = [*scenario.designs, *(name for name in DESIGNS if _fits(load_design, name, scenario))]
    topologies = [scenario.topology]
    for name in known("networks"):
        other = scenario.model_copy(update={"topology": name.replace("_", "-")})
        if _fits(load_network, other, Constants.of(other)):
            topologies.append(other.topology)
    controls = {
        "design": _menu("Design", "MAN" if "MAN" in designs else designs[0], designs),
        "topology": _menu("Topology", scenario.topology, topologies),
        "ram": _menu(f"RAM (% of {scenario.ram_mb:g} MB)", scenario.ram, RAM_PCT),
        "bandwidth_mbps": _menu("Bandwidth (Mbps)", scenario.bandwidth_mbps, NETWORK_MBPS),
        "seed": _slider("Seed", scenario.seed, 0, max(100, scenario.seed)),
    }
    if scenario.job is None:
        records = len(read_log(scenario).records)
        first, jobs = scenario.window
        rest = records - first + 1
        jobs = jobs or rest
        most = min(rest, max(jobs, SHOWCASE_JOBS))
        controls["first"] = _slider("First record of the trace", first, 1, records - most + 1)
        controls["jobs"] = _slider("Jobs", jobs, 1, most)
    return controls


def _fits(load: Callable[..., Any], *arguments: Any) -> bool:
    try:
        load(*arguments)
    except InputError:
        return False
    return True


def _menu(label: str, value: Any, values: Iterable[Any]) -> dict[str, Any]:
    offered = [*dict.fromkeys([*values, value])]
    return {"type": "Select", "label": label, "value": value, "values": offered}


def _slider(label: str, value: int, least: int, most: int) -> dict[str, Any]:
    limits = {"min": least, "max": most, "step": 1}
    return {"type": "SliderInt", "label": label, "value": value, **limits}
