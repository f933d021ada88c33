"""What a person at a terminal is told of memory before anything runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.core.measures import Table
from model.ground.errors import InputError
from model.ground.text import escaped
from model.ground.units import megabytes, seconds
from model.pnr.job_spec import JobSpec
from model.pnr.scarcity import (
    Room,
    most_on_a_node,
    placed,
    scarce_windows,
    scarcity_begins,
    suggested_ram_pct,
)
from model.pnr.scenario import Scenario
from model.pnr.workload import jobs_of_log
from model.report.reproduction import command
from model.terminal.printing import print_table
from model.terminal.progress import said_if_slow

if TYPE_CHECKING:
    from model.core.comparison import Comparison

_MOST_RAM_PCT = 10**4  # that --ram takes


def if_plentiful(comparisons: Sequence["Comparison[Any]"]) -> str:
    """A line if memory cannot be short, so that all designs do the same; else "".

    Of several such workloads the first one's, and how many others there are. Of load sharing,
    whether jobs page is only known when they have run.
    """
    by_workload = {
        scenario.comparing().model_copy(update={"seed": 0}): (scenario, it)
        for it in comparisons
        if isinstance(scenario := it.scenario, Scenario)
    }
    found = [_if_plentiful(own, it.loaded.workload) for own, it in by_workload.values()]
    lines = [line for line in found if line]
    if len(lines) < 2:
        return "".join(lines)
    return f"{lines[0]}; the same in {len(lines) - 1} more of {len(found)} scenarios"


def _if_plentiful(scenario: Scenario, jobs: Sequence[JobSpec]) -> str:
    room = Room.of(scenario)
    limited = any(job.memory > job.in_ram for job in jobs)
    most = most_on_a_node(jobs, room.slots, max(room.cores))
    if limited or most > (ram := min(room.rams)):
        return ""
    return (
        f"note: memory is short for 0 of {len(jobs):,} jobs: {_sharing(room)} at most "
        f"{megabytes(most):,.1f} of {megabytes(ram):,.1f} MB, so no node needs to borrow"
        + _try(scenario, jobs)
    )


def print_plan(
    scenario: Scenario, comparison: "Comparison[object]", plane: str, outputs: Sequence[Path]
) -> None:
    """Print what would run, without running it. The plane is that which would be taken."""
    jobs: Sequence[JobSpec] = comparison.loaded.workload
    room = Room.of(scenario)
    found, smallest = placed(jobs, room), megabytes(min(room.rams))
    largest = megabytes(most_on_a_node(jobs, 1))
    most = megabytes(most_on_a_node(jobs, room.slots, max(room.cores)))
    names = [*comparison.contestants]
    processes = sum(job.processes for job in jobs)
    cpu_s = sum(job.processes * seconds(job.demand_ns) for job in jobs)
    time = "its time is not estimated"
    if plane == "compiled":
        each_s = [max(1, comparison.expected_s(name)) for name in names]
        longest = f", at most {max(each_s):,.0f} s for a design" if len(names) > 1 else ""
        time = f"an estimated {sum(each_s):,.0f} s of one core in all{longest}"
    load = "all jobs are submitted at once"
    if found.span_s:
        load = f"jobs need {found.load:.0%} of the nodes' CPU time, {found.wanted:.0%} of their RAM"
    lines = {
        "designs": f"{len(names)}, side by side on the cores: {', '.join(names)}",
        "jobs": f"{len(jobs):,}{scenario.origin_of_jobs}: {processes:,} processes, "
        f"{_long(cpu_s)} of CPU time, submitted within {_long(found.span_s)}, seed {scenario.seed}",
        "cluster": f"{scenario.nodes:,} nodes with {scenario.ram_in_words}; scheduler "
        f"{scenario.scheduler}, {room.slots} time slot{'s' * (room.slots > 1)}; "
        f"{scenario.topology}, {scenario.bandwidth_mbps:g} Mbps",
        "load": load,
        "memory": f"short for {found.short:,} of {found.jobs:,} jobs, as if paging took no time; "
        f"{found.alone:,} {'has' if found.alone == 1 else 'have'} processes larger than a node's "
        f"{smallest:,.1f} MB of RAM (the largest: {largest:,.1f} MB); "
        f"{_sharing(room)} at most {most:,.1f} MB",
        "plane": f"{plane}: {time}",
        "writes": ", ".join(map(str, outputs)) or "no files",
    }
    for name, text in lines.items():
        print(f"{name:8} {escaped(text)}")
    print("Nothing was run or written" + ("" if found.short else _try(scenario, jobs)))


def print_windows(scenario: Scenario, length: int, most: int) -> None:
    """Print the windows of the scenario's log in which memory is short for most jobs."""
    jobs, records = jobs_of_log(scenario)
    if length > len(jobs):
        raise InputError(f"--length {length:,}: there are {len(jobs):,} jobs; give at most that")
    room = Room.of(scenario)
    with said_if_slow(f"placing {len(jobs):,} jobs"):
        windows = scarce_windows(jobs, room, length, most)
    if not windows:
        print(f"No window of {length:,} jobs is short of memory" + _try(scenario, jobs))
        if (ram_pct := suggested_ram_pct(jobs, room, scenario.ram)) is not None:
            print_windows(scenario.model_copy(update={"ram": ram_pct}), length, most)
        return
    lines = [
        (
            f"{records[jobs[start].number]:,}",
            f"{found.jobs:,}",
            f"{found.span_s / 3600:,.1f}",
            f"{found.short:,} ({found.short / found.jobs:.0%})",
            f"{found.alone:,}",
            f"{found.load:.2f}",
            f"{found.wanted:.2f}",
        )
        for start, found in windows
    ]
    larger = f"jobs above {megabytes(min(room.rams)):,g} MB"
    headings = ["first job", "jobs", "span, h", "short of memory", larger, "load", "RAM wanted"]
    print_table(Table([], headings, lines, f"windows of {len(jobs):,} jobs, scarcest first"))
    print(_where_it_begins(scenario, jobs, room))
    window = {"first": records[jobs[windows[0][0]].number], "jobs": length}
    line = command(scenario.model_copy(update={**window, "node": None, "fault": None}))
    nodes = "  # and, for its nodes, --node-groups or --scenario as here" if scenario.node else ""
    print(f"{escaped(line)}{nodes}")


