"""RELIABLE(…) around other designs; what it does is tested with faults and by exploring."""

import pytest

from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario


def test_messages_are_numbered_once():
    with pytest.raises(InputError, match=r"RELIABLE\(MAN\) numbers its messages already"):
        load_design("RELIABLE(RELIABLE(MAN))", make_scenario(nodes=4))
