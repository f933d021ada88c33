"""Serves the page of `model/views/explored` for settings with too many states for a file.

The page sends the whole way, and gets the scenes along it; nothing is kept of a page between its
requests, so any number of pages can walk.
"""

from threading import Lock

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from model.ground.errors import InputError, cut
from model.pnr.explore.alike import Distinguished
from model.pnr.explore.properties import Properties
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import Step
from model.pnr.explore.world import World
from model.views.explored.html import Ways, along, live_page
from model.views.explored.scenes import step_of
from model.views.one_file import as_json

_LONGEST = 1_000  # steps of a way


class Walk:
    """Takes the steps for pages; one world, which knows ever more of what nodes do, is for all."""

    def __init__(self, setting: Setting, ways: Ways) -> None:
        self.setting, self.ways = setting, ways
        self.properties = Properties(setting)
        self.world = World(setting)
        self._one_at_a_time = Lock()

    def app(self) -> Starlette:
        """The application, without a guard."""
        page = live_page(self.setting, self.ways, self.scenes(""))
        routes = [
            Route("/", lambda request: HTMLResponse(page)),
            Route("/scenes", self.answer),
        ]
        return Starlette(routes=routes)

    async def answer(self, request: Request) -> Response:
        """The scenes along the way that the page asks for; a line about a way that is none."""
        try:
            found = await run_in_threadpool(self.scenes, request.query_params.get("way", ""))
        except InputError as error:
            return PlainTextResponse(str(error), 400)
        return Response(as_json(found), media_type="application/json")

    def scenes(self, written: str) -> dict[str, object]:
        """The scenes along a way as an address has it; raises InputError."""
        way = _way_of(written)
        with self._one_at_a_time:
            while True:
                try:
                    return along(self.world, self.properties, way)
                except Distinguished as noticed:  # more makes a difference from now on
                    self.world = World(self.setting, noticed.alike)


def _way_of(written: str) -> list[Step]:
    tokens = [token for token in written.split(",") if token]
    if len(tokens) > _LONGEST:
        raise InputError(f"a way of {len(tokens):,} steps; at most {_LONGEST:,} are walked")
    way = []
    for token in tokens:
        step = step_of(token)
        if step is None:
            raise InputError(f"“{cut(token, 20)}” is no step")
        way.append(step)
    return way
