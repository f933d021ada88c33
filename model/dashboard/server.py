"""Serves the dashboard: one page, and a WebSocket over which the page asks for what to show.

The session lives here, so a reload of the page goes on with it, and two pages show the same.
"""

import asyncio
import os
import socket
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from model.core.scenario import BaseScenario
from model.dashboard.controls import filled, form, names_on_offer
from model.dashboard.guard import Guard
from model.dashboard.pictures import Stage, goals_of, picture, stage_picture
from model.dashboard.session import Origin, Session, default_name
from model.ground.errors import InputError, shown
from model.systems import comparison_of

_BROWSER = Path(__file__).parent / "browser"

T = TypeVar("T")


class Dashboard:
    """A session, and the pages that look at it.

    A page sends JSON objects with a `do`; all pages get the new picture. What takes long is done in
    slices, and `pause` ends it after the present one.
    """

    def __init__(self, origin: Origin, session: Session) -> None:
        self.origin, self.session = origin, session
        self.stage = Stage(session)
        self.pages: list[WebSocket] = []
        self._steps = asyncio.Lock()  # one request that may take long at a time
        self._session = asyncio.Lock()  # held for a slice
        self._paused = False
        self._tasks: set[asyncio.Task[None]] = set()

    def app(self) -> Starlette:
        """The application, without a guard."""
        files = StaticFiles(directory=_BROWSER)
        routes = [
            Route("/", lambda request: FileResponse(_BROWSER / "page.html")),
            WebSocketRoute("/session", self.talk),
            Mount("/browser", files),
        ]
        return Starlette(routes=routes)

    async def talk(self, page: WebSocket) -> None:
        """Do what a page asks for, until it is gone."""
        await page.accept()
        try:
            await page.send_json(await self._with_session(self._everything))
            self.pages.append(page)
            while True:
                asked = await page.receive_json()
                if isinstance(asked, dict) and asked.get("do") == "pause":
                    self._paused = True
                    continue
                task = asyncio.create_task(self._do(asked))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        except (WebSocketDisconnect, RuntimeError, ValueError):
            pass
        finally:
            if page in self.pages:
                self.pages.remove(page)
            if not self.pages:  # nothing happens behind a closed page
                self._paused = True

    async def _do(self, asked: Any) -> None:
        """Carry out one request; a person's mistake is answered with a line."""
        try:
            if asked["do"] == "pick":  # at once, between two slices
                await self._with_session(self._pick, asked["node"])
                await self._show()
                return
            async with self._steps:
                self._paused = False
                await self._carry_out(asked)
            if asked["do"] == "begin":
                await self._send(await self._with_session(self._everything))
            else:
                await self._show()
        except InputError as error:
            await self._send({"kind": "complaint", "text": str(error)})
        except Exception as error:  # a mistake of ours: the page would wait for ever
            traceback.print_exc()
            text = f"the dashboard has failed ({error!r}); its terminal shows where"
            await self._send({"kind": "complaint", "text": text})

    async def _carry_out(self, asked: dict[str, Any]) -> None:
        do, session = asked["do"], self.session
        if do == "step":
            goal = self._goal(asked["goal"])
            session.begin_step()
            await self._in_slices(lambda: session.step(goal))
        elif do == "seek":
            time_ns = max(0, int(asked["at_ns"]))
            await self._in_slices(lambda: session.seek(time_ns))
        elif do == "back":
            await self._with_session(session.back, self._goal(asked["goal"]))
        elif do == "record":
            which, number = int(asked["run"]), int(asked["number"])
            await self._with_session(session.show_record, which, number)
        elif do == "begin":
            await self._with_session(self._begin, asked)
        else:
            raise ValueError(f"{shown(do)} is nothing to do")

    async def _in_slices(self, go_on: Callable[[], bool]) -> None:
        """Go on until it is done or paused; in between, report how far it is."""
        session = self.session
        while not await self._with_session(go_on):
            if self._paused:
                reached_ns = min(run.history.known_ns for run in session.runs)
                await self._with_session(session.seek, max(session.at_ns, reached_ns))
                return
            await self._send({"kind": "progress", "known_ns": session.known_ns})

    async def _with_session(self, do: Callable[..., T], *arguments: object) -> T:
        """Do something with the session, in another thread, while nobody else does."""
        async with self._session:
            return await asyncio.to_thread(do, *arguments)

    def _pick(self, node: Any) -> None:
        self.session.picked = range(self.session.scenario.nodes)[int(node)]

    def _begin(self, asked: dict[str, Any]) -> None:
        """Begin anew, with the values of a form if there are any."""
        designs = [str(asked["first"]).strip()]
        if beside := str(asked.get("beside") or "").strip():
            designs.append(beside)
        origin = self.origin
        if isinstance(origin, BaseScenario):
            origin = filled(origin, asked.get("values", {}), designs)
        session = Session(origin, *designs)
        session.picked = min(self.session.picked, session.scenario.nodes - 1)
        self.stage = Stage(session)
        self.session = session
        if isinstance(origin, BaseScenario):
            self.origin = origin

    def _goal(self, goal: object) -> str:
        if goal not in goals_of(self.session):
            raise ValueError(f"{shown(goal)} is no goal of a step")
        return goal

    def _everything(self) -> dict[str, Any]:
        scenario = self.session.scenario
        replay = not isinstance(self.origin, BaseScenario)
        offer = [it.design for it in self.origin] if replay else names_on_offer(scenario)
        return {
            "kind": "stage",
            "form": form(scenario),
            "offer": offer,
            "noun": scenario.noun,
            **stage_picture(self.session, self.stage),
            "picture": picture(self.session, self.stage),
        }

    async def _show(self) -> None:
        """Send the picture to all pages."""
        busy = self._steps.locked()
        shown_now = await self._with_session(picture, self.session, self.stage)
        await self._send({"kind": "picture", "busy": busy, "picture": shown_now})

    async def _send(self, what: dict[str, Any]) -> None:
        for page in [*self.pages]:
            with suppress(RuntimeError, WebSocketDisconnect):
                await page.send_json(what)


def serve(origin: Origin, host: str, port: int) -> None:
    """Serve the page until Ctrl-C, which ends the process; port 0 takes a free one.

    Raises InputError.
    """
    if isinstance(origin, BaseScenario):
        comparison_of(origin).validate()
    session = Session(origin, default_name(origin))
    with _listening(host, port) as listener:
        import uvicorn

        name, port = listener.getsockname()[:2]
        guard = Guard(Dashboard(origin, session).app(), name, port)
        config = uvicorn.Config(guard, log_level="warning", timeout_graceful_shutdown=1)
        shown_name = f"[{name}]" if ":" in name else name
        address = f"http://{shown_name}:{port}/?token={guard.token}"
        print(f"Watch at {address} (Ctrl-C ends it)", flush=True)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
        os._exit(0)  # otherwise the thread in which a step goes on would be waited for


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (")[0]
        raise InputError(
            f"--host {host} --port {port}: {reason}; give an address of this machine and a free "
            "port (0 takes any)"
        ) from None
