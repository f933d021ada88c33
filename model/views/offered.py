"""The views that `run.py view` offers: by name, what each answers."""

from types import MappingProxyType

PICTURES = MappingProxyType(
    {
        "sequence": "who sends what to whom, in order",
        "space-time": "the same with time to scale, so that bursts show",
        "traffic": "bytes from node to node, how busy links are, how many messages queue",
        "network": "which links carry messages; in a film, where each message is",
        "memory": "who is short of memory, who has idle memory, who lends to whom",
        "gantt": "which jobs ran where and when",
        "knowledge": "what managers believed when they decided, and what was true",
        "why": "where a job's time went",
        "queues": "where messages queue, how many, and for how long",
    }
)
TEXTS = MappingProxyType(
    {
        "story": "why something happened",
        "diff": "where two designs diverge",
        "state": "what a node and its roles held at a time",
        "mermaid": "a sequence as text",
    }
)
GALLERY = "all"
VIEWS = MappingProxyType({**PICTURES, **TEXTS, GALLERY: "every picture, each under its question"})
