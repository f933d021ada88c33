"""A small log on a small cluster, and designs to judge there."""

from pathlib import Path

import pytest

from model.pnr.scenario import make_scenario

# Nodes of 32 MB; over this network a page is cheaper than from the disk.
SMALL = {"nodes": 4, "page_bytes": 2**16, "bandwidth_mbps": 1000, "scheduler": "space"}
OPTIONS = "--trace log.swf --nodes 4 --page-bytes 65536 --bandwidth-mbps 1000 --scheduler space"
DESIGNS = """
from dataclasses import replace
from agents.pnr.messages import ServerRequest
from agents.pnr.protocol import Protocol, Server
from topologies.managers.man import man

class Miser(Server):
    def receive(self, sender, content, now_ns):
        if isinstance(content, ServerRequest):
            content = replace(content, amount=0)
        return super().receive(sender, content, now_ns)

class Broken(Server):
    def receive(self, sender, content, now_ns):
        raise KeyError("nothing")

def called(nodes, name, server):
    graph = man(nodes)
    graph.graph |= {"name": name, "protocol": Protocol(server=server)}
    return graph

def miser(nodes):
    return called(nodes, "MISER", Miser)

def broken(nodes):
    return called(nodes, "BROKEN", Broken)

def copy(nodes):
    return called(nodes, "COPY", Server)
"""
MANY = [40] * 10  # MB of a process, by window


@pytest.fixture
def write_log(here):
    """Writes a log of windows of four jobs, by window the memory of each of its processes.

    One window may be `long`: its jobs compute for a hundred times as long.
    """

    def write_log(windows, long=None):
        lines = ["; MaxProcs: 4"]
        for window, memory_mb in enumerate(windows):
            for job in range(4):
                number, submit_s = 4 * window + job + 1, 1000 * window + 10 * job
                demand_s = (20 + 3 * job + window % 5) * (100 if window == long else 1)
                fields = [number, submit_s, 0, demand_s, 1, demand_s, memory_mb * 1024, 1, -1, -1]
                lines.append(" ".join(map(str, [*fields, 1, *[-1] * 7])))
        Path("log.swf").write_text("\n".join(lines))
        Path("mine.py").write_text(DESIGNS)
        return make_scenario(trace="log.swf", first=1, **SMALL)

    return write_log
