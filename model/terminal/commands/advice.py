"""`run.py advice`."""

from model.ground.errors import InputError
from model.terminal.options import OfResults


class Advice(OfResults):
    """Advise which design to use for which network and load: the thesis's table 5.1, recomputed.

    Example: run.py advice results/thesis
    """

    def run(self) -> None:
        """Print the table."""
        from model.sweeps.advice import NETWORKS, advise
        from model.sweeps.results import load_results
        from model.terminal.printing import Table, print_table
        from model.terminal.progress import said_if_slow
        from model.terminal.tables import with_half_width

        with said_if_slow(f"reading {self.folder}"):
            rows = advise(load_results(self.folder, self.model_version))
        if not rows:
            raise InputError(
                f"{self.folder}: has no runs of DP and two other designs under the thesis's loads; "
                f"do them with run.py sweep thesis --out {self.folder}"
            )
        lines = [
            [
                *(str(row.nodes), row.network, row.load),
                f"{row.cases} of {len(NETWORKS[row.network])}",
                *(row.use, row.thesis),
                with_half_width(row.ahead_pct.mean, row.ahead_pct.half_width, "+,.2f"),
                with_half_width(row.vs_dp_pct.mean, row.vs_dp_pct.half_width, "+,.2f"),
                str(row.ahead_pct.n) if row.ahead_pct.n > 1 else "1: no confidence",
            ]
            for row in rows
        ]
        names = ["nodes", "network", "load", "cases", "use", "table 5.1"]
        headings = ["ahead of the next, %", "better than DP, %", "replications"]
        print_table(Table(names, headings, lines))
