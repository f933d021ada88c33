"""Makes the design of a role that has a mistake, so that a mutant is a class and a line."""

from dataclasses import replace
from inspect import signature

from agents.pnr.protocol import Client, Manager, Protocol, Server

_BASES = {"client": Client, "server": Server, "manager": Manager}


def design(graph, **roles):
    """The design with these roles instead of its own, called as the first of them."""
    name = next(iter(roles.values())).__name__
    protocol = replace(graph.graph.get("protocol", Protocol()), **roles)
    graph.graph |= {"name": name, "protocol": protocol}
    return graph


def mistake(graph, around=None, only=None, **parameters):
    """Make of a role the function that makes the design with it, of a graph with parameters.

    The role takes the place of that from which it is derived. What is derived from none, as what
    RELIABLE adds to roles, is added once more to all of them, or to the `only` one.
    """

    def of(kind):
        def with_mistake(nodes):
            made = graph(nodes, **parameters)
            defaults = signature(graph).parameters.values()
            made.graph |= {it.name: it.default for it in defaults if it.kind is it.KEYWORD_ONLY}
            made.graph |= parameters
            made = made if around is None else around(made)
            protocol = made.graph.get("protocol", Protocol())
            of_kind = [role for role, base in _BASES.items() if issubclass(kind, base)]
            roles = [only] if only else of_kind or [*_BASES]
            return design(made, **{role: _derived(kind, getattr(protocol, role)) for role in roles})

        return with_mistake

    return of


def _derived(kind, role):
    return kind if issubclass(kind, role) else type(kind.__name__, (kind, role), {})
