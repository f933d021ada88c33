"""Figures that are laid out: as Matplotlib does it, but drawn once."""

from io import BytesIO

import matplotlib
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from model.views.laid_out import LaidOut


class Counted(Text):
    """A text that counts how often it is drawn."""

    drawn = 0

    def draw(self, renderer):
        self.drawn += 1
        super().draw(renderer)


def with_labels(figure):
    axes = figure.subplots()
    axes.plot([0, 1e6], [0, 1], label="a line")
    axes.set(xlabel="Time (s)", ylabel="Of two\nlines", title="A title")
    figure.legend(loc="outside lower left")
    return figure


def saved(figure, **how):
    file = BytesIO()
    figure.savefig(file, **how)
    return file.getvalue()


@pytest.mark.parametrize("how", [{"format": "png"}, {"format": "svg", "metadata": {"Date": None}}])
def test_the_file_is_that_of_matplotlib_at_any_resolution_and_size(how):
    ours = with_labels(LaidOut((3, 2)))
    plain = with_labels(Figure((3, 2), layout="constrained"))
    for dpi, size in ((40, (3, 2)), (90, (3, 2)), (90, (2, 2))):
        ours.set_size_inches(size)
        plain.set_size_inches(size)
        with matplotlib.rc_context({"svg.hashsalt": "the same"}):
            assert saved(ours, dpi=dpi, **how) == saved(plain, dpi=dpi, **how)


def test_each_part_is_drawn_once_for_a_file():
    figure = with_labels(LaidOut((3, 2)))
    text = figure.axes[0].add_artist(Counted(0, 0, "counted"))
    saved(figure, dpi=40)
    assert text.drawn == 1
    figure.freeze()
    saved(figure, dpi=40)
    assert text.drawn == 2


def test_what_is_frozen_stays_where_it_is():
    figure = with_labels(LaidOut((3, 2)))
    figure.lay_out()
    place = figure.axes[0].get_position().bounds
    assert place[1] > 0.2  # there is room for a label and the legend
    figure.freeze()
    figure.axes[0].set_xlabel("of\nmany\nlines")
    saved(figure, dpi=40)
    assert figure.axes[0].get_position().bounds == place
