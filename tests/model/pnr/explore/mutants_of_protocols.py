"""Designs with one mistake each, in a protocol other than the thesis's."""

from dataclasses import replace

from agents.pnr.messages import ServerRequest
from agents.pnr.protocol import CancelTimer, Send, SetTimer
from agents.pnr.protocols.adapt import Switching, adapt
from agents.pnr.protocols.gossip import Gossip, Gossiping, gossip
from agents.pnr.protocols.lease import LeasingClient, LeasingServer, lease
from agents.pnr.protocols.master import Borrower, Master, master
from agents.pnr.protocols.probe import Lender, LoadQuery, LoanReply, Prober, probe
from agents.pnr.protocols.rack import Leader, Search, rack
from agents.pnr.protocols.survivor import CHECK, Borrowing, Survivor, Witness, survivor
from agents.pnr.protocols.tree import Branch, tree
from tests.model.pnr.explore.mistakes import mistake

# PROBE


@mistake(probe)
class TakesLoansTwice(Prober):
    """Borrows whatever a reply says is lent, though it may have heard that reply before."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, LoanReply) and content.amount and content.request not in self.serves:
            self.memory.borrow(sender, content.amount, content.request)
        return super().receive(sender, content, now_ns)


@mistake(probe)
class TakesBackAnyLoan(Lender):
    """Takes back so many bytes, of whichever loan: a release that comes twice ends another's."""

    def take_back(self, release):
        left = release.amount
        for request in list(self.memory.lent_for):
            left -= self.memory.take_back(left, request)


@mistake(probe, d=3)
class AsksAllAtOnce(Prober):
    """Asks all that have memory at once, to be quick, and has no use for a second loan."""

    def _go_on(self, request, now_ns):
        effects = super()._go_on(request, now_ns)
        sends = [effect.content for effect in effects if isinstance(effect, Send)]
        asks = [content for content in sends if isinstance(content, ServerRequest)]
        stated = self.probes[request].stated if asks else {}
        others = [server for server, word in stated.items() if word.load > self.site.threshold]
        return effects + [
            Send(server, replace(asks[0], request=self.new_request())) for server in others
        ]


@mistake(probe)
class KeepsItsWord(Lender):
    """Lends what it has said that it has, though it may have lent or used it since."""

    def __init__(self, site):
        super().__init__(site)
        self.said = {}  # to each client

    def receive(self, sender, content, now_ns):
        if isinstance(content, LoadQuery):
            self.said[sender] = self.memory.load - self.threshold
        return super().receive(sender, content, now_ns)

    def lend(self, amount, request):
        granted = max(0, min(amount, self.said[request.node]))
        self.memory.lend(granted, request)
        return granted


# GOSSIP


@mistake(gossip)
class TellsOfAll(Gossiping):
    """Tells on about all nodes when it is told of one, also about those it has not heard of."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, Gossip):
            self._tell_on(*range(self.nodes))
        return super().receive(sender, content, now_ns)


# TREE


@mistake(tree, k=1)
class HearsNeighbours(Branch):
    """Expects messages along the tree only, and drops the answers of servers elsewhere."""

    def receive(self, sender, content, now_ns):
        if sender not in (self.node, *self.tells):
            return self.ignore(content)
        return super().receive(sender, content, now_ns)


# RACK


@mistake(rack, k=1)
class NamesTheWrongLoan(Leader):
    """Knows what other racks lend by its own question to the root, which no server knows."""

    def _found(self, found, now_ns):
        if found.request in self.asked:
            lent = tuple(one._replace(request=found.request) for one in found.lent)
            found = replace(found, lent=lent)
        return super()._found(found, now_ns)


@mistake(rack, k=1)
class AsksTheAsker(Leader):
    """The root asks all racks, also the one that asks it, which is not to be disturbed."""

    def _asked_for_others(self, leader, ask, now_ns):
        search = Search(leader, ask, list(self.leaders), ask.amount)
        self.searches[ask.request] = search
        return self._order_next(ask.request, search, now_ns)


@mistake(rack, k=1)
class ForgetsWhatIsFound(Leader):
    """The root asks each rack for all that was missing at first: too much is lent."""

    def _found(self, found, now_ns):
        if found.request in self.ordered:
            self.searches[self.ordered[found.request]].missing += found.amount
        return super()._found(found, now_ns)


# LEASE


@mistake(lease)
class EndsEarly(LeasingServer):
    """Takes memory back just before a lease is over, when its client may use it still."""

    def _keep(self, now_ns):
        return [
            SetTimer(timer.name, self.lease_ns - 1) if isinstance(timer, SetTimer) else timer
            for timer in super()._keep(now_ns)
        ]


@mistake(lease)
class TrustsItsRenewal(LeasingClient):
    """Renews a lease, and does not set the timer again after which it is over unless confirmed."""

    def timer(self, name, now_ns):
        effects = super().timer(name, now_ns)
        return [effect for effect in effects if not isinstance(effect, SetTimer)]


# MASTER


@mistake(master)
class ReturnsWhatItUses(Borrower):
    """Returns a grant for which it does not wait, also if that is the first one, again."""

    def _return(self, grant):
        loans_for, self.memory.loans_for = self.memory.loans_for, {}
        effects = super()._return(grant)
        self.memory.loans_for = loans_for
        return effects


@mistake(master)
class WaitsForServers(Master):
    """Sets no timer for a server's answer; if that is lost, a client that asks again is ignored."""

    def _seek(self, run, allocation, now_ns):
        effects = super()._seek(run, allocation, now_ns)
        return [effect for effect in effects if not isinstance(effect, SetTimer)]


# SURVIVOR, which presumes nobody lost


@mistake(survivor, lost_s=None)
class EndsWhatIsAnswered(Witness):
    """Takes every report to be of the end of a loan, and not of what is borrowed still."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, Borrowing):
            content = replace(content, amount=0)
        return super().receive(sender, content, now_ns)


@mistake(survivor, lost_s=None)
class EndsAllChecks(Witness):
    """Checks no more when one loan is over; of others, the last report may be lost."""

    def _take_back(self, amount, request):
        return [*super()._take_back(amount, request), CancelTimer(CHECK)]


@mistake(survivor, lost_s=None)
class ChecksAfterOneCrash(Witness):
    """Has on its disk that it lends, for a start after a crash, and not for the one after that."""

    def start(self, now_ns):
        lends = self.stored.get("lends", False)
        self.store(lends=False)
        return super().start(now_ns) if lends else []

    def _lend(self, amount, request):
        self.store(lends=True)
        return super()._lend(amount, request)


@mistake(survivor, lost_s=None)
class OwnBooks(Survivor):
    """Gives back what it has noted that it borrows; if a lender is gone, its ledger has less."""

    def __init__(self, site):
        super().__init__(site)
        self.noted = {}  # server and request -> bytes

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        self.noted = {loan: self._borrowed(*loan) for loan in self.borrowed_for}
        return effects

    def release(self, process, now_ns):
        for (server, _), amount in self.noted.items():
            self.memory.give_back(server, amount)
        return [self._borrows(server, request) for server, request in self.noted]


# ADAPT


@mistake(adapt)
class ExpectsToHaveAsked(Switching):
    """Looks up whom it has asked for a process, which it has forgotten if it has crashed since."""

    def process_ended(self, process, now_ns):
        manager = self.managers[*process.key, process.attempt]
        return super().process_ended(process._replace(manager=manager), now_ns)
