"""The host of a node's roles: whom it asks about what happens, in which order, to which effect."""

from dataclasses import dataclass

import pytest

from agents.pnr.hosting import (
    Crashed,
    Host,
    NodeLost,
    Paused,
    ProcessArrived,
    ProcessEnded,
    ProcessLeft,
    ProcessPlaced,
    ProcessResized,
    Received,
    Restarted,
    Resumed,
    Started,
    TimerFired,
)
from agents.pnr.messages import (
    LoadReport,
    Loan,
    Placed,
    RamGrant,
    RamRequest,
    Request,
    ServerRequest,
)
from agents.pnr.protocol import (
    CancelTimer,
    Client,
    Manager,
    Note,
    Protocol,
    Send,
    Server,
    SetTimer,
    Site,
    StartProcess,
)
from model.ground.errors import CheckFailed
from model.ground.memory import Memory

RAM = 10
JOB = Placed(7, 0, 1, 1)  # rank 0 of job 7, whose only client asks the manager of node 1
OTHER = Placed(8, 1, 1, 1, attempt=2)
ASKS = Request(0, "client", 0, 1)


def noting(role):
    """A role of this class that notes what it is asked about, before what it wants."""

    def handler(name):
        def handle(self, *arguments):
            return [Note(name, arguments[:-1]), *getattr(super(Noting, self), name)(*arguments)]

        return handle

    names = ["start", "receive", "memory_changed", "timer"]
    names += [f"process_{done}" for done in ("placed", "ended", "left", "arrived")]
    methods = {name: handler(name) for name in names if hasattr(role, name)}
    methods["timer"] = lambda self, name, now_ns: [Note("timer", (name,))]
    Noting = type(f"Noting{role.__name__}", (role,), methods)
    return Noting


NOTING = Protocol(noting(Client), noting(Server), noting(Manager))


def host(protocol=NOTING, *, node=0, manages=(0, 1), **more):
    made = Host(protocol, Site(Memory(RAM), node, 2, coordinated=False, **more), manages)
    made.validates = True
    return made


def asked(turns):
    """Who was asked, in order, and by which handler; the host itself is not shown."""
    return [
        f"{turn.role.name} {turn.effects[0].name}"
        for turn in turns
        if turn.role is not None and turn.effects
    ]


def effects(turns):
    return [effect for turn in turns for effect in turn.effects if not isinstance(effect, Note)]


def placed(one, process=JOB, size=12):
    """The effects of placing a process, whose node gives it memory first."""
    one.memory.allocate(process.job, size)
    return effects(one.happens(ProcessPlaced(process), 5))


def asks(need, now_ns=5, process=JOB, request=ASKS, load=-2):
    job, rank, clients, manager, attempt = process
    ram_request = RamRequest(job, rank, clients, need, LoadReport(load, now_ns), request, attempt)
    return Send(manager, ram_request)


def granted(amount, request=ASKS, job=7):
    loans = (Loan(1, amount, LoadReport(9, 1)),) if amount else ()
    lent_for = (Request(1, "manager", 0, 1),) * len(loans)
    return RamGrant(job, 0, loans, request, lent_for, amount)


# Who is asked


def test_roles_start_in_order():
    assert asked(host().happens(Started(), 0)) == ["client start", "server start", "manager start"]
    assert asked(host(manages=(1,)).happens(Started(), 0)) == ["client start", "server start"]


@pytest.mark.parametrize(
    ("what", "order"),
    [
        (ProcessPlaced(JOB), ["server memory_changed", "client process_placed"]),
        (ProcessEnded(JOB), ["server memory_changed", "client process_ended"]),
        (ProcessLeft(JOB), ["server memory_changed", "client process_left"]),
        (ProcessResized(), ["server memory_changed"]),
    ],
)
def test_the_server_hears_of_memory_before_the_client_hears_of_a_process_and_of_memory(what, order):
    assert asked(host().happens(what, 5)) == [*order, "client memory_changed"]


def test_a_process_that_has_arrived_changes_no_memory():
    assert asked(host().happens(ProcessArrived(JOB), 5)) == ["client process_arrived"]


def test_a_message_is_for_one_role_and_others_hear_if_it_has_changed_the_demand():
    one, ask = host(), ServerRequest(7, 4, Request(1, "manager", 0, 1))
    changed = ["server memory_changed", "client memory_changed"]
    assert asked(one.happens(Received(1, ask), 5)) == ["server receive", *changed]
    assert one.memory.lent == 4
    again = one.happens(Received(1, ask), 6)  # which gets the first answer
    assert asked(again) == ["server receive"]


def test_a_timer_is_its_roles():
    [turn] = host().happens(TimerFired("manager", "tick"), 5)
    assert (turn.role.name, turn.effects) == ("manager", [Note("timer", ("tick",))])


