"""All pictures of a run on one page, each under its question."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from model.ground.errors import InputError
from model.views.caption import caption
from model.views.offered import PICTURES
from model.views.one_file import rendered, write_page
from model.views.picture import Picture
from model.views.recording import Recording, Selection

_HERE = Path(__file__).parent

Draw = Callable[[str], Picture]


def write(recording: Recording, selection: Selection, draw: Draw, file: Path) -> None:
    """Write a page with what `draw` returns for each kind; for one that is refused, the reason."""
    page = rendered(
        _HERE / "gallery.html",
        title=f"{recording.scenario.noun.capitalize()} {recording.design}",
        shows=caption(recording, selection),
        pictures=list(_pictures(draw)),
        css=(_HERE / "gallery.css").read_text("utf-8"),
    )
    write_page(page, file)


def _pictures(draw: Draw) -> Iterator[dict[str, str]]:
    for kind, question in PICTURES.items():
        image, reason = "", ""
        try:
            drawn = BytesIO()
            draw(kind).savefig(drawn, format="png", dpi=150)
            image = b64encode(drawn.getvalue()).decode()
        except InputError as error:
            reason = str(error)
        question = question[0].upper() + question[1:]
        yield {"kind": kind, "question": question, "image": image, "reason": reason}
