"""Figures of papers: what is stored is drawn, what is not is missed, and nothing is made up."""

import pytest
from matplotlib.colors import to_hex

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, draw, logarithmic
from model.papers.measurements import shows
from tests.model.papers.made_up import measured

LOW, HIGH = (Case(trace="0", mean_mb=1, fault_pct=percent) for percent in (50, 100))
PANEL = Panel((LOW, HIGH), ("1", "2"), "Rate")
A, B = {"A": Style("#000000")}, {"B": Style("#E69F00", dashed=True)}


def test_a_figure_has_what_is_stored_and_says_so():
    figure = PaperFigure("9", "Two cases", (PANEL,), {**A, **B}, "Slowdown", form="bars")
    found = measured("memory", (LOW, "A", 1, 2.0), (HIGH, "A", 1, 5.0), (LOW, "B", 1, 3.0))
    picture = draw(figure, found)
    assert [bar.get_height() for bar in picture.axes[0].patches] == [2, 5, 3]
    assert "3 of 4 values stored; one seed" in picture.get_suptitle()


def test_the_legend_gives_each_design_its_color_even_without_a_bar():
    figure = PaperFigure("9", "Two cases", (PANEL,), {**A, **B}, "Slowdown", form="bars")
    (legend,) = draw(figure, measured("memory", (LOW, "A", 1, 2.0))).legends
    assert [to_hex(patch.get_facecolor()) for patch in legend.get_patches()] == [
        "#000000",
        "#e69f00",
    ]
    assert [text.get_text() for text in legend.get_texts()] == ["A", "B"]


@pytest.mark.parametrize("form", ["bars", "lines"])
def test_a_figure_of_which_nothing_is_stored_is_drawn_empty(form, tmp_path):
    figure = PaperFigure("9", "Nothing", (PANEL, PANEL), {**A, **B}, "Slowdown", form=form)
    picture = draw(figure, measured("memory", (LOW, "C", 1, 2.0)))
    picture.savefig(tmp_path / "empty.png")
    assert "0 of 8 values stored; nothing to show" in picture.get_suptitle()


def test_on_a_logarithmic_axis_all_means_are_in_sight():
    panel = Panel((LOW, HIGH), (1, 2), "Rate")
    figure = PaperFigure("9", "x", (panel,), A, "Slowdown", scale=logarithmic)
    axes = draw(figure, measured("memory", (LOW, "A", 1, 2.0), (HIGH, "A", 1, 3000.0))).axes[0]
    low, high = axes.get_ylim()
    assert axes.get_yscale() == "log"
    assert 0 < low < 2 < 3000 < high


def test_an_interval_much_longer_than_the_means_does_not_flatten_them():
    runs = [(LOW, "A", 1, 1.0), (LOW, "A", 2, 100.0), (HIGH, "A", 1, 50.0)]
    figure = PaperFigure("9", "x", (PANEL,), A, "Slowdown")
    low, high = draw(figure, measured("memory", *runs)).axes[0].get_ylim()
    assert low == 0
    assert 50.5 < high < 2 * 50.5  # the interval of 50.5 ends at 680


def test_a_panel_may_show_a_measure_of_its_own():
    panels = (Panel((LOW,), ("",), "x"), Panel((LOW,), ("",), "x", "", shows(times=10)))
    figure = PaperFigure("9", "x", panels, A, "Slowdown", form="bars")
    picture = draw(figure, measured("memory", (LOW, "A", 1, 2.0)))
    assert [axes.patches[0].get_height() for axes in picture.axes[:2]] == [2, 20]
    assert [text.get_text() for axes in picture.axes[:2] for text in axes.texts] == [
        "2.00",
        "20.00",
    ]
