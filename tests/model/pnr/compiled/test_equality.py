"""The compiled plane does what the actors do: record by record, to the nanosecond."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from model.core.journal.kinds import Record, Sent, is_detail
from model.ground.clock import SAMPLE
from model.pnr.scenario import make_scenario
from model.systems import emulation_of, run
from tests.model.pnr.compiled.equality import assert_equal, report

SMALL = {
    "nodes": 8,
    "page_bytes": 2**16,
    "minimum_demand_s": 0.001,
    "barrier_s": 0.01,
    "quantum_s": 0.05,
}
#: Memory is scarce, in two slots: jobs borrow, wait, are suspended while pages are on the way.
SCARCE = [
    {"submit_s": 0, "processes": 3, "memory_mb": 60, "demand_s": 0.3},
    {"submit_s": 0, "processes": 4, "memory_mb": 24, "demand_s": 0.2},
    {"submit_s": 0.02, "processes": 6, "memory_mb": 4, "demand_s": 0.1},
    {"submit_s": 0.02, "processes": 1, "memory_mb": 40, "demand_s": 0.08},
    {"submit_s": 0.05, "processes": 8, "memory_mb": 12, "demand_s": 0.1},
]
#: Messages are lost, doubled and late, and servents crash, while these jobs run.
FAULTS = [
    {"kind": "loss", "rate": 0.1},
    {"kind": "duplicate", "rate": 0.3},
    {"kind": "delay", "delay_ms": 20, "distribution": "exponential"},
    {"kind": "servent", "nodes": [0, 3], "from_s": 0.1, "restart_s": 0.05},
]


SWITCHED = ("two-level", "fat-tree", "dragonfly", "jellyfish")
#: Memory changes only where all processes of a job meet.
PROFILES_WHERE_ALL_MEET = {name: {"memory_profile": "static"} for name in ("neighbours", "none")}
HARDWARE = st.fixed_dictionaries(
    {
        "nodes": st.integers(1, 7),
        "cores": st.sampled_from([1, 1, 1, 1, 2, 3]),
        "seed": st.integers(0, 2**63 - 1),
        "topology": st.sampled_from(
            [*("star", "bus", "connected", "ring", "torus"), *SWITCHED],
        ),
        "scheduler": st.sampled_from(["gang", "gang", "space", "gang-memory"]),
        "memory_estimate": st.sampled_from(["exact", "requested", "user"]),
        "duplex": st.sampled_from(["full", "half"]),
        "page_exchange": st.sampled_from(["read", "read", "swap"]),
        "relocality": st.sampled_from([True, True, False]),
        "locality": st.sampled_from(["static", "static", "drifting"]),
        "relocality_unit": st.sampled_from(["byte", "page"]),
        "routing": st.sampled_from(["single", "single", "ecmp"]),
        "mpl": st.integers(1, 4),
        "skip_full": st.booleans(),
        "bandwidth_mbps": st.sampled_from([10, 100, 10_000, 100_000]),
        "switch_us": st.sampled_from([80, 80, 0, 0.001]),
        "frame_bytes": st.sampled_from([None, None, 1500, 64]),
        "latency_ns": st.sampled_from([50, 0, 10**7]),
        "page_bytes": st.sampled_from([2**15, 2**17, 2**20]),
        "page_request_bytes": st.sampled_from([64, 1]),
        "barrier_s": st.sampled_from([0.01, 0.001, 0.005]),
        "synchronization": st.sampled_from(["central", "tree", "neighbours", "none"]),
        "exchange_kb": st.sampled_from([0, 0, 4, 100]),
        "quantum_s": st.sampled_from([0.007, 0.03, 0.001]),
        "pcs_ms": st.sampled_from([4, 0, 1]),
        "seek_ms": st.sampled_from([9, 0]),
        "disk_writes": st.sampled_from([False, False, True]),
        "give_up_response_s": st.sampled_from([None, None, None, 0.04, 0.3]),
        "sample_s": st.sampled_from([0.01, 50_000, 50_000]),
        "memory_profile": st.sampled_from(["static", "ramp", "phases"]),
        "memory_start": st.sampled_from([0.25, 0, 0.9]),
        "memory_steps": st.sampled_from([8, 1, 3]),
        "arrival_jitter": st.sampled_from([0, 0, 0.5]),
        "memory_limit": st.sampled_from([None, None, None, 0.5]),
    }
).map(lambda drawn: drawn | PROFILES_WHERE_ALL_MEET.get(drawn["synchronization"], {}))
JOB = st.fixed_dictionaries(
    {
        "submit_s": st.sampled_from([0, 0, 0.004, 0.02, 0.021]),  # often at the same time
        "processes": st.integers(1, 7),
        "memory_mb": st.sampled_from([1, 8, 20, 31.95, 32, 33, 45, 70]),  # RAM is 32
        "demand_s": st.sampled_from([0.001, 0.005, 0.02, 0.05, 0.05321]),
        "requested_mb": st.sampled_from([None, 2, 30]),
        "limit_mb": st.sampled_from([None, None, None, 5, 31]),
        "user": st.sampled_from([None, 0, 1]),
    }
)
#: Nodes that differ: each node is of one of these groups in turn, if there are any.
GROUP = st.fixed_dictionaries(
    {},
    optional={
        "ram_mb": st.sampled_from([16, 33, 100]),
        "cpu_mhz": st.sampled_from([33, 11, 100, 12.5]),
        "seats": st.booleans(),
        "cores": st.sampled_from([1, 1, 1, 4]),
        "seek_ms": st.sampled_from([0, 2]),
        "disk_mb_per_s": st.sampled_from([1, 500]),
        "bandwidth_mbps": st.sampled_from([10, 1000]),
        "latency_ns": st.sampled_from([0, 10**6]),
        "joins_s": st.sampled_from([0, 0.005, 0.03]),
        "leaves_s": st.sampled_from([0.031, 0.04, 0.1]),
        "leave_grace_s": st.sampled_from([0, 0.01]),
    },
)
GROUPS = st.lists(GROUP, max_size=4)
_COMES_AND_GOES = ("joins_s", "leaves_s", "leave_grace_s")


def unequal(hardware: dict, groups: list[dict]) -> dict:
    """The hardware with nodes of these groups in turn, of which the first has seats."""
    if not groups:
        return hardware
    of_links = ("bandwidth_mbps", "latency_ns") if hardware["topology"] == "bus" else ()
    tables = [
        {name: value for name, value in group.items() if name not in of_links} for group in groups
    ]
    nodes = [dict(tables[node % len(tables)]) for node in range(hardware["nodes"])]
    nodes[0] = {name: of for name, of in nodes[0].items() if name not in _COMES_AND_GOES}
    nodes[0]["seats"] = True
    for group in nodes:
        if "leaves_s" not in group:
            group.pop("leave_grace_s", None)
    return {**hardware, "node": nodes}


def seats_of(hardware: dict) -> int:
    """How many processes may compute at once."""
    cores = hardware.get("cores", 1)
    groups = hardware.get("node", [{}] * hardware["nodes"])
    return sum(it.get("cores", cores) for it in groups if it.get("seats", True))


HOARDING = ["CLI(takes=server)", "BB2(takes=server, surplus=keep)", "MAN(takes=2, surplus=back)"]
DESIGN = st.sampled_from(["DP", "CLI", "CEN", "MAN", "MAN(load=share)", "BB1", "BB2", *HOARDING])


@given(
    hardware=HARDWARE,
    groups=GROUPS,
    jobs=st.lists(JOB, min_size=1, max_size=6),
    design=DESIGN,
    level=st.sampled_from(["all", "protocol"]),
)
@settings(max_examples=50)
def test_any_workload_on_any_cluster(hardware, groups, jobs, design, level):
    hardware = unequal(hardware, groups)
    nodes, seats = hardware["nodes"], seats_of(hardware)
    jobs = [{**job, "processes": min(job["processes"], seats)} for job in jobs]
    if design == "BB2" and nodes == 1:
        design = "BB1"
    scenario = make_scenario(job=jobs, minimum_demand_s=0.001, **hardware)
    assert_equal(scenario, design, level)


@given(
    hardware=HARDWARE,
    groups=GROUPS,
    jobs=st.lists(JOB, min_size=1, max_size=6),
    design=DESIGN,
    share=st.floats(0, 1),
)
@settings(max_examples=25)
def test_every_hop_is_journaled_from_any_moment(hardware, groups, jobs, design, share):
    hardware = unequal(hardware, groups)
    jobs = [{**job, "processes": min(job["processes"], seats_of(hardware))} for job in jobs]
    if design == "BB2" and hardware["nodes"] == 1:
        design = "BB1"
    scenario = make_scenario(job=jobs, minimum_demand_s=0.001, **hardware)
    whole: list[Record] = []
    run(scenario, design, readers=(whole.append,), plane="actors")
    moment_ns = 1 + int(share * whole[-1].time_ns)
    late: list[Record] = []
    given = {"readers": (late.append,), "journal_level": "protocol", "plane": "compiled"}
    cluster = emulation_of(scenario, design, **given)
    begin = cluster.journal_every_hop
    cluster.clock.schedule((moment_ns, SAMPLE, -1, 0, 0, begin, None))
    cluster.run()
    # of what was on its way then, some hops have been journaled nowhere
    before = {it.id for it in whole if it.kind == Sent.name and it.time_ns <= moment_ns}
    hops = [it for it in whole if is_detail(it) and it.time_ns > moment_ns and it.id not in before]
    assert [it for it in late if is_detail(it) and it.id not in before] == hops
    assert [it for it in late if not is_detail(it)] == [it for it in whole if not is_detail(it)]


FAULT = st.one_of(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["loss", "duplicate"]),
            "rate": st.sampled_from([0.1, 0.5]),
            "messages": st.sampled_from([None, ["start"], ["end", "telling"]]),
            "from_s": st.sampled_from([0, 0.01]),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("delay"),
            "delay_ms": st.sampled_from([0.1, 5, 40]),
            "distribution": st.sampled_from(["constant", "uniform", "exponential"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("partition"),
            "groups": st.sampled_from([[[0]], [[0], [1]]]),
            "until_s": st.sampled_from([0.02, None]),
            "oneway": st.booleans(),
        }
    ),
    st.just({"kind": "slow", "nodes": [0], "factor": 0.3}),
    st.just({"kind": "pause", "nodes": [0, 1], "from_s": 0.003, "until_s": 0.04}),
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["pause", "servent", "node"]),
            "mtbf_s": st.sampled_from([0.02, 0.1]),
            "mttr_s": st.sampled_from([0.002, 0.03]),
            "until_s": st.just(1),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["servent", "node", "node"]),
            "nodes": st.sampled_from([[0], [1], [0, 1]]),
            "from_s": st.sampled_from([0, 0.004, 0.02]),
            "restart_s": st.sampled_from([None, 0.01]),
        }
    ),
)
OWN = ["RELIABLE(MAN)", "RELIABLE(CLI)", "RECLAIM(MAN)", "RELIABLE(RECLAIM(MAN))", "PROBE1"]
OWN += ["GOSSIP", "TREE2", "RACK2", "LEASE", "SURVIVOR", "ADAPT", "MASTER", "INFINISWAP"]
OWN.append(str(Path(__file__).with_name("noting.py:noting")))
DESIGN_WITH_TIMERS = st.one_of(DESIGN, st.sampled_from(OWN))


@given(
    hardware=HARDWARE,
    groups=GROUPS,
    jobs=st.lists(JOB, min_size=1, max_size=5),
    design=DESIGN_WITH_TIMERS,
    faults=st.lists(FAULT, min_size=1, max_size=3),
    grant_timeout_s=st.sampled_from([None, None, 0.005]),
    level=st.sampled_from(["all", "protocol"]),
)
@settings(max_examples=25)
def test_any_faults_on_any_cluster(hardware, groups, jobs, design, faults, grant_timeout_s, level):
    nodes = max(3, hardware["nodes"])
    hardware = {**hardware, "nodes": nodes, "grant_timeout_s": grant_timeout_s, "drain_s": 5}
    hardware["stall_s"] = 3  # jobs may be stuck, and time slots go round
    hardware = unequal(hardware, groups)
    jobs = [{**job, "processes": min(job["processes"], seats_of(hardware))} for job in jobs]
    scenario = make_scenario(job=jobs, fault=faults, minimum_demand_s=0.001, **hardware)
    assert_equal(scenario, design, level)


#: Messages and pages in no time at all: 1 byte rounds to 0 ns at 100 Gbps. All ties, then.
AT_ONCE = {
    "bandwidth_mbps": 100_000,
    **dict.fromkeys(("latency_ns", "switch_us", "seek_ms", "page_header_bytes", "pair_bytes"), 0),
    **dict.fromkeys(("page_request_bytes", "barrier_bytes", "protocol_bytes"), 1),
    "entry_bytes": 0,
    "broadcast_bytes": 1,
    "rpm": 1e9,
    "disk_mb_per_s": 1e9,
}


@given(
    jobs=st.lists(
        st.fixed_dictionaries(
            {
                "submit_s": st.sampled_from([0, 0, 0.01, 0.013, 0.02]),
                "processes": st.integers(1, 4),
                "memory_mb": st.sampled_from([1, 20, 33, 45, 70]),
                "demand_s": st.sampled_from([0.01, 0.02, 0.03, 0.04]),
            }
        ),
        min_size=2,
        max_size=6,
    ),
    clock=st.fixed_dictionaries(
        {
            "quantum_s": st.sampled_from([0.01, 0.02, 0.05]),
            "pcs_ms": st.sampled_from([0, 10, 4]),
            "mpl": st.integers(1, 3),
            "cores": st.sampled_from([1, 1, 2]),
            "topology": st.sampled_from(["star", "bus", "connected"]),
            "seed": st.integers(0, 100),
            "memory_profile": st.sampled_from(["static", "phases"]),
            "synchronization": st.sampled_from(["central", "tree", "neighbours", "none"]),
            "exchange_kb": st.sampled_from([0, 0.001]),
        }
    ).map(lambda drawn: drawn | PROFILES_WHERE_ALL_MEET.get(drawn["synchronization"], {})),
    design=DESIGN,
)
@settings(max_examples=30)
def test_messages_that_take_no_time(jobs, clock, design):
    scenario = make_scenario(
        job=jobs,
        nodes=4,
        barrier_s=0.01,
        minimum_demand_s=0.001,
        page_bytes=2**17,
        **AT_ONCE,
        **clock,
    )
    assert_equal(scenario, design, "protocol")


def test_a_protocol_message_in_no_time_follows_what_others_did_in_that_nanosecond():
    # found by a directed search: a process ends, and through messages of 0 ns a server answers in
    # the nanosecond in which its own process had sent
    jobs = [
        {"processes": 2, "memory_mb": 33, "demand_s": 0.007},
        {"processes": 2, "memory_mb": 45, "demand_s": 0.003},
        {"processes": 2, "memory_mb": 33, "demand_s": 0.003},
        {"processes": 1, "memory_mb": 1, "demand_s": 0.001, "submit_s": 0.0001},
    ]
    given = {"bandwidth_mbps": 100_000, "latency_ns": 0, "protocol_bytes": 1, "page_bytes": 2**20}
    clock = {"barrier_s": 0.001, "mpl": 1, "minimum_demand_s": 0.001}
    scenario = make_scenario(job=jobs, nodes=4, topology="connected", **given, **clock)
    assert_equal(scenario, "BB1", "protocol")


def test_the_first_record_that_differs_is_reported():
    common, one, other = (Record(time_ns, "fault") for time_ns in (1, 2, 3))
    told = f"record 1 differs:\n  actors   {one}\n  compiled {other}"
    assert report([common, one], [common, other]) == told
    assert report([common, one], [common, one]) == ""
    assert report([common, one], [common]).startswith("record 1 differs:")
