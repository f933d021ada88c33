"""Titles of the shapes of a picture, seen when a pointer rests on them; in SVG alone.

matplotlib knows none, so they are put into the file: SVG 1.1, section 5.4, "The desc and title
elements".
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from matplotlib.artist import Artist
from matplotlib.figure import Figure

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_SHAPES = (f"{{{_SVG}}}path", f"{{{_SVG}}}use")
_TITLE = "_titles"  # an attribute of artists


def titled(artist: Artist, titles: str | Sequence[str]) -> None:
    """Give what is drawn a title, or each of a collection's shapes one, in their order."""
    setattr(artist, _TITLE, titles)


def save_svg(figure: Figure, file: Path) -> None:
    """Write the figure as SVG with its titles."""
    titles_of: dict[str, Any] = {}
    for artist in figure.findobj(lambda one: hasattr(one, _TITLE)):
        name = f"titled-{len(titles_of)}"
        arrow = getattr(artist, "arrow_patch", None)  # of an annotation, which is no child of it
        (arrow or artist).set_gid(name)
        titles_of[name] = getattr(artist, _TITLE)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg")
    if not titles_of:
        file.write_bytes(drawn.getvalue())
        return
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    # matplotlib's comments are the texts that are drawn, of which only outlines are left else
    keeping = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.fromstring(drawn.getvalue(), keeping)
    for group in root.iter(f"{{{_SVG}}}g"):
        titles = titles_of.get(group.get("id", ""))
        if isinstance(titles, str):
            _put(group, titles)
        elif titles is not None:  # each shape is drawn, if only as nothing
            shapes = [one for one in _drawn(group) if one.tag in _SHAPES]
            for shape, text in zip(shapes, titles, strict=True):
                _put(shape, text)
    ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _drawn(group: ElementTree.Element) -> list[ElementTree.Element]:
    """All elements below a group that are shown: definitions are not."""
    found = []
    for child in group:
        if child.tag != f"{{{_SVG}}}defs":
            found += [child, *_drawn(child)]
    return found


def _put(element: ElementTree.Element, text: str) -> None:
    title = ElementTree.Element(f"{{{_SVG}}}title")
    title.text = text
    element.insert(0, title)
