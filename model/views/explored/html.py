"""Writes the page in which a state graph is walked: scenes, scripts and styles in one file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from model.ground.errors import InputError
from model.pnr.explore.atlas import DOOMED, OUTSIDE, Atlas, outlook
from model.pnr.explore.properties import Properties
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import Step
from model.pnr.explore.world import World
from model.views.explored.scenes import Scenes, about, token
from model.views.one_file import as_json, import_map, rendered, write_page

_HERE = Path(__file__).parent
_PAGE = _HERE.parent / "page"  # of a journal, whose styles and words this page shares
_SHARED = [_PAGE / name for name in ("axis.js", "elements.js", "words.js")]
_START = 'import { open } from "explored/app"; open();'
_MOST_COMPLAINTS = 4  # that have a button

Ways = list[tuple[str, str, str]]  # what they lead to: its sort, its name, and the steps


def write(atlas: Atlas, file: Path) -> None:
    """Write the page of an atlas."""
    setting = atlas.world.setting
    content = fragment(atlas) | {
        "about": about(setting) | {"whole": atlas.whole, "states": len(atlas.states)},
        "ways": ways_of(atlas),
    }
    write_page(page(setting.design.name, content), file)


def live_page(setting: Setting, ways: Ways, begin: Mapping[str, object]) -> str:
    """The page whose server, where it comes from, takes the steps; it has the beginning."""
    told = about(setting) | {"whole": False, "states": None}
    return page(setting.design.name, {**begin, "about": told, "ways": ways, "live": True})


def fragment(atlas: Atlas) -> dict[str, object]:
    """The scenes of an atlas, with the tables that they refer to."""
    scenes = Scenes(atlas.world)
    rows = [
        scenes.row(state, steps, outlook, atlas.broken.get(number))
        for number, (state, steps, outlook) in enumerate(
            zip(atlas.states, atlas.steps, atlas.outlooks, strict=True)
        )
    ]
    return {**scenes.tables, "kinds": scenes.kinds, "states": rows}


def along(world: World, properties: Properties, way: Sequence[Step]) -> dict[str, object]:
    """The scenes along a way from the beginning, and those one step further, without an atlas.

    Raises InputError if a step is not possible.
    """
    scenes, rows = Scenes(world), []
    state, broken, _ = world.beginning()
    for number, step in enumerate(way, start=1):
        steps = [] if broken is not None else world.steps(state)
        if step not in steps:
            raise InputError(f"step {number} of this way, “{token(step)}”, is not possible here")
        edges = [(one, number if one == step else OUTSIDE) for one in steps]
        rows.append((state, edges, broken))
        state, broken, _ = properties.taken(world, state, step)
    following = [] if broken is not None else world.steps(state)
    edges = [(step, place) for place, step in enumerate(following, start=len(rows) + 1)]
    rows.append((state, edges, broken))
    for step in following:
        after, complaint, _ = properties.taken(world, state, step)
        steps = [] if complaint is not None else world.steps(after)
        rows.append((after, [(one, OUTSIDE) for one in steps], complaint))
    states = [
        scenes.row(state, edges, DOOMED if broken else outlook(world, properties, state), broken)
        for state, edges, broken in rows
    ]
    return {**scenes.tables, "kinds": scenes.kinds, "states": states}


def ways_of(atlas: Atlas) -> Ways:
    """Where the page has buttons to: each kind of complaint, what is to be seen, a good end."""
    found: Ways = []
    heads: set[str] = set()
    for state, complaint in atlas.broken.items():
        head = complaint.partition(":")[0]
        if head not in heads and len(heads) < _MOST_COMPLAINTS:
            heads.add(head)
            found.append(("broken", head, written(atlas.search.path(state))))
    doomed = next((state for state, steps in enumerate(atlas.outlooks) if steps == DOOMED), None)
    if doomed is not None and not heads:
        found.append(("lost", "a doomed state", written(atlas.search.path(doomed))))
    good = next((state for state, steps in enumerate(atlas.outlooks) if steps == 0), None)
    if good is not None:
        found.append(("good", "a good end", written(atlas.search.path(good))))
    for wish, bit in Properties(atlas.world.setting).bits.items():
        way = atlas.way_to_first(bit)
        if way is not None:
            found.append(("seen", wish, written(way)))
    return found


def written(way: Sequence[Step]) -> str:
    """A way as it stands in an address."""
    return ",".join(map(token, way))


def page(title: str, content: Mapping[str, object]) -> str:
    """The page with this content; it runs no script and has no style but its own."""
    css = "".join((room / name).read_text("utf-8") for room, name in _STYLES)
    modules = import_map({"explored": sorted(_HERE.glob("*.js")), "page": _SHARED})
    return rendered(
        _HERE / "walked.html",
        title=f"{title}: a graph to walk in",
        css=css,
        scripts=[modules, _START],
        live="live" in content,
        modules=modules,
        start=_START,
        content=as_json(content),
    )


_STYLES = ((_PAGE, "page.css"), (_HERE, "walked.css"))
