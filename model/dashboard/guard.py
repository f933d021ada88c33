"""Who may talk to the dashboard: its own page, opened by the address that was printed.

Any web page that a user has open can send requests to this machine, so three things are checked,
of HTTP requests and WebSockets alike; what fails gets 403:

- *Host* is a name of this server, so no foreign name can be made to point here (DNS rebinding);
- *Origin*, which browsers set, is this server's own; a WebSocket must have one;
- the token of the printed address, which the browser then keeps as a cookie, so that other people
  on this machine or in its network need to be given it.
"""

import secrets
import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Guard:
    """An ASGI application in front of another, served at an address and a port."""

    def __init__(self, app: ASGIApp, address: str, port: int) -> None:
        self.app = app
        self.port = port
        self.token = secrets.token_urlsafe(16)  # the only draw without a seed: nobody may know it
        self._cookie = f"pnr-{port}"  # cookies of one machine are the same for all of its ports
        self._names = {*_LOOPBACK, f"[{address}]" if ":" in address else address.lower()}
        own = _address_in(address)
        self._anywhere = own is not None and not own.is_loopback
        if self._anywhere:
            self._names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        given = asked.query_params.get("token", "")
        complaint = self._complaint(asked, given)
        if complaint is None:
            await self.app(scope, receive, self._keeping_token(send, given))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": complaint})  # as 403
        else:
            await PlainTextResponse(complaint + "\n", 403)(scope, receive, send)

    def _complaint(self, asked: HTTPConnection, given: str) -> str | None:
        """What is wrong with a request; None if nothing is."""
        hosts, origins = (asked.headers.getlist(name) for name in ("host", "origin"))
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return "this Host is not served here"
        is_socket = asked.scope["type"] == "websocket"
        if (origins or is_socket) and origins != [f"http://{hosts[0]}"]:
            return "only the dashboard's own page may ask for this"
        known = given, asked.cookies.get(self._cookie, "")
        if not any(secrets.compare_digest(it.encode(), self.token.encode()) for it in known):
            return "open the address that `run.py watch` has printed, with its token"
        return None

    def _is_ours(self, host: str) -> bool:
        name, colon, port = host.lower().rpartition(":")
        if not colon or port != str(self.port):
            return self.port == 80 and self._is_name(host.lower())
        return self._is_name(name)

    def _is_name(self, name: str) -> bool:
        """Whether it names this server; beyond the loopback any address may, but not any name."""
        return name in self._names or (self._anywhere and _address_in(name) is not None)

    def _keeping_token(self, send: Send, given: str) -> Send:
        """A `send` that has the browser keep the token, if the address has given it."""
        cookie = f"{self._cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"

        async def sending(message: Message) -> None:
            if given and message["type"] == "http.response.start":
                headers = [*message.get("headers", []), (b"set-cookie", cookie.encode())]
                message = {**message, "headers": headers}
            await send(message)

        return sending


def _address_in(name: str) -> IPv4Address | IPv6Address | None:
    """The address that a name is, perhaps in brackets."""
    with suppress(ValueError):
        return ip_address(name.removeprefix("[").removesuffix("]"))
    return None
