"""Only the dashboard's own page, opened by the printed address, may talk to it."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from model.dashboard.guard import Guard

HERE = "127.0.0.1:8765"


async def _page(request):
    return PlainTextResponse("the page")


async def _socket(socket):
    await socket.accept()
    await socket.close()


@pytest.fixture
def guard():
    return guarding("127.0.0.1")


def guarding(address):
    app = Starlette(routes=[Route("/", _page), WebSocketRoute("/", _socket)])
    return Guard(app, address, 8765)


@pytest.fixture
def ask(in_its_own_loop):
    """Asks the guard."""

    def ask(guard, kind="http", token=None, **headers):
        """What it answers: the status (101 for an accepted WebSocket), and the headers."""
        query = b"" if token is None else f"token={token}".encode()
        scope = {
            "type": kind,
            "method": "GET",
            "path": "/",
            "query_string": query,
            "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        }
        answers = []

        async def receive():
            return {"type": "websocket.connect" if kind == "websocket" else "http.request"}

        async def send(message):
            answers.append(message)

        in_its_own_loop(guard(scope, receive, send))
        first = answers[0]
        status = {"websocket.accept": 101, "websocket.close": 403}.get(first["type"])
        return status or first["status"], dict(first.get("headers", []))

    return ask


@pytest.mark.parametrize(("kind", "welcome"), [("http", 200), ("websocket", 101)])
@pytest.mark.parametrize(
    ("changes", "allowed"),
    [
        ({}, True),
        ({"host": "localhost:8765", "origin": "http://localhost:8765"}, True),
        ({"host": "evil.example:8765", "origin": "http://evil.example:8765"}, False),
        ({"host": "127.0.0.1:8766", "origin": "http://127.0.0.1:8766"}, False),
        ({"host": "10.0.0.1:8765", "origin": "http://10.0.0.1:8765"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "http://127.0.0.1:9999"}, False),
        ({"origin": "https://127.0.0.1:8765"}, False),
        ({"origin": "null"}, False),
        ({"token": None}, False),
        ({"token": ""}, False),
        ({"token": "guessed"}, False),
        ({"token": "\u00e9"}, False),
    ],
)
def test_only_the_own_page_with_the_token_is_served(ask, guard, kind, welcome, changes, allowed):
    asked = {"token": guard.token, "host": HERE, "origin": f"http://{HERE}", **changes}
    assert ask(guard, kind, **asked)[0] == (welcome if allowed else 403)


def test_a_page_may_be_opened_without_an_origin_but_no_websocket(ask, guard):
    assert ask(guard, "http", guard.token, host=HERE)[0] == 200
    assert ask(guard, "websocket", guard.token, host=HERE)[0] == 403


def test_no_host_is_no_host(ask, guard):
    assert ask(guard, "http", guard.token)[0] == 403


def test_the_browser_keeps_the_token_as_a_cookie_of_this_site_alone(ask, guard):
    _, headers = ask(guard, "http", guard.token, host=HERE)
    cookie = headers[b"set-cookie"].decode()
    assert cookie.endswith("; HttpOnly; SameSite=Strict; Path=/")
    kept = cookie.partition(";")[0]
    assert ask(guard, "http", host=HERE, cookie=f"other=1; {kept}")[0] == 200
    assert ask(guard, "http", host=HERE, cookie="pnr-8765=guessed")[0] == 403


def test_beyond_the_loopback_any_address_but_no_foreign_name_is_ours(ask):
    guard = guarding("0.0.0.0")
    for host, status in [
        ("192.0.2.7:8765", 200),
        ("[2001:db8::1]:8765", 200),
        ("evil.example:8765", 403),
    ]:
        assert ask(guard, "http", guard.token, host=host)[0] == status
    assert ask(guard, "http", host="192.0.2.7:8765")[0] == 403
    assert ask(guard, "websocket", host="192.0.2.7:8765", origin="http://192.0.2.7:8765")[0] == 403


def test_every_server_has_another_token():
    assert guarding("127.0.0.1").token != guarding("127.0.0.1").token
