"""What the thesis's advice and the constants of later clusters led us to expect; in numbers."""

from math import inf

from model.papers.findings import Finding
from model.papers.later_clusters.cases import (
    BUS_DESIGNS,
    CLUSTERS,
    DESIGNS,
    HEAVY,
    LIGHT,
    PRESETS,
    between,
    share_between,
)

ALIKE = 1.01  # times: less of a difference would not be worth a word
REACHED = 1.05  # and less than this not worth a design

CM5, BEOWULF, RDMA = PRESETS
_MANAGED = ("CEN", "BB4")  # beside MAN, which they are compared with

FINDINGS = (
    Finding(
        "Borrow at all?",
        "thesis, 5.1.1",
        "Under light load network RAM does no harm: jobs take at most 1 % longer than with disk "
        "paging, on every cluster and with every design.",
        tuple(
            between(cluster, LIGHT, design, "DP", 0, ALIKE)
            for cluster in CLUSTERS
            for design in DESIGNS
        ),
    ),
    Finding(
        "Borrow at all?",
        "thesis, 5.1.1",
        "Under heavy load jobs take less than nine tenths of the time, on every cluster.",
        tuple(between(cluster, HEAVY, "MAN", "DP", 0, 0.9) for cluster in CLUSTERS),
    ),
    Finding(
        "Borrow at all?",
        "constants of the presets",
        "On beowulf-2004 borrowing gains more than on cm5, as its disk is as slow and all else is "
        "faster: what MAN leaves of DP's response time is less than half as much.",
        (share_between(BEOWULF, CM5, HEAVY, "MAN", 0, 0.5),),
    ),
    Finding(
        "Borrow at all?",
        "constants of the presets",
        "On rdma-2020 it gains less than on cm5, since a page from flash costs less than the CPU "
        "needs to walk through it.",
        (share_between(RDMA, CM5, HEAVY, "MAN", 1, inf),),
    ),
    Finding(
        "Which design?",
        "thesis, table 5.1: fast network, low load",
        "Under light load any design will do: they are within 1 % of MAN.",
        tuple(
            between(cluster, LIGHT, design, "MAN", 1 / ALIKE, ALIKE)
            for cluster in CLUSTERS
            for design in DESIGNS
            if design != "MAN"
        ),
    ),
    Finding(
        "Which design?",
        "thesis, table 5.1: fast network, high load",
        "Under heavy load not CLI: with it jobs take more than 5 % longer than with MAN.",
        tuple(between(cluster, HEAVY, "CLI", "MAN", REACHED, inf) for cluster in CLUSTERS),
    ),
    Finding(
        "Which design?",
        "thesis, table 5.1: fast network, high load",
        "Under heavy load CEN, BB4 or MAN: they are within 5 % of each other.",
        tuple(
            between(cluster, HEAVY, design, "MAN", 1 / REACHED, REACHED)
            for cluster in CLUSTERS
            for design in _MANAGED
        ),
    ),
    Finding(
        "Which design?",
        "our study of coordination",
        "Nor two random probes: with PROBE2 jobs take more than 5 % longer than with MAN.",
        tuple(between(cluster, HEAVY, "PROBE2", "MAN", REACHED, inf) for cluster in CLUSTERS),
    ),
    Finding(
        "Slow network",
        "thesis, 5.1.2",
        "On a bus network RAM loses against disk paging under heavy load.",
        tuple(between(preset, HEAVY, "MAN", "DP", 1, inf, "bus") for preset in PRESETS),
    ),
    Finding(
        "Slow network",
        "thesis, table 5.1: slow network, low load",
        "On a bus and under light load CLI: no other design is more than 1 % faster.",
        tuple(
            between(preset, LIGHT, "CLI", design, 0, ALIKE, "bus")
            for preset in PRESETS
            for design in BUS_DESIGNS
            if design != "CLI"
        ),
    ),
    Finding(
        "Slow network",
        "thesis, table 5.1: slow network, high load",
        "On a bus and under heavy load BBx: BB4 is faster than the others.",
        tuple(
            between(preset, HEAVY, "BB4", design, 0, 1, "bus")
            for preset in PRESETS
            for design in BUS_DESIGNS
            if design != "BB4"
        ),
    ),
)
