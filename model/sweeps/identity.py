"""The key of a run: a hash of everything that decides its result, and of nothing else.

A run is of a design (Parallel Network RAM) or of a policy (load sharing).
"""

from collections.abc import Mapping
from pathlib import Path

from model.core.files import content
from model.core.scenario import BaseScenario
from model.core.topology import canonical_hash, fingerprint
from model.core.version import version_of_rooms
from model.ground.errors import InputError
from model.sweeps.observing import version_of_observer
from model.systems import PNR, comparison_of

_ROOMS = ("agents", "topologies", "model/ground", "model/core", "model/logs")


def model_version(system: str | None = None) -> str:
    """The version of the code that decides results: Parallel Network RAM's or load sharing's."""
    own = "model/pnr" if system in (None, PNR) else "model/sharing"
    return version_of_rooms(*_ROOMS, own)


def identity(scenario: BaseScenario, observer: str | None = None) -> dict[str, object]:
    """All that decides the result of a run of the scenario's only design or policy.

    A trace, like a memory profile, counts by its content, not by its place; network and design by
    their names, those of one's own also by graph and code; a policy of one's own by its name and
    its file; an observer by its code (`observing.py`). Raises InputError.
    """
    (name,) = scenario.compared
    comparison = comparison_of(scenario)
    dumped = scenario.model_dump(mode="json", exclude={scenario.compares})
    values = scenario.as_run(dumped)
    try:
        if getattr(scenario, "job", None) is not None:
            values["trace"] = None
        elif scenario.trace_file is not None:
            values["trace"] = content(scenario.trace_file)
        if scenario.profile_file is not None:
            values["memory_profile"] = content(scenario.profile_file)
        if values.get("page_costs") is not None:
            values["page_costs"] = content(Path(str(values["page_costs"])))
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}; give a readable file") from None
    constants = comparison.constants
    # A default may be an integer where a given value is a float; both are the same network.
    link = (float(scenario.bandwidth_mbps), constants.latency_ns, constants.switch_ns)
    values["topology"] = fingerprint("networks", scenario.topology, scenario.nodes, *link)
    design = comparison.identity_of(name)
    observed = {} if observer is None else {"observer": version_of_observer(observer)}
    version = model_version(dumped.get("system"))
    return {"version": version, **values, "design": design, **observed}


def key_of(identity: Mapping[str, object]) -> str:
    return canonical_hash(identity)


def conditions_of(identity: Mapping[str, object]) -> str:
    """A text that is the same for runs that differ in the design (or policy) alone.

    They share their jobs and draws (common random numbers), and are compared in pairs.
    """
    return canonical_hash({**identity, "design": None})[:16]
