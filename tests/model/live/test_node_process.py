"""The process of a node, and the loop in which it or the head runs."""

import asyncio
import os
import signal
import threading
import time

import pytest

from model.live.node_process import in_a_loop


def test_ctrl_c_ends_a_run_beside_a_loop_that_runs_as_in_a_notebook():
    ended = []

    async def run():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("processes")

    async def cell():
        in_a_loop(run())

    began_s = time.monotonic()
    interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    loop = asyncio.new_event_loop()  # asyncio.run would take the interrupt for itself
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(cell())
    finally:
        loop.close()
    assert ended == ["processes"]
    assert time.monotonic() - began_s < 30
