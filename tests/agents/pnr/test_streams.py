"""Streams of draws of a role's own: by seed, node, role, name and numbers, and nobody else's."""

from itertools import product

from agents.pnr.client import Client
from agents.pnr.manager import Manager
from agents.pnr.role import Site
from model.ground import randomness
from model.ground.memory import Memory
from model.ground.randomness import Stream


def stream(role=Client, node=0, seed=1, name="backoff", *words):
    return role(Site(Memory(10), node, 4, seed)).stream(name, *words)


def test_draws_are_the_same_for_the_same_words_and_others_for_others():
    ways = [
        stream(role, node, seed, name, *words)
        for role, node, seed, name, words in product(
            (Client, Manager), (0, 1), (1, 2), ("backoff", "bids"), ((), (1,), (2,), (1, 2))
        )
    ]
    assert len({each.state for each in ways}) == len(ways)
    assert stream() == stream()
    assert 0 < next(stream()) < 1


def test_no_shipped_purpose_draws_them():
    purposes = {
        value for name, value in vars(randomness).items() if name.isupper() and type(value) is int
    } - {randomness._MASK, randomness._GOLDEN}
    assert randomness.OWN in purposes
    shipped = {Stream.of(1, purpose, word, 0).state for purpose in purposes for word in range(1000)}
    assert stream().state not in shipped
