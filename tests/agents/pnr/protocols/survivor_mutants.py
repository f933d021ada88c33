"""SURVIVOR with one mistake each."""

from agents.pnr.protocol import Protocol
from agents.pnr.protocols.survivor import CHECK, Survivor, Witness, survivor


def design(nodes, name, client=Survivor, server=Witness):
    graph = survivor(nodes, lost_s=None)  # no loan is over but by a mistake
    graph.graph |= {"name": name, "protocol": Protocol(client=client, server=server)}
    return graph


class SameEpoch(Survivor):
    """Its questions have the same ids again after a crash."""

    def new_request(self):
        return super().new_request()._replace(incarnation=0)


def one_epoch(nodes):
    return design(nodes, "ONE-EPOCH", client=SameEpoch)


class EndsEarly(Witness):
    """Takes back what was lent to who has not answered the last check."""

    def timer(self, name, now_ns):
        for request in list(self.silent) if name == CHECK else ():
            self._take_back(self.memory.lent_for.get(request, 0), request)
        return super().timer(name, now_ns)


def ends_early(nodes):
    return design(nodes, "ENDS-EARLY", server=EndsEarly)


class NeverChecks(Witness):
    """Believes that clients will report, and that all servents come back."""

    def timer(self, name, now_ns):
        return []


def never_checks(nodes):
    return design(nodes, "NEVER-CHECKS", server=NeverChecks)


class NeverGivesUp(Survivor):
    """Waits for its answers."""

    def timer(self, name, now_ns):
        return [] if name.startswith("no answer") else super().timer(name, now_ns)


def never_gives_up(nodes):
    return design(nodes, "NEVER-GIVES-UP", client=NeverGivesUp)


class Forgets(Witness):
    """Begins without a look at its ledger."""

    def start(self, now_ns):
        return []


def checks_no_more_after_a_crash(nodes):
    return design(nodes, "FORGETS", server=Forgets)


def presumes_too_soon(nodes):
    graph = survivor(nodes, check_s=4, lease_s=7, lost_s=16)
    graph.graph |= {"name": "PRESUMES-TOO-SOON", "lease_s": 17}
    return graph
