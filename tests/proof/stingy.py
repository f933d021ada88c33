"""A protocol of a user's own: its servers lend at most a third of what is idle to one request."""

from dataclasses import replace

from agents.pnr.messages import ServerRequest
from agents.pnr.protocol import Protocol, Server
from topologies.managers.man import man


class Stingy(Server):
    """Lends no more than a third of its idle memory to one request."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, ServerRequest):
            third = max(0, self.memory.load) // 3
            content = replace(content, amount=min(content.amount, third))
        return super().receive(sender, content, now_ns)


def stingy(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "STINGY", "protocol": Protocol(server=Stingy)}
    return graph