def test_a_message_with_a_header_is_received_with_it():
    class Hears(Server):
        def receive_with_header(self, sender, content, header, now_ns):
            return [Note("header", header)]

    ask = ServerRequest(7, 4, Request(1, "manager", 0, 1))
    [turn] = host(Protocol(server=Hears)).happens(Received(1, ask, "signed"), 5)
    assert turn.effects == [Note("header", "signed")]


def test_what_one_role_wants_can_be_carried_out_before_the_next_is_asked():
    class Lends(Server):
        def memory_changed(self, now_ns):
            return [Note("first", None)]

    class Looks(Client):
        def memory_changed(self, now_ns):
            return [Note("sees", seen[-1])]

    seen = [0]
    notes = []
    for turn in host(Protocol(Looks, Lends)).happens(ProcessResized(), 5):
        notes += turn.effects
        seen.append(1)  # the first turn has been carried out
    assert notes == [Note("first", None), Note("sees", 1)]


# What they want


def test_a_process_asks_waits_for_its_grant_and_starts():
    one = host()
    assert placed(one) == [asks(2)]
    assert one.residents == {(7, 0): (JOB, False)}
    assert effects(one.happens(Received(1, granted(2)), 9)) == [StartProcess(7, 1)]
    assert one.residents == {(7, 0): (JOB, True)}
    assert one.memory.loans == {1: 2}


def test_nothing_starts_that_is_no_longer_there():
    class Slow(Client):
        def timer(self, name, now_ns):
            return [StartProcess(7), Note("late", None), StartProcess(8, 1)]

    one = host(Protocol(Slow))
    one.happens(ProcessEnded(JOB), 5)
    placed(one, OTHER, 1)
    [turn] = one.happens(TimerFired("client", "t"), 6)  # job 8 is in its second attempt now
    assert turn.effects == [Note("late", None)]


def test_a_rule_that_another_role_breaks_is_that_roles():
    class Broken(Manager):
        def validate(self):
            self.require(False, "never")

    one = host(Protocol(manager=Broken))
    with pytest.raises(CheckFailed, match="the manager of node 0: never"):
        placed(one)
    assert one.asked[0].name == "manager"


# Crashes


def test_a_crash_loses_the_roles_and_what_was_asked_and_keeps_the_ledger():
    one = host()
    placed(one)
    list(one.happens(Received(1, ServerRequest(9, 0, Request(1, "manager", 0, 1))), 6))
    assert one.memory.asked == {ASKS: 2}
    assert list(one.happens(Crashed(), 7)) == []
    assert (one.is_down, one.roles, one.memory.asked) == (True, {}, {})
    assert (one.memory.demand, one.residents) == (12, {(7, 0): (JOB, False)})
    assert list(one.happens(Received(1, granted(2)), 8)) == []  # nobody hears it
    with pytest.raises(KeyError, match=r"no manager here: .* or its servent is down"):
        one.roles["manager"]


def test_new_roles_learn_of_processes_that_have_not_started_then_of_those_that_ended():
    one = host()
    placed(one)  # it waits for its grant
    running = Placed(6, 0, 1, 1)
    placed(one, running, 1)
    list(one.happens(Received(1, granted(3, Request(0, "client", 0, 2), 6)), 6))
    list(one.happens(Crashed(), 7))
    assert placed(one, OTHER, 3) == []  # nobody is asked
    one.memory.free(6)
    assert list(one.happens(ProcessEnded(running), 8)) == []
    turns = [*one.happens(Restarted(), 9)]
    assert asked(turns) == [
        *("client start", "server start", "manager start"),
        *("server memory_changed", "client process_placed", "client memory_changed"),
        *("server memory_changed", "client process_placed", "client memory_changed"),
        *("server memory_changed", "client process_ended", "client memory_changed"),
    ]
    first, second = (Request(0, "client", 1, count) for count in (1, 2))
    # Of 15 bytes, 10 are in RAM and 3 are borrowed already.
    sends = [effect for effect in effects(turns) if isinstance(effect, Send)]
    assert sends[:1] == [asks(2, 9, JOB, first, -5)]
    assert one.site.incarnation == 1
    assert [two.process for two in one.roles["client"].asking.values()] == [JOB]
    assert second not in one.roles["client"].asking  # it lacks nothing, and starts
    assert one.residents[8, 1] == (OTHER, True)


def test_of_two_crashes_both_must_be_over():
    one = host()
    for fault in (Crashed(), Crashed(), Restarted()):
        assert list(one.happens(fault, 5)) == []
    assert one.is_down
    assert asked(one.happens(Restarted(), 6))[0] == "client start"
    assert (one.is_down, one.site.incarnation) == (False, 1)


def test_where_nobody_will_ask_any_more_processes_start_alone():
    one = host()
    placed(one)
    [turn] = one.happens(Crashed(for_ever=True), 6)
    assert (turn.role, turn.effects) == (None, [StartProcess(7, 1)])
    assert placed(one, OTHER, 3) == [StartProcess.of(OTHER)]
    assert one.residents == {(7, 0): (JOB, True), (8, 1): (OTHER, True)}


