"""A figure that makes room for all that is written on it, once for each file."""

from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine


class LaidOut(Figure):
    """A figure in Matplotlib's constrained layout."""

    def __init__(self, figsize: tuple[float, float]) -> None:
        super().__init__(figsize=figsize, layout="constrained")

    def lay_out(self) -> None:
        """Make room for all that is written; to draw it as well would take as long again."""
        layout = self.get_layout_engine()
        assert layout is not None, "it is frozen"
        layout.execute(self)

    def freeze(self) -> None:
        """Keep the layout as it is now, whatever is drawn."""
        self.set_layout_engine(None)

    def draw(self, renderer: RendererBase) -> None:
        """Draw it, or only lay it out.

        To save a figure Matplotlib draws it twice: first to nowhere, for its layout alone, and then
        into the file, for which another layout engine stands in that does nothing.
        """
        if self.canvas.is_saving() and isinstance(
            self.get_layout_engine(), ConstrainedLayoutEngine
        ):
            self.lay_out()
        else:
            super().draw(renderer)