def _where_it_begins(scenario: Scenario, jobs: Sequence[JobSpec], room: Room) -> str:
    """At which RAM, or at which memory of jobs, it begins to be short."""
    multiple = scarcity_begins(jobs, room)
    if multiple is None:
        return "No size of RAM was found at which memory becomes short"
    least = f"--memory-scale {scenario.memory_scale / multiple:.3g}"
    ram_pct = scenario.ram * multiple
    ram = f"--ram {float(f'{ram_pct:.3g}'):g} or " if ram_pct < _MOST_RAM_PCT else ""
    return f"Memory becomes short (for a tenth of the jobs) at {ram}{least}"


def _long(time_s: float) -> str:
    return f"{time_s / 3600:,.1f} h" if time_s >= 3600 else f"{time_s:,.0f} s"


def _sharing(room: Room) -> str:
    """Whose memory is counted together."""
    slots, on_core = room.slots, " on each core" * (max(room.cores) > 1)
    if slots == 1:
        return f"processes that share a node, one{on_core}, need" if on_core else "a process needs"
    return f"processes that share a node, one{on_core} in each of {slots} time slots, need"


def _try(scenario: Scenario, jobs: Sequence[JobSpec]) -> str:
    """What would make memory scarce, as the end of a line."""
    ram_pct = suggested_ram_pct(jobs, Room.of(scenario), scenario.ram)
    return "" if ram_pct is None else f"; try --ram {ram_pct}"
