"""Kinds of messages: what their classes declare, and what every message can be asked."""

import pytest

import agents.pnr.messages
from agents.messages import Content, kinds_in, message
from agents.pnr.messages import (
    LoadReport,
    LoadStated,
    LoanAnswer,
    MessageSizes,
    RamRequest,
    Request,
    ServerReply,
    ServerRequest,
)

REQUEST = Request(0, "client", 0, 1)


def test_a_plain_class_becomes_a_kind_that_answers_all_that_is_asked_of_messages():
    @message("probing", hears="manager", size_bytes=8)
    class Probe:
        text: str

    probe = Probe("hello")
    assert isinstance(probe, Content)
    assert (probe.phase, probe.hears, probe.size_of(None)) == ("probing", "manager", 8)
    assert (probe.job, probe.rank, probe.amount, probe.refused, probe.words) == (
        *(None, None, None, False, ()),
    )
    assert probe.carries(0, 1) == ()
    with pytest.raises(AttributeError):
        probe.text = "other"
    assert not hasattr(probe, "__dict__")
    assert probe == Probe("hello") != Probe("else")


def test_answers_of_content_are_no_defaults_of_fields():
    @message("probing", hears="manager", size_bytes=8)
    class Probe:
        job: int
        amount: int
        rank: int = 5

    with pytest.raises(TypeError, match=r"missing 2 required .* 'job' and 'amount'"):
        Probe()
    assert (Probe(1, 2).job, Probe(1, 2).amount, Probe(1, 2).rank) == (1, 2, 5)


def test_a_size_may_be_one_that_the_scenario_states_by_name():
    @message("probing", hears="server", size_bytes="protocol")
    class Probe:
        text: str

    sizes = MessageSizes(64, 4160, 32, 96, 8, 64, 16)
    assert Probe("hello").size_of(sizes) == 96


@pytest.mark.parametrize("base", [object, Content])
def test_a_kind_overrides_by_fields_properties_and_methods(base):
    @message("probing", hears="server", size_bytes=lambda it: it.many)
    class Offer(base):
        many: int

        @property
        def amount(self):
            return 3 * self.many

        def carries(self, sender, target):
            return ((sender, self.amount),)

    assert Offer(2).size_of(None) == 2
    assert Offer(2).carries(3, 1) == ((3, 6),)


def test_of_a_kind_with_an_amount_nothing_is_known_unless_it_says_what_it_carries():
    @message("probing", hears="server", size_bytes=8)
    class Silent:
        amount: int

    assert Silent(1).carries(0, 1) is None
    wanted = (
        RamRequest(1, 0, 1, 5, LoadReport(0, 0), REQUEST),
        ServerRequest(1, 5, REQUEST),
    )
    for content in wanted:
        assert content.amount == 5
        assert content.carries(0, 1) == ()
    assert ServerReply(1, 5, LoadReport(0, 0), REQUEST).carries(0, 1) == ((0, 5),)


@pytest.mark.parametrize("name", ["phase", "hears", "size_of", "carries", "shown_fields"])
def test_a_field_cannot_have_the_name_of_what_every_message_has(name):
    named = type("Odd", (), {"__annotations__": {name: int}})
    with pytest.raises(TypeError, match=f"Odd.{name}: every message has one"):
        message("probing", hears="server", size_bytes=8)(named)


def test_what_is_hidden_is_a_field():
    with pytest.raises(TypeError, match="Odd: hidden names 'tickets', which is no field of it"):

        @message("probing", hears="server", size_bytes=8, hidden=("tickets",))
        class Odd:
            ticket: int


def test_bases_of_kinds_have_answers_in_common_and_are_no_kinds():
    @message("asking", hears="client", size_bytes=8)
    class Answer(LoanAnswer):
        amount: int

    @message("telling", hears="manager", size_bytes=8)
    class Own(LoadStated):
        word: LoadReport

    assert (Answer(0).refused, Answer(3).refused, Answer(3).words) == (True, False, ())
    assert (Own(LoadReport(5, 1)).words, Own(LoadReport(5, 1)).amount) == (
        ((None, LoadReport(5, 1)),),
        None,
    )
    assert not {LoanAnswer, LoadStated} & {*kinds_in(agents.pnr.messages)}


def test_the_old_name_of_a_load_report_is_read_and_names_the_new_one():
    with pytest.warns(FutureWarning, match="Word is called LoadReport now"):
        assert agents.pnr.messages.Word is LoadReport
