"""What takes longer than 64 bits tell is refused in one line before the run. Numbers by hand."""

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
