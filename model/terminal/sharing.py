"""What the command line prints about load sharing besides comparisons."""

from model.papers.memory import queueing_model
from model.terminal.printing import print_table


def print_queueing_model() -> None:
    """Print table 2 of the paper in three readings, next to the printed values."""
    print_table(
        ["policy"],
        ["one queue per node", "half of that", "CPU and disk apart", "printed"],
        [(name, *(f"{value:.2f}" for value in values)) for name, *values in queueing_model.table()],
        "mean response time, s (tables 1 and 2 of CPU-memory load sharing)",
    )