def test_with_its_node_a_servent_loses_what_it_had_to_tell_new_roles():
    one = host()
    placed(one)
    list(one.happens(Crashed(), 6))
    list(one.happens(ProcessEnded(OTHER), 7))
    one.memory.clear()
    list(one.happens(NodeLost(), 8))
    assert (one.residents, one.missed) == ({}, [])
    list(one.happens(Restarted(), 9))
    assert asked(one.happens(Restarted(), 9)) == ["client start", "server start", "manager start"]


# Pauses


def test_in_a_pause_all_waits_and_is_handled_in_order_with_its_context():
    one = host()
    list(one.happens(Paused(), 5))
    one.memory.allocate(7, 12)
    for place, what in enumerate(waits := [ProcessPlaced(JOB), TimerFired("server", "t")]):
        assert list(one.happens(what, 6, f"context {place}")) == []
    assert one.residents == {(7, 0): (JOB, False)}  # it is there, though nobody knows
    turns = list(one.happens(Resumed(), 9))
    opening = [(turn.what, turn.context) for turn in turns if turn.role is None]
    assert opening == [(waits[0], "context 0"), (waits[1], "context 1")]
    assert asked(turns)[-1] == "server timer"
    assert effects(turns) == [asks(2, 9)]


def test_of_two_pauses_both_must_be_over():
    one = host()
    for what in (Paused(), Paused(), TimerFired("server", "t"), Resumed()):
        assert list(one.happens(what, 5)) == []
    assert asked(one.happens(Resumed(), 6)) == ["server timer"]


@pytest.mark.parametrize("does", [CancelTimer("late"), SetTimer("late", 5)])
def test_a_timer_that_was_due_in_a_pause_fires_not_if_it_is_set_or_cancelled_first(does):
    class Changes(Server):
        def timer(self, name, now_ns):
            return [does] if name == "early" else [Note("fires", name)]

    one = host(Protocol(server=Changes))
    for what in (Paused(), *(TimerFired("server", name) for name in ("early", "late", "other"))):
        list(one.happens(what, 5))
    turns = [turn for turn in one.happens(Resumed(), 6) if turn.role is not None]
    assert [turn.effects for turn in turns] == [[does], [Note("fires", "other")]]


def test_what_waits_is_lost_in_a_crash_but_for_ends():
    one = host()
    for what in (Paused(), ProcessEnded(JOB), Received(1, granted(2)), ProcessEnded(OTHER)):
        list(one.happens(what, 5))
    list(one.happens(Crashed(), 6))
    assert (one.waiting, one.missed) == ([], [JOB, OTHER])


def test_new_roles_start_in_a_pause_and_hear_of_all_else_afterwards():
    one = host()
    placed(one)
    for what in (Crashed(), Paused()):
        list(one.happens(what, 6))
    starts = ["client start", "server start", "manager start"]
    assert asked(one.happens(Restarted(), 7)) == starts
    assert asked(one.happens(Resumed(), 8))[1] == "client process_placed"


# Its state


@dataclass
class Counter:
    """Something that a user's role keeps."""

    count: int


class Counting(Client):
    def __init__(self, site):
        super().__init__(site)
        self.own = Counter(0)
        self.threshold = self.memory.ram

    def process_placed(self, process, now_ns):
        self.own.count += 1
        return super().process_placed(process, now_ns)


def test_a_copy_goes_on_as_the_first_does():
    first = host(Protocol(client=Counting))
    placed(first)
    for what in (Crashed(), Restarted(), Paused()):
        list(first.happens(what, 6))
    list(first.happens(Received(1, granted(2, Request(0, "client", 1, 1))), 7))
    second = first.copy()
    assert second.state() == first.state()
    assert effects(second.happens(Resumed(), 8)) == [StartProcess(7, 1)]
    assert second.state() != first.state()
    assert effects(first.happens(Resumed(), 8)) == [StartProcess(7, 1)]
    assert second.state() == first.state()
    assert second.memory.loans == {1: 2}


def test_what_a_role_keeps_is_its_state_and_what_is_counted_is_not():
    one, other = host(Protocol(client=Counting)), host(Protocol(client=Counting))
    one.metrics.ignored += 1
    assert one.state() == other.state()
    other.roles["client"].own.count += 1
    assert one.state() != other.state()


def test_what_a_role_has_of_its_site_is_no_state_unless_it_sets_it_itself():
    class Generous(Server):
        def __init__(self, site):
            super().__init__(site)
            self.threshold = 0

    for server, threshold in ((Server, 3), (Generous, 0)):
        one = host(Protocol(server=server), threshold=3)
        before = one.state()
        assert one.roles["server"].threshold == threshold
        assert one.state() == before
        assert ("threshold" in one.roles["server"].state()) == (server is Generous)
        assert one.copy().roles["server"].threshold == threshold
