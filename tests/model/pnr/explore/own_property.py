"""A design with properties of its own: functions with the parameters (before, step, after)."""

from topologies.managers.man import man


def own_property(nodes):
    graph = man(nodes)
    graph.graph["name"] = "OWN-PROPERTY"
    return graph


def nobody_lends_more_than_half(before, step, after):
    for node in after.nodes:
        if 2 * node.memory.lent > node.memory.ram:
            return f"node {node.node} lends {node.memory.lent >> 20} MB"
    return None


def sometimes_two_messages_are_on_their_way(before, step, after):
    return len(after.messages) == 2


def sometimes_a_hundred_are(before, step, after):
    return len(after.messages) == 100
