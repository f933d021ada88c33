"""Elections by majority, and a rule that they keep."""

from agents.messages import Content
from agents.pnr.protocol import CancelTimer, Send, Server, SetTimer, message
from model.ground.units import NS_PER_S
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.dp import dp


@message("telling", hears="server", size_bytes=64)
class Asks(Content):
    """Candidate -> the others: vote for me in this term."""

    term: int


@message("telling", hears="server", size_bytes=64)
class Votes(Content):
    """A server -> the candidate: you have my vote."""

    term: int


@message("telling", hears="server", size_bytes=64)
class Leads(Content):
    """Leader -> the others: I lead in this term."""

    term: int


class Elects(Server):
    """Elects a leader by majority (Ongaro and Ousterhout: Raft, 2014, section 5.2)."""

    votes_each_term_once = True

    def __init__(self, site):
        super().__init__(site)
        self.term, self.voted, self.votes = 0, False, ()

    def _leads(self):
        return 2 * len(self.votes) > self.nodes

    def _to_others(self, content):
        return [Send(node, content) for node in range(self.nodes) if node != self.node]

    def _wait(self):
        return SetTimer("no leader", (3 + self.node) * NS_PER_S)

    def _hear_of(self, term):
        if term > self.term:
            self.term, self.voted, self.votes = term, False, ()

    def start(self, now_ns):
        return [self._wait()]

    def timer(self, name, now_ns):
        if name == "no leader":
            self.term += 1
            self.voted, self.votes = True, (self.node,)
            return [self._wait(), *self._to_others(Asks(self.term))]
        if not self._leads():
            return []
        return [SetTimer("beat", NS_PER_S), *self._to_others(Leads(self.term))]

    def receive(self, sender, content, now_ns):
        if not isinstance(content, Asks | Votes | Leads):
            return super().receive(sender, content, now_ns)
        led = self._leads()
        self._hear_of(content.term)
        if content.term != self.term:
            return []
        if isinstance(content, Leads):
            return [self._wait()]
        if isinstance(content, Asks):
            if self.voted and self.votes_each_term_once:
                return []
            self.voted = True
            return [self._wait(), Send(sender, Votes(self.term))]
        self.votes = tuple(sorted({*self.votes, sender}))
        if led or not self._leads():
            return []
        beat = SetTimer("beat", NS_PER_S)
        return [CancelTimer("no leader"), beat, *self._to_others(Leads(self.term))]


class VotesTwice(Elects):
    """Gives its vote to whoever asks."""

    votes_each_term_once = False


def one_leader_a_term(before, step, after):
    servers = [node.roles["server"] for node in after.nodes if not node.is_down]
    leaders = [it for it in servers if isinstance(it, Elects) and it._leads()]
    if any(one.term == other.term for one in leaders for other in leaders if one is not other):
        return "two lead in a term"
    return None


elects = mistake(dp)(Elects)
votes_twice = mistake(dp)(VotesTwice)
