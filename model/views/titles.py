"""What the shapes of a picture say when a pointer rests on them: titles, in SVG alone.

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
_SAYS = "_says"  # an attribute of artists


def titled(artist: Artist, says: str | Sequence[str]) -> None:
    """Give what is drawn a title, or each of a collection's shapes one, in their order."""
    setattr(artist, _SAYS, says)


def save_svg(figure: Figure, file: Path) -> None:
    """Write the figure as SVG with its titles."""
    saying: dict[str, Any] = {}
    for artist in figure.findobj(lambda one: hasattr(one, _SAYS)):
        name = f"titled-{len(saying)}"
        arrow = getattr(artist, "arrow_patch", None)  # of an annotation, which is no child of it
        (arrow or artist).set_gid(name)
        saying[name] = getattr(artist, _SAYS)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg")
    if not saying:
        file.write_bytes(drawn.getvalue())
        return
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    # matplotlib's comments say what text is drawn, which else is outlines
    keeping = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.fromstring(drawn.getvalue(), keeping)
    for group in root.iter(f"{{{_SVG}}}g"):
        says = saying.get(group.get("id", ""))
        if isinstance(says, str):
            _put(group, says)
        elif says is not None:  # each shape is drawn, if only as nothing
            shapes = [one for one in _drawn(group) if one.tag in _SHAPES]
            for shape, text in zip(shapes, says, strict=True):
                _put(shape, text)
    ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _drawn(group: ElementTree.Element) -> list[ElementTree.Element]:
    """All elements below a group that are shown: definitions are not."""
    found = []
    for child in group:
        if child.tag != f"{{{_SVG}}}defs":
            found += [child, *_drawn(child)]
    return found


def _put(element: ElementTree.Element, says: str) -> None:
    title = ElementTree.Element(f"{{{_SVG}}}title")
    title.text = says
    element.insert(0, title)
