"""`run.py advice`."""

from model.terminal.options import OfResults


class Advice(OfResults):
    """Advise which design to use for which network and load: the thesis's table 5.1, recomputed.

    Example: run.py advice results/thesis
    """

    def run(self) -> None:
        """Print the table."""
        from model.terminal.advice import show_advice

        show_advice(self.folder, self.model_version)
