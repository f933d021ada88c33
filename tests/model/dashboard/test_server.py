"""`run.py watch` and bad input: one clear line and status 2."""

import socket
import sys

import pytest

import run


def watch(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["run.py", "watch", "--jobs", "1", *arguments])
    status = run.main()
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    return status, output.err


def test_a_port_in_use(monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        status, error = watch(monkeypatch, capsys, "--port", port)
    assert status == 2
    assert f"--port {port}: Address already in use; give" in error


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--port", "70000"), "--port 70000"),
        (("--port", "http"), "'--port'"),
        (("--host", "192.0.2.1"), "--host 192.0.2.1"),  # an address for documentation: not ours
        (("--designs", "NONE"), "'NONE' is no design"),
        (("--first", "9999"), "reaches beyond them"),
        (("any.parquet",), "--jobs: any.parquet has its own scenario; leave --jobs out"),
        (("--system", "none"), "--system: 'none' is none of memory"),
        (("--system", "memory", "--policies", "NONE"), "'NONE' is no policy"),
        (("--policies", "CPU_RE"), "--policies is a parameter of load sharing; give --system"),
    ],
)
def test_what_cannot_be_served(monkeypatch, capsys, arguments, part):
    status, error = watch(monkeypatch, capsys, *arguments)
    assert status == 2
    assert part in error
