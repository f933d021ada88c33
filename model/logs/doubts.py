"""What in a log contradicts itself, so that it should not be believed, and what helps."""

from collections.abc import Iterator

from model.ground.units import NS_PER_S, megabytes
from model.logs.log import Column, Log

_FEWEST = 10  # jobs of which anything is said
_IMPOSSIBLE = 2**40  # bytes of a process: more than most nodes have even today


def contradictions(
    log: Log, demand: str, memory_field: int, memory_unit: str, stated_processors: bool
) -> Iterator[str]:
    """What is doubtful in a log, for jobs that take their times and memory from these fields."""
    if not stated_processors:
        yield from _of_size(log)
    yield from _of_ends(log)
    if demand == "cpu":
        yield from _of_time(log)
    yield from _of_memory(log, memory_field, memory_unit)


def _of_size(log: Log) -> Iterator[str]:
    largest = int(log.processors.argmax())
    size, stated = int(log.processors[largest]), log.stated_processors
    if stated is not None and size > stated:
        yield (
            f"the job in line {log.line[largest]} has {size:,} processors, more than the machine's "
            f"{stated:,} in the header; --machine-processors {size} makes it larger"
        )


def _of_ends(log: Log) -> Iterator[str]:
    if log.is_table and len(log) >= _FEWEST and (log.run_ns >= log.submit_ns).all():
        yield (
            "the seconds of all jobs are beyond their times of submission, so they may be times of "
            'the end; seconds = { from = "start", to = "end", unit = "s" } takes the difference'
        )


def _of_time(log: Log) -> Iterator[str]:
    both = (log.cpu_ns >= 0) & (log.run_ns > 0)
    cpu_ns, run_ns = log.cpu_ns[both], log.run_ns[both]
    if len(cpu_ns) < _FEWEST or log.cpu_ns is log.run_ns:
        return
    help_ = f"of {len(cpu_ns):,} jobs; --demand runtime takes their run time instead"
    if _same(cpu_ns) and not _same(run_ns):
        yield f"CPU time is the same, {cpu_ns[0] / NS_PER_S:g} s, in all {help_}"
    elif 2 * (few := int((100 * cpu_ns < run_ns).sum())) > len(cpu_ns):
        yield f"CPU time is below 1 % of the run time in {few:,} {help_}"
    elif 2 * (many := int((cpu_ns > run_ns + NS_PER_S).sum())) > len(cpu_ns):
        yield f"CPU time is above 100 % of the run time in {many:,} {help_}"


def _of_memory(log: Log, field: int, unit: str) -> Iterator[str]:
    columns = {7: log.used_bytes, 10: log.requested_bytes}
    if not _known(columns[field]).size:
        field = 17 - field
    sizes, others = _known(columns[field]), _known(columns[17 - field])
    names = {7: "used", 10: "requested"}
    if len(sizes) >= _FEWEST and _same(sizes):
        helps = "--memory-mb gives another"
        if others.size and not _same(others):
            helps = f"--memory-field {17 - field} takes the {names[17 - field]} memory instead"
        size_mb = megabytes(int(sizes[0]))
        yield f"{names[field]} memory is the same, {size_mb:,.3g} MB, in all jobs; {helps}"
    if others.size and others.max() >= _IMPOSSIBLE and not (log.is_table or unit == "bytes"):
        yield (
            f"{names[17 - field]} memory (field {17 - field}) of "
            f"{megabytes(int(others.max())):,.0f} MB a process is more than nodes have; "
            "--memory-unit bytes reads it as bytes, not KB"
        )


def _known(sizes: Column) -> Column:
    return sizes[sizes >= 0]


def _same(values: Column) -> bool:
    return bool((values == values[0]).all())
