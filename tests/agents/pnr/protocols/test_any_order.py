"""Designs with a protocol of their own, message by message in random orders, with and without loss.

Roles are called as a servent calls them, but time is a count of steps: each step delivers one
message, fires one timer, places one job or ends one process, whichever is drawn.
"""

from random import Random

import pytest

from agents.pnr.messages import Placed
from agents.pnr.protocol import CancelTimer, Send, SetTimer, Site, StartProcess
from model.ground.memory import Memory
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario

NODES, RAM, THRESHOLD = 4, 8, 1
JOBS = {1: ([0, 1], 10), 2: ([2], 12), 3: ([1, 2], 5), 4: ([3], 2), 5: ([0, 1, 2, 3], 9)}
DESIGNS = ["PROBE1", "PROBE2", "GOSSIP", "TREE1", "TREE2", "ADAPT"]


class World:
    """Roles on their nodes, and what is under way."""

    def __init__(self, name, seed, lost=0.0, repeated=0.0):
        scenario = make_scenario(nodes=NODES, seed=seed)
        self.design = design = load_design(name, scenario)
        self.random, self.lost, self.repeated = Random(seed), lost, repeated
        self.now_ns, self.sent, self.timers, self.jobs = 0, [], [], list(JOBS)
        self.waiting, self.running = [], []  # processes, as (job, node)
        self.memories = [Memory(RAM) for _ in range(NODES)]
        self.roles = []
        for node, memory in enumerate(self.memories):
            site = Site(
                memory,
                node,
                NODES,
                seed,
                THRESHOLD,
                coordinated=design.coordinated,
                tells=design.tells(node),
                parameters=design.parameters,
            )
            classes = [design.protocol.client, design.protocol.server]
            classes += [design.protocol.manager] * (node in design.managers)
            self.roles.append({role.name: role(site) for role in classes})
        for node in range(NODES):
            for role in self.roles[node].values():
                self.handle(role, role.start)

    def handle(self, role, handler, *arguments):
        memory, lent = role.memory, role.memory.lent
        effects = handler(*arguments, self.now_ns)
        assert memory.lent <= lent or memory.demand <= RAM - THRESHOLD  # it lends what is free
        for effect in effects:
            match effect:
                case Send():
                    self.sent.append((role.node, effect.target, effect.content))
                case StartProcess():
                    self.waiting.remove((effect.job, role.node))
                    self.running.append((effect.job, role.node))
                case SetTimer() | CancelTimer():
                    timer = (role.node, role.name, effect.name)
                    self.timers = [other for other in self.timers if other != timer]
                    self.timers += [timer] * isinstance(effect, SetTimer)
        for one in self.roles[role.node].values():
            one.validate()

    def changed(self, node, role):
        self.handle(self.roles[node][role], self.roles[node][role].memory_changed)

    def about(self, job, node):
        nodes, _ = JOBS[job]
        asking = (job, nodes, node)
        clients, manager = self.design.clients_of(*asking), self.design.manager_of(*asking)
        return Placed(job, nodes.index(node), clients, manager)

    def place(self, job):
        self.jobs.remove(job)
        nodes, size = JOBS[job]
        for node in nodes:
            self.memories[node].allocate(job, size)
            self.waiting.append((job, node))
        for node in nodes:
            client = self.roles[node]["client"]
            self.changed(node, "server")
            self.handle(client, client.process_placed, self.about(job, node))
            self.changed(node, "client")

    def end(self, process):
        self.running.remove(process)
        job, node = process
        client = self.roles[node]["client"]
        self.memories[node].free(job)
        self.changed(node, "server")
        self.handle(client, client.process_ended, self.about(job, node))
        self.changed(node, "client")

    def fire(self, timer):
        self.timers.remove(timer)
        node, role, name = timer
        self.handle(self.roles[node][role], self.roles[node][role].timer, name)

    def deliver(self, message):
        fate = self.random.random()
        if fate >= self.repeated or message[0] == message[1]:
            self.sent.remove(message)
        if fate >= 1 - self.lost and message[0] != message[1]:
            return
        sender, node, content = message
        role, demand = self.roles[node][content.hears], self.memories[node].demand
        self.handle(role, role.receive, sender, content)
        if self.memories[node].demand != demand:
            self.changed(node, "server")
            self.changed(node, "client")

    def run(self):
        """Steps until none is possible, some 10,000 at most."""
        while self.now_ns < 10**12:
            steps = [(self.deliver, message) for message in self.sent]
            steps += [(self.fire, timer) for timer in self.timers]
            steps += [(self.place, job) for job in self.jobs]
            steps += [(self.end, process) for process in self.running]
            if not steps:
                return
            self.now_ns += 10**8
            step, what = self.random.choice(steps)
            step(what)
        raise AssertionError(f"there is no end to it: {self.sent[:5]}, {self.timers}")

    def ignored(self):
        return sum(role.metrics.ignored for roles in self.roles for role in roles.values())


@pytest.mark.parametrize("design", DESIGNS)
def test_in_any_order_all_processes_run_and_all_memory_comes_back(design):
    lent = 0
    for seed in range(30):
        world = World(design, seed)
        world.run()
        assert (world.jobs, world.waiting, world.running) == ([], [], [])
        ledgers = [(m.demand, m.lent, m.borrowed, m.asked) for m in world.memories]
        assert ledgers == [(0, 0, 0, {})] * NODES
        assert world.ignored() == 0
        servers = [roles["server"] for roles in world.roles]
        lent += sum(sum(server.granted.values()) for server in servers)
    assert lent > 0


@pytest.mark.parametrize("design", DESIGNS)
def test_with_lost_and_repeated_messages_no_role_raises_anything(design):
    ignored = 0
    for seed in range(30):
        world = World(design, seed, lost=0.1, repeated=0.2)
        world.run()
        ignored += world.ignored()
    assert ignored > 0
