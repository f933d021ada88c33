"""What a page sends is answered, whatever it is, and the terminal stays clean."""

import json

import pytest

from model.dashboard.requests import Back, Begin, Faults, Pause, Seek, Step, request_of
from model.dashboard.server import Dashboard
from model.dashboard.session import Session
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario

JOB = {"processes": 2, "memory_mb": 40, "demand_s": 1}


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ('{"do":"step","goal":"1 s"}', Step("1 s")),
        ('{"do":"back","goal":"1 s"}', Back("1 s")),
        ('{"do":"seek","at_ns":7}', Seek(7)),
        ('{"do":"begin","first":"MAN","beside":""}', Begin("MAN", "")),
        ('{"do":"faults","tables":[{"kind":"loss"}]}', Faults([{"kind": "loss"}])),
        (b'{"do":"pause"}', Pause()),
    ],
)
def test_what_a_page_asks_for(text, request_):
    assert request_of(text) == request_


NONE = (
    *("", "{", "null", "[]", b"\x00\xff", '{"do":"nonsense"}', '{"do":"step"}'),
    *('{"do":"step","goal":[]}', '{"do":"seek","at_ns":"7"}', '{"do":"seek","at_ns":NaN}'),
    *('{"do":"begin","first":"MAN","values":[]}', '{"do":"faults","tables":[5]}'),
)


@pytest.mark.parametrize("text", NONE, ids=range(len(NONE)))
def test_anything_else_is_one_line(text):
    with pytest.raises(InputError, match=r"^.* is no request of a page: .*$"):
        request_of(text)


def test_all_of_it_is_answered_and_the_page_goes_on(in_its_own_loop, capsys):
    scenario = make_scenario(job=[JOB], nodes=4, designs="MAN")
    dashboard = Dashboard(scenario, Session(scenario, "MAN"))
    unknown = '{"do":"step","goal":"nowhere"}'
    heard = [
        {"type": "websocket.connect"},
        *(
            {"type": "websocket.receive", "text" if isinstance(it, str) else "bytes": it}
            for it in (*NONE, unknown)
        ),
    ]
    told = []

    async def receive():
        if heard:
            return heard.pop(0)
        while dashboard._tasks:  # what takes its turn
            await next(iter(dashboard._tasks))
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message):
        told.append(message)

    scope = {"type": "websocket", "path": "/session", "headers": [], "query_string": b""}
    in_its_own_loop(dashboard.app()(scope, receive, send))
    assert told[0]["type"] == "websocket.accept"
    first, *others = [json.loads(it["text"]) for it in told[1:]]
    assert first["kind"] == "moment"
    assert [it["kind"] for it in others] == ["complaint"] * (len(NONE) + 1)
    assert others[-1]["text"] == "'nowhere' is no goal of a step"
    assert capsys.readouterr() == ("", "")
