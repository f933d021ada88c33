"""The lines under each picture that say what it shows: the scenario, the run, what is selected."""

from model.core.journal.kinds import Submitted
from model.core.scenario import BaseScenario
from model.ground.units import NS_PER_S
from model.views.recording import Recording, Selection

_DOT = " · "
_FEW = 12  # selected nodes that are named


def of_run(scenario: BaseScenario, name: str, jobs: int) -> str:
    """System, design or policy, cluster, workload and seed of a run."""
    parts = (
        scenario.system_in_words,
        f"{scenario.noun} {name}",
        f"{scenario.nodes} node{'s' * (scenario.nodes != 1)}, {scenario.topology}, "
        f"{scenario.bandwidth_mbps:g} Mbps",
        scenario.ram_in_words,
        _workload(scenario, jobs),
        f"seed {scenario.seed}",
        *scenario.peculiarities,
    )
    return _DOT.join(parts)


def caption(recording: Recording, selection: Selection, against: Recording | None = None) -> str:
    """The run (and the one beside it), what of it is selected, what its journal leaves out."""
    scenario = recording.scenario
    jobs = int(recording.of_kinds(Submitted)["job"].nunique())
    design = recording.design + ("" if against is None else f" against {against.design}")
    parts = [of_run(scenario, design, jobs)]
    if recording.part:
        parts.append(f"from a part of the journal with the messages of {', '.join(recording.part)}")
    parts += selected(recording, selection)
    if recording.stopped:
        parts.append("the run was stopped then; the fate of its messages is not known")
    if scenario.lends_memory and not recording.in_detail:
        parts.append("single pages and barriers are not in the journal")
    if recording.finding is not None:
        parts.append("a path found by explore, one step per second")
    return _DOT.join(parts)


def _workload(scenario: BaseScenario, jobs: int) -> str:
    workload = f"{jobs} job{'s' * (jobs != 1)}" if jobs else "jobs"
    workload += scenario.origin_of_jobs
    factor = scenario.load_factor
    return workload if factor == 1 else f"{workload}, load factor {factor:g}"


def selected(recording: Recording, selection: Selection) -> list[str]:
    """What is selected of a run, for people; empty if all of it is."""
    parts = [] if selection.job is None else [f"job {selection.job} only"]
    from_s, to_s = selection.times_s(recording)
    if from_s is not None or to_s is not None:
        last_s = int(recording.records["time_ns"].max()) / NS_PER_S
        first_s = 0 if from_s is None else from_s
        last_s = last_s if to_s is None else to_s
        parts.append(f"{first_s:,.12g} to {last_s:,.12g} s")
    if selection.nodes:
        nodes = selection.nodes_of(recording)
        named = f"nodes {', '.join(map(str, nodes))}"
        parts.append(f"{named if len(nodes) <= _FEW else f'{len(nodes)} nodes'} only")
    if selection.messages:
        parts.append(f"{', '.join(selection.messages)} only")
    return parts
