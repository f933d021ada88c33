"""`run.py watch` and bad input: one clear line and status 2."""

import socket

import pytest


def test_a_port_in_use(refusal):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = refusal(f"watch --jobs 1 --port {port}")
    assert f"--port {port}: Address already in use; give" in told


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("--port 70000", "--port 70000"),
        ("--port http", "'--port'"),
        ("--host 192.0.2.1", "--host 192.0.2.1"),  # an address for documentation: not ours
        ("--designs NONE", "'NONE' is no design"),
        ("--first 9999", "reaches beyond them"),
        ("any.parquet", "--jobs: any.parquet has its own scenario; leave --jobs out"),
        ("--system none", "--system: 'none' is none of memory"),
        ("--system memory --policies NONE", "'NONE' is no policy"),
        ("--policies CPU_RE", "--policies is a parameter of load sharing; give --system"),
    ],
)
def test_what_cannot_be_served(refusal, words, part):
    assert part in refusal(f"watch --jobs 1 {words}")
