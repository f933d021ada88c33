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
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qs

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
        self._names = {*_LOOPBACK, _bracketed(address)}
        self._anywhere = not _is_loopback(address)
        if self._anywhere:
            self._names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = [
            (key.decode("latin-1"), value.decode("latin-1")) for key, value in scope["headers"]
        ]
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[-1]
        complaint = self._complaint(scope["type"], headers, given)
        if complaint is None:
            await self.app(scope, receive, self._keeping_token(send, given))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": complaint})  # as 403
        else:
            await PlainTextResponse(complaint + "\n", 403)(scope, receive, send)

    def _complaint(self, kind: str, headers: list[tuple[str, str]], given: str) -> str | None:
        """What is wrong with a request; None if nothing is."""
        hosts = [value for key, value in headers if key == "host"]
        origins = [value for key, value in headers if key == "origin"]
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return "this Host is not served here"
        if (origins or kind == "websocket") and origins != [f"http://{hosts[0]}"]:
            return "only the dashboard's own page may ask for this"
        known = [given, *(self._kept(value) for key, value in headers if key == "cookie")]
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
        return name in self._names or (self._anywhere and _is_address(name))

    def _kept(self, cookies: str) -> str:
        try:
            morsel = SimpleCookie(cookies).get(self._cookie)
        except CookieError:
            return ""
        return "" if morsel is None else morsel.value

    def _keeping_token(self, send: Send, given: str) -> Send:
        """A `send` that has the browser keep the token, if the address has given it."""
        cookie = f"{self._cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"

        async def sending(message: Message) -> None:
            if given and message["type"] == "http.response.start":
                headers = [*message.get("headers", []), (b"set-cookie", cookie.encode())]
                message = {**message, "headers": headers}
            await send(message)

        return sending


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address.lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"
