"""The message: a content on its way from node to node."""

from typing import Any


class Message:
    """A content on its way from node to node, over the stations of its route."""

    __slots__ = (
        "cause",
        "content",
        "hop",
        "number",
        "route",
        "sent_ns",
        "size_bytes",
        "source",
        "target",
    )

    def __init__(
        self,
        source: int,
        target: int,
        number: int,
        content: Any,
        size_bytes: int,
        sent_ns: int,
    ) -> None:
        self.source = source
        self.target = target
        self.number = number  # the sender's count of messages
        self.content = content
        self.size_bytes = size_bytes
        self.sent_ns = sent_ns
        self.hop = 0
