"""The report where a reader prefers dark pages, in a browser."""

import io

import numpy as np
import pytest
from matplotlib.image import imread

from model.pnr.scenario import make_scenario
from tests.journaled import compared

JOBS = [{"processes": 2, "memory_mb": 40, "demand_s": 2}]


def luminance(color):
    """Of a color, or of each pixel of a picture, in sRGB from 0 to 1 (WCAG 2.2)."""
    color = np.asarray(color, float)[..., :3]
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    """Between two luminances."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def rgb(style):
    return [int(part) / 255 for part in style.removeprefix("rgb(").removesuffix(")").split(",")]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    file = tmp_path_factory.mktemp("dark") / "page.html"
    scenario = make_scenario(job=JOBS, nodes=4, designs="DP,CLI,MAN")
    compared(scenario, report=file, plane="actors")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_figures_stand_out_from_the_page(browser, report, scheme):
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1000, "height": 800})
    page.goto(report.as_uri())
    style = "(name) => getComputedStyle(document.querySelector(name))"
    behind = luminance(rgb(page.evaluate(f"({style})('body').backgroundColor")))
    assert (behind > 0.5) == (scheme == "light")
    for name in ("p", "a", "th", "figcaption"):
        assert contrast(luminance(rgb(page.evaluate(f"({style})('{name}').color"))), behind) >= 4.5
    code = luminance(rgb(page.evaluate(f"({style})('pre').backgroundColor")))
    assert contrast(luminance(rgb(page.evaluate(f"({style})('pre').color"))), code) >= 4.5

    # What surrounds a figure's drawing is as the page, and what is most unlike it stands out.
    for image in page.locator("img").all():
        pixels = luminance(imread(io.BytesIO(image.screenshot()), format="png"))
        assert contrast(pixels[2, 2], behind) < 1.1
        farthest = pixels.max() if scheme == "dark" else pixels.min()
        assert contrast(farthest, behind) >= 4.5
    page.close()
