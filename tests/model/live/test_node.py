"""A live node, without its process: what its servent's roles want is looked at."""

import pytest

from agents.pnr.client import Client
from agents.pnr.hosting import Host, Started
from agents.pnr.messages import Loan, RamGrant, Word
from agents.pnr.role import Send
from model.ground.errors import ProtocolMistake
from model.live.node import LiveNode
from model.live.wire import Setup
from model.pnr.scenario import make_scenario


def a_setup():
    scenario = make_scenario(designs=["MAN"], nodes=2).model_dump_json()
    return Setup(0, scenario, "MAN", [1], 1.0, None, checks=False, incarnation=0, stored=None)


def test_what_messages_of_bundled_roles_carry_is_checked(monkeypatch):
    """Also where roles are not asked for their own rules; emulated ones are spared it there."""
    monkeypatch.setattr(Host, "validates", False)
    of_nobody = RamGrant(1, 0, (Loan(9, 5, Word(0, 0)),), (1, 0))
    monkeypatch.setattr(Client, "start", lambda role, now_ns: [Send(1, of_nobody)])
    node = LiveNode(a_setup(), [].append, lambda *_: True, lambda: None)
    with pytest.raises(ProtocolMistake, match=r"cannot be determined: .* nodes are 0 to 1"):
        list(node.servent.host.happens(Started(), 0))
