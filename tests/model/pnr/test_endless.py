"""What would never end is refused in one line before the run; what ends is not. Numbers by hand."""

import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import comparison_of

#: Two jobs of 1,000 s on both nodes; the second comes after 500 s.
JOBS = [
    {"processes": 2, "memory_mb": 1, "demand_s": 1000},
    {"processes": 2, "memory_mb": 1, "demand_s": 1000, "submit_s": 500},
]


def validated(jobs=JOBS, designs="DP,MAN", **parameters):
    comparison_of(make_scenario(job=jobs, nodes=2, designs=designs, **parameters)).validate()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        # They share both nodes for 500 s of CPU time: 10^9 turns of 1 us, with a switch before each
        (
            {"quantum_s": 1e-6},
            "quantum_s 1e-06: that makes 2.0e+09 ends of turns and switches while two jobs share "
            "nodes for 500 s of CPU time, and a day is long for 1e+09; give at least 2.1e-06 s",
        ),
        (
            {"barrier_s": 1e-6, "jobs": [{**JOBS[0], "demand_s": 10**6}]},
            "barrier_s 1e-06: that makes 2.0e+12 stops at barriers in 2,000,000 s of CPU time",
        ),
        (
            {"sample_s": 1e-3, "jobs": [{**JOBS[0], "submit_s": s} for s in (0, 10**6)]},
            "sample_s 0.001: that makes 2.0e+09 samples of nodes' memory",
        ),
        (
            {
                "stall_s": 1e-3,
                "fault": [{"kind": "loss"}],
                "jobs": [{**JOBS[0], "submit_s": s} for s in (0, 10**6)],
            },
            "stall_s 0.001: that makes 2.0e+09 looks at whether the run goes on",
        ),
        (
            {"designs": "GOSSIP(round_s=1e-6)"},
            "GOSSIP(round_s=1e-06): round_s 1e-06: that makes 1.5e+09 firings within 1,500 s, "
            "and a day is long for 1e+09; give at least 1.6e-06 s",
        ),
        ({"designs": "INFINISWAP(period_s=1e-7)"}, "period_s 1e-07: that makes 1.5e+10 firings"),
        ({"designs": "RELIABLE(RECLAIM(MAN,ask_again_s=1e-7))"}, "ask_again_s 1e-07"),
        ({"designs": "MASTER(heartbeat_s=1e-7)"}, "heartbeat_s 1e-07"),
        ({"designs": "SURVIVOR(check_s=1e-7)"}, "check_s 1e-07"),
        ({"designs": "LEASE(lease_s=1e-7)"}, "lease_s 1e-07"),
    ],
)
def test_what_would_never_end_is_refused_in_one_line(given, told):
    with pytest.raises(InputError) as refused:
        validated(**given)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        # 2^30 B and pairs for both nodes are 2^24 + 1 frames of 64 B, of 1,000 s each
        (
            {"protocol_bytes": 2**30, "frame_bytes": 64, "switch_us": 1e9},
            "--protocol-bytes, --pair-bytes: a message may be 1,073,741,856 B, which take "
            "1.7e+10 s on the slowest link or switch; make it at most 1000000000 s",
        ),
        (
            {"broadcast_bytes": 2**30, "frame_bytes": 64, "switch_us": 1e9},
            "--broadcast-bytes, --entry-bytes: a message may be",
        ),
        # 8 Gb at 1 mb/s are 8.6 * 10^12 s
        (
            {
                "fault": [{"kind": "slow", "nodes": [0], "factor": 1e-6}],
                "bandwidth_mbps": 0.001,
                "page_bytes": 2**30,
            },
            "--page-bytes, --page-header-bytes: a message may be 1,073,741,888 B, which take 8.6",
        ),
    ],
)
def test_a_message_that_takes_longer_than_64_bits_tell_is_refused_in_one_line(given, told):
    with pytest.raises(InputError) as refused:
        validated(**given)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_message_that_takes_long_is_not():
    # 2^30 B at 0.001 Mbps: 8.6 * 10^6 s; 16 frames of 2^26 B at 1,000 s each
    validated(protocol_bytes=2**30, bandwidth_mbps=0.001, frame_bytes=2**26, switch_us=1e9)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"quantum_s": 1e-5},
        {"quantum_s": 1e-6, "jobs": JOBS[:1]},  # no turns
        {"quantum_s": 1e-6, "mpl": 1},
        {"quantum_s": 1e-6, "jobs": [{**job, "processes": 1} for job in JOBS]},  # beside each other
        {"barrier_s": 1e-6},
        {"sample_s": 1e-3},
        {"designs": "GOSSIP(round_s=1e-5),MASTER,SURVIVOR,INFINISWAP,RECLAIM(MAN)"},
    ],
)
def test_what_ends_is_not(given):
    validated(**given)
