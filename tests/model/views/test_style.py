"""Colors of the page can be read on white and in the dark; contrasts by other code."""

import re
from pathlib import Path

import pytest

from model.core.journal.kinds import KINDS
from model.core.journal.words import SPENT
from model.views import style

CSS = Path(style.__file__).parent.joinpath("page/page.css").read_text("utf-8")
#: What is written or drawn in, by what it must stand out.
TEXTS, MARKS = ("ink", "grey"), ("faded", "accent")


def luminance(color):
    """Relative luminance, by the definition of sRGB in W3C's WCAG 2.2."""
    red, green, blue = bytes.fromhex(color[1:])
    levels = [
        level / 255 / 12.92 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4
        for level in (red, green, blue)
    ]
    return sum(share * level for share, level in zip((0.2126, 0.7152, 0.0722), levels, strict=True))


def ratio(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def declared():
    """The colors of page.css: those on white, and those in the dark."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[:2]
    found = [dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in (light, dark)]
    return found[0], found[0] | found[1]


def test_contrast_is_that_of_wcag():
    assert style.contrast("#ffffff", "#000000") == pytest.approx(21)
    assert style.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # known of W3C


def test_the_page_has_the_papers_of_the_colors():
    assert tuple(colors["paper"] for colors in declared()) == style.PAPERS


def test_what_is_written_and_what_is_faded_can_be_read():
    for colors in declared():
        for name in TEXTS:
            assert ratio(colors[name], colors["paper"]) >= 4.5, name
            assert ratio(colors[name], colors["panel"]) >= 4.5, name
        for name in MARKS:
            assert ratio(colors[name], colors["paper"]) >= 3, name


def test_every_color_of_a_kind_a_record_and_a_part_of_time_can_be_seen_even_pale():
    colors = {style.color_of_record(kind) for kind in KINDS.values()}
    colors |= {style.PART_COLORS[name] for name in SPENT.values()}
    kinds = (*style._KIND_COLORS, "Own", "Another")
    for forms in [*map(style.on_papers, colors), *map(style.forms_of, kinds)]:
        for full, pale, paper in zip(forms, forms[2:], style.PAPERS, strict=False):
            assert ratio(full, paper) >= ratio(pale, paper) >= 3
