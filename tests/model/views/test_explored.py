"""`run.py explore --page` and `watch --explore`: what is written, and what is refused."""

from array import array
from collections import deque
from urllib.parse import quote

import pytest
from starlette.requests import Request

from agents.pnr.beliefs import LEFT_OUT
from model.dashboard.walk import Walk
from model.pnr.explore.setting import Setting
from model.terminal import walking
from model.views.explored.plain import text


def test_a_page_is_written_and_says_so_in_a_line(command, here):
    status, out, err = command("explore MAN --jobs 1 --loss 1 --page walked.html")
    assert (status, err) == (1, "")  # a rule is broken somewhere
    assert out.startswith("MAN: all 183 states, 428 steps; a rule is broken in 9 of them;")
    assert out.count("\n") == 1
    page = (here / "walked.html").read_text("utf-8")
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert "unsafe-inline" not in page
    assert [*here.iterdir()] == [here / "walked.html"]


def test_too_many_states_are_one_line_and_no_page(command, refusal, here, monkeypatch):
    monkeypatch.setattr(walking, "MOST_IN_A_FILE", 100)
    told = refusal("explore MAN --jobs 1 --loss 1 --page walked.html")
    assert "MAN has more than 100 states here; walk them with run.py watch --explore MAN" in told
    assert [*here.iterdir()] == []
    _, out, _ = command("explore MAN --jobs 1 --loss 1 --states 50 --page walked.html")
    assert out.startswith("MAN: the first 50 states")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("explore MAN --page walked.txt", "give a file that ends in .html"),
        ("explore MAN --page no/walked.html", "--page no/walked.html"),
        ("explore MAN --page walked.html --table", "--page and --table: give one of them"),
        ("explore MAN --page walked.html --random 3", "--page and --random: give one of them"),
        ("watch --explore MAN --page walked.html", "--explore and --page: give one of them"),
        ("watch --explore MAN --states 50 --port 99999", "--port 99999"),
        ("watch --explore MAN --states 50 --host 127.0.0..1", "--host 127.0.0..1"),
    ],
)
def test_what_makes_no_page_is_one_line(refusal, here, words, complaint):
    assert complaint in refusal(words)
    assert [*here.iterdir()] == []


@pytest.fixture
def ask(in_its_own_loop):
    """Asks a server for the scenes along a way; gives the status and the body of its answer."""

    def ask(walk, way):
        query = f"way={quote(way)}".encode()
        request = Request({"type": "http", "query_string": query, "headers": []})
        answer = in_its_own_loop(walk.answer(request))
        return answer.status_code, answer.body.decode()

    return ask


@pytest.mark.parametrize(
    ("way", "complaint"),
    [
        ("p,q", "“q” is no step"),
        ("p,p", "step 2 of this way, “p”, is not possible here"),
        ("d9.9", "step 1 of this way, “d9.9”, is not possible here"),
        ("p," * 1001, "a way of 1,001 steps; at most 1,000 are walked"),
    ],
)
def test_a_server_answers_what_is_no_way_with_a_line(ask, way, complaint):
    status, body = ask(Walk(Setting("MAN", jobs=1), []), way)
    assert status == 400
    assert complaint in body


def test_values_are_shown_as_text_and_not_as_python():
    class Kept:
        def __init__(self):
            self.need, self.names = 2**20, {"b", "a"}

    nodes = array("q", [0, LEFT_OUT, 2**20])
    assert text(nodes) == "node 1 ✓, node 2 1.00 MB"
    assert text(array("q", [0, 0])) == ""
    assert text(deque([1, 2])) == "1, 2"
    assert text(Kept()) == "need 1.00 MB, names a, b"
