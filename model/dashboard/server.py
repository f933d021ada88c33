"""Serves the page of `model/views/page`, and a WebSocket over which it gets what it lacks.

The session lives here, so a reload of the page goes on with it, and two pages show the same.
"""

import asyncio
import socket
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from model.core.scenario import BaseScenario
from model.dashboard.controls import filled, with_faults
from model.dashboard.feed import Feed, Reader, goals_of
from model.dashboard.guard import Guard
from model.dashboard.requests import Back, Begin, Faults, Pause, Request, Seek, Step, request_of
from model.dashboard.session import Origin, Session, default_name
from model.ground.errors import InputError, shown
from model.systems import comparison_of
from model.views.page.html import live_page

T = TypeVar("T")


class Dashboard:
    """A session, and the pages that look at it.

    A page sends what `requests.py` lists; all pages get what they lack then. What takes long is
    done in slices, and `Pause` ends it after the present one.
    """

    def __init__(self, origin: Origin, session: Session) -> None:
        self.origin, self.session = origin, session
        self.names = [run.source.name for run in session.runs]  # as they were given
        self.feed = Feed(session)
        self.pages: dict[WebSocket, Reader] = {}
        self._steps = asyncio.Lock()  # one request that may take long at a time
        self._session = asyncio.Lock()  # held for a slice
        self._sending = asyncio.Lock()  # what a page gets builds on what it has
        self._paused = False
        self._tasks: set[asyncio.Task[None]] = set()

    def app(self) -> Starlette:
        """The application, without a guard."""
        page = live_page()
        routes = [
            Route("/", lambda request: HTMLResponse(page)),
            WebSocketRoute("/session", self.talk),
        ]
        return Starlette(routes=routes)

    async def talk(self, page: WebSocket) -> None:
        """Do what a page asks for, until it is gone."""
        await page.accept()
        try:
            self.pages[page] = Reader()
            await self._show(page)
            while (message := await page.receive())["type"] != "websocket.disconnect":
                try:
                    self._hear(request_of(message.get("text") or message.get("bytes") or ""))
                except InputError as error:
                    await page.send_json({"kind": "complaint", "text": str(error)})
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.pages.pop(page, None)
            if not self.pages:  # nothing happens behind a closed page
                self._paused = True

    def _hear(self, asked: Request) -> None:
        """Pause at once; all else takes its turn."""
        if isinstance(asked, Pause):
            self._paused = True
            return
        task = asyncio.create_task(self._do(asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, asked: Request) -> None:
        """Carry out one request; a person's mistake is answered with a line."""
        try:
            async with self._steps:
                self._paused = False
                await self._carry_out(asked)
            await self._show(*self.pages)
        except InputError as error:
            await self._send({"kind": "complaint", "text": str(error)})
        except Exception as error:  # a mistake of ours: the page would wait for ever
            traceback.print_exc()
            text = f"the dashboard has failed ({error!r}); its terminal shows where"
            await self._send({"kind": "complaint", "text": text})

    async def _carry_out(self, asked: Request) -> None:
        session = self.session
        match asked:
            case Step(goal=goal):
                self._check_goal(goal)
                session.begin_step()
                await self._in_slices(lambda: session.step(goal))
            case Seek(at_ns=at_ns):
                await self._in_slices(lambda: session.seek(max(0, at_ns)))
            case Back(goal=goal):
                self._check_goal(goal)
                await self._with_session(session.back, goal)
            case Begin():
                await self._begin(asked)
            case Faults(tables=tables):
                now_ns = session.at_ns
                await self._have_faults(tables)
                await self._in_slices(lambda: self.session.seek(now_ns))

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

    async def _begin(self, asked: Begin) -> None:
        names = [asked.first.strip()]
        if beside := (asked.beside or "").strip():
            names.append(beside)
        origin = self.origin
        if isinstance(origin, BaseScenario):
            origin = filled(origin, asked.values, names)
        await self._watch(origin, names)

    async def _have_faults(self, tables: object) -> None:
        """Begin anew with these faults: what comes before them is as it was."""
        if not isinstance(self.origin, BaseScenario):
            raise InputError("a journal is as it was written: no fault can happen in it")
        await self._watch(with_faults(self.origin, tables), self.names)

    async def _watch(self, origin: Origin, names: list[str]) -> None:
        """Show another session, once it is built; until then the present one answers."""
        session = await asyncio.to_thread(Session, origin, *names)
        async with self._session:
            self.feed = Feed(session)
            self.origin, self.session, self.names = origin, session, names
            self.pages = {page: Reader() for page in self.pages}

    def _check_goal(self, goal: str) -> None:
        if goal not in goals_of(self.session):
            raise InputError(f"{shown(goal)} is no goal of a step")

    async def _show(self, *pages: WebSocket) -> None:
        """Send these pages what they lack."""
        async with self._sending:
            for page in pages:
                sent = await self._with_session(self._lacking, page)
                with suppress(RuntimeError, WebSocketDisconnect):
                    await page.send_json(sent)

    def _lacking(self, page: WebSocket) -> dict[str, object]:
        lacking = self.feed.moment(self.pages.get(page, Reader()))
        return {"kind": "moment", "busy": self._steps.locked(), **lacking}

    async def _send(self, what: dict[str, Any]) -> None:
        for page in [*self.pages]:
            with suppress(RuntimeError, WebSocketDisconnect):
                await page.send_json(what)


def serve(origin: Origin, host: str, port: int, before: Callable[[], None] = lambda: None) -> None:
    """Serve the page until Ctrl-C, which is raised then; port 0 takes a free one.

    `before` is called when nothing more can be refused, just before the address is printed.
    Raises InputError.
    """
    if isinstance(origin, BaseScenario):
        comparison_of(origin).validate()
    session = Session(origin, default_name(origin))
    serve_app(Dashboard(origin, session).app(), host, port, before)


def serve_app(
    app: Starlette, host: str, port: int, before: Callable[[], None] = lambda: None
) -> None:
    """Serve an application behind a guard until Ctrl-C; see `serve`."""
    with _listening(host, port) as listener:
        import uvicorn

        name, port = listener.getsockname()[:2]
        guard = Guard(app, name, port)
        config = uvicorn.Config(guard, log_level="warning", timeout_graceful_shutdown=1)
        shown_name = f"[{name}]" if ":" in name else name
        address = f"http://{shown_name}:{port}/?token={guard.token}"
        before()
        print(f"Watch at {address} (Ctrl-C ends it)", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (")[0]
        raise InputError(
            f"--host {host} --port {port}: {reason}; give an address of this machine and a free "
            "port (0 takes any)"
        ) from None
