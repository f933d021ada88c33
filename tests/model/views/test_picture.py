"""Every picture, of few nodes and of many: what is written can be read."""

from functools import cache
from itertools import combinations

import pytest
from matplotlib.transforms import Bbox

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.offered import PICTURES
from model.views.recording import Selection, record
from model.views.show import Look, figure_of

CLUSTER = (72, "dragonfly")

WIDE = ("sequence", "queues")  # cannot be as narrow as a column


@cache
def recorded(nodes, topology):
    """Jobs on few nodes and on all, in two slots, short of memory here and there."""
    job = [
        {"processes": 4, "memory_mb": 40, "demand_s": 90, "number": 1},
        {"processes": nodes, "memory_mb": 10, "demand_s": 100},
        {"processes": 1, "memory_mb": 40, "demand_s": 50, "submit_s": 1},
    ]
    limits = {"barrier_s": 50, "page_bytes": 2**29}
    return record(make_scenario(job=job, nodes=nodes, topology=topology, **limits), "CLI", "all")


@cache
def drawn(kind, nodes, topology):
    """The picture of a kind, of one job where it is about one."""
    selection = Selection(job=1 if kind == "why" else None)
    return figure_of(kind, recorded(nodes, topology), selection)


def extents(texts):
    shown = [text for text in texts if text.get_visible() and text.get_text()]
    return [(text.get_text(), text.get_window_extent()) for text in shown]


def groups(figure):
    """Texts none of which may lie on another: of an axis, and the labels of all axes."""
    labels = []
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            # those on one line, without those outside of the panel, which are not drawn
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            yield extents(label for tick in ticks for label in (tick.label1, tick.label2))
            labels.append(axis.label)
        labels += [axes._left_title, axes.title]
    yield extents([*labels, figure._suptitle])


@pytest.mark.parametrize("kind", PICTURES)
def test_no_label_lies_on_another_or_beyond_the_picture(kind):
    figure = drawn(kind, *CLUSTER)
    for look in (Look(), Look(width_cm=8.4)):
        if look.width_cm and kind in WIDE:
            with pytest.raises(InputError, match=r"--width-cm 8\.4: what is written"):
                look.put_on(figure)
            continue
        look.put_on(figure).draw_without_rendering()
        for group in groups(figure):
            for name, extent in group:
                both = Bbox.union([figure.bbox, extent.padded(-1)])
                assert both.size == pytest.approx(figure.bbox.size), (look, name)
            for (one, here), (other, there) in combinations(group, 2):
                assert not here.padded(-1).overlaps(there.padded(-1)), (look, one, other)


def test_a_narrow_picture_of_several_panels_still_numbers_its_times():
    figure = Look(width_cm=8.4).put_on(drawn("gantt", *CLUSTER))
    figure.draw_without_rendering()
    low, high = figure.axes[-1].get_xlim()
    numbers = [it for it in figure.axes[-1].get_xticks() if low <= it <= high]
    assert len(numbers) >= 3
