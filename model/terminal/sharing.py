"""What the command line prints about load sharing besides comparisons."""

from model.papers.memory import queueing_model
from model.terminal.printing import Table, print_table


def print_queueing_model() -> None:
    """Print table 2 of the paper in three readings, next to the printed values."""
    readings = ["one queue per node", "half of that", "CPU and disk apart", "printed"]
    lines = [
        (name, *(f"{value:.2f}" for value in values)) for name, *values in queueing_model.table()
    ]
    title = "mean response time, s (tables 1 and 2 of CPU-memory load sharing)"
    print_table(Table(["policy"], readings, lines, title))
