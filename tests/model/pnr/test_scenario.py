"""Parameters: defaults, what is derived from them, files, and what is refused."""

import math

import pytest

from agents.pnr.messages import PageReply
from model.core.scenario import read_toml
from model.ground.errors import InputError
from model.pnr.constants import Constants, reference_ns
from model.pnr.scenario import PRESETS, READINGS, Scenario, make_scenario

JOB = {"processes": 2, "memory_mb": 4, "demand_s": 3}


@pytest.fixture
def written(tmp_path):
    """A scenario file with this text."""

    def written(text: str):
        file = tmp_path / "scenario.toml"
        file.write_text(text)
        return file

    return written


def test_every_parameter_says_what_it_is_and_where_it_belongs():
    for name, field in Scenario.model_fields.items():
        assert field.description.endswith("."), name
        assert field.json_schema_extra["group"], name


def test_a_reference_reaches_ram_every_8_cycles():
    # one in 4 cycles, half of them served by the cache: 8 cycles at 33 MHz = 242.42 ns
    assert reference_ns(Scenario()) == 242
    # a page of 4,096 references: 242 · 4,096
    assert Constants.of(Scenario()).page_walk_ns == 991_232


def test_a_node_has_a_byte_of_ram_at_least():
    # 2^20 B a MB: a hundredth of 0.00001 MB is 0.1 B; of 0.0001 MB it is 1.05 B
    with pytest.raises(InputError, match=r"^ram: 1 % of 1e-05 MB is less than a byte; give more$"):
        make_scenario(ram_mb=1e-5, ram=1)
    assert Constants.of(make_scenario(ram_mb=1e-4, ram=1)).rams[0] == 1


def test_frames_are_as_large_as_stated_or_messages_are_one(written):
    assert Scenario(frame_bytes="none") == Scenario() != Scenario(frame_bytes="1500")
    assert make_scenario(written("frame_bytes = 1500"), frame_bytes="None").frame_bytes is None
    with pytest.raises(InputError, match=r"--frame-bytes: .* 64 \(not 63\)"):
        make_scenario(frame_bytes=63)
    # 4,160 B are 65 frames of 64 B, of 10^9 us each: 65,000 s; a page of 2^30 B has 2^24 + 1
    assert Constants.of(Scenario(frame_bytes=64, switch_us=1e9, switch_scaling=False))
    with pytest.raises(InputError, match="--frame-bytes, --page-bytes: a page through a switch"):
        Constants.of(Scenario(frame_bytes=64, switch_us=1e9, page_bytes=2**30))


def test_ram_is_a_percentage_of_32_mb():
    assert Constants.of(Scenario(ram=50)).rams[0] == 16_777_216  # 16 · 2^20
    assert Constants.of(Scenario(ram=115)).rams[0] == 38_587_597  # 38,587,596.8


def test_gang_scheduling_has_mpl_slots_and_space_sharing_one():
    assert Scenario().slots == 2
    assert Scenario(mpl=3).slots == 3
    assert Scenario(mpl=3, scheduler="space").slots == 1


def test_a_file_sets_parameters_and_options_win_over_it(written):
    file = written('nodes = 16\nram = 75\ndesigns = ["DP", "MAN"]\nscheduler = "space"\n')
    scenario = make_scenario(file, ram="50")
    assert (scenario.nodes, scenario.ram, scenario.scheduler) == (16, 50, "space")
    assert scenario.designs == ("DP", "MAN")
    assert scenario.bandwidth_mbps == 100  # neither says


# Presets


def test_the_thesiss_cluster_is_the_default():
    stated = read_toml(PRESETS["cm5"])
    assert stated == {name: Scenario.model_fields[name].default for name in stated}
    assert Scenario(preset="cm5") == Scenario()


@pytest.mark.parametrize(
    ("name", "nodes", "ram_mb", "r_ns", "disk_ns", "switch_ns", "page_us"),
    [
        # 8 cycles between references; 9 ms + 4,166,667 ns + 4 KB / (50 MB/s); a page over a link
        # takes 33,280 bits / bandwidth
        ("cm5", 64, 32, 242, 13_244_792, 80_000, 332.8),
        ("beowulf-2004", 64, 1024, 4, 13_244_792, 10_000, 33.28),
        ("hpc2n-2002", 240, 512, 5, 13_244_792, 10_000, 33.28),
        ("rdma-2020", 64, 131_072, 3, 100_000, 500, 5.248),  # 64 KB + 64 B: 524,800 bits
    ],
)
def test_a_preset_is_a_whole_cluster(name, nodes, ram_mb, r_ns, disk_ns, switch_ns, page_us):
    scenario = Scenario(preset=name)
    constants = Constants.of(scenario)
    assert (scenario.nodes, scenario.ram_mb) == (nodes, ram_mb)
    assert scenario.memory_scale == ram_mb / 32  # of the CM-5's nodes: as scarce as there
    assert (reference_ns(scenario), constants.disks_ns[0], constants.switch_ns) == (
        r_ns,
        disk_ns,
        switch_ns,
    )
    page_bits = 8 * PageReply(1, 0).size_of(constants.sizes)
    assert page_bits / scenario.bandwidth_mbps == pytest.approx(page_us)


def test_what_is_given_wins_over_a_preset_by_any_of_its_names(written):
    scenario = make_scenario(written('preset = "rdma-2020"\nnodes = 8'), network=1000, ram_mb=64)
    assert (scenario.nodes, scenario.bandwidth_mbps, scenario.ram_mb) == (8, 1000, 64)
    assert (scenario.cpu_mhz, scenario.switch_us) == (3000, 0.5)


def test_a_preset_scales_the_bundled_log_alone(tmp_path):
    assert Scenario(preset="beowulf-2004").memory_scale == 32
    assert Scenario(preset="beowulf-2004", trace=tmp_path / "log.swf").memory_scale == 1
    assert Scenario(preset="beowulf-2004", job=[JOB]).memory_scale == 1
    own = Scenario(preset="beowulf-2004", trace=tmp_path / "log.swf", memory_scale=2)
    assert own.memory_scale == 2


def test_a_preset_nobody_knows_is_refused_with_those_known():
    with pytest.raises(InputError, match=r"^preset: give one of beowulf-2004, cm5, .*'cm6'"):
        make_scenario(preset="cm6")


def test_a_reading_names_what_a_page_costs():
    assert list(READINGS) == ["bare", "ethernet", "ethernet-fair"]
    assert Scenario(reading="bare") == Scenario()
    ethernet = Scenario(page_exchange="swap", frame_bytes=1500)
    assert Scenario(reading="Ethernet") == ethernet
    assert Scenario(reading="ethernet", preset="cm5") == ethernet
    fair = Scenario(page_exchange="swap", frame_bytes=1500, disk_writes=True)
    assert Scenario(reading="ethernet-fair") == fair


def test_what_is_given_wins_over_a_reading(written):
    file = written('reading = "ethernet"\npage_exchange = "read"')
    assert make_scenario(file) == Scenario(frame_bytes=1500)
    assert make_scenario(file, frame_bytes="none") == Scenario()
    assert make_scenario(reading="ethernet", frame_bytes=None) == Scenario(page_exchange="swap")
    assert make_scenario(written('reading = "ethernet"'), reading="bare") == Scenario()


def test_designs_may_be_one_text_with_commas(written):
    assert make_scenario(designs="DP, CLI,BB4").designs == ("DP", "CLI", "BB4")
    assert make_scenario(written('designs = "CEN,MAN"')).designs == ("CEN", "MAN")


def test_paths_in_a_file_are_relative_to_it(written, tmp_path):
    for name in ("log.swf", "mine.py", "wires.graphml", "own.csv"):
        (tmp_path / name).touch()
    file = written(
        'trace = "log.swf"\ndesigns = ["mine.py:ring", "MAN"]\ntopology = "wires.graphml"\n'
        'memory_profile = "own.csv"'
    )
    scenario = make_scenario(file)
    assert scenario.trace == tmp_path / "log.swf"
    assert scenario.designs == (f"{tmp_path}/mine.py:ring", "MAN")
    assert scenario.topology == str(tmp_path / "wires.graphml")
    assert scenario.memory_profile == str(tmp_path / "own.csv")


def test_jobs_may_be_listed_in_the_file(written):
    file = written("[[job]]\nprocesses = 2\nmemory_mb = 4\ndemand_s = 3\nsubmit_s = 1.5\n")
    (job,) = make_scenario(file).job
    assert (job.processes, job.memory_mb, job.demand_s, job.submit_s) == (2, 4, 3, 1.5)
    assert job.number is None


def test_listed_jobs_and_a_trace_exclude_each_other(written):
    for parameter in ({"trace": "log.swf"}, {"first": 2}, {"jobs": 5}):
        (name,) = parameter
        with pytest.raises(InputError, match=f"{name}: a scenario that lists jobs"):
            make_scenario(job=[JOB], **parameter)


def test_a_trace_given_as_an_option_wins_over_the_jobs_of_the_file(written):
    file = written("[[job]]\nprocesses = 2\nmemory_mb = 4\ndemand_s = 3\n")
    scenario = make_scenario(file, jobs=5)
    assert (scenario.job, scenario.window) == (None, (1, 5))


def test_the_window_is_the_whole_trace_unless_it_is_the_bundled_one(tmp_path):
    assert make_scenario(trace=tmp_path / "log.swf").window == (1, None)
    assert make_scenario(first=7).window == (7, None)
    assert make_scenario(jobs=7).window == (1, 7)
    assert make_scenario().window[1] is not None  # a part worth a first look


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("nodes", 2.5),
        ("ram", math.nan),
        ("scheduler", "fifo"),
        ("designs", []),
        ("no_such", 1),
    ],
)
def test_absurd_values_are_refused_by_the_name_of_their_option(name, value):
    with pytest.raises(InputError) as refused:
        make_scenario(**{name: value})
    assert str(refused.value).startswith(f"--{name.replace('_', '-')}: ")
    assert "\n" not in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for file in (tmp_path / "nowhere.toml", tmp_path, binary):
        with pytest.raises(InputError, match=str(file)):
            make_scenario(file)


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(InputError, match=r"--nodes: .*; --ram: "):
        make_scenario(nodes=0, ram=-1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("quantum = 30", "quantum: there is no such parameter; did you mean quantum_s? (not 30)"),
        (
            "load-factor = 2",
            "load-factor: there is no such parameter; did you mean load_factor? (not 2)",
        ),
        ("nodes = 0", "nodes: input should be greater than or equal to 1 (not 0)"),
        ("job = 3", "job: give a list, as of [[job]] tables (not 3)"),
        ("designs = 3", "designs: give a list (not 3)"),
        ("[[job]]\nprocesses = 1\nmemory_mb = 1", "job 1, demand_s: field required"),
    ],
)
def test_a_mistake_in_a_file_is_told_once_with_what_would_be_right(written, text, told):
    file = written(text)
    with pytest.raises(InputError) as refused:
        make_scenario(file)
    assert str(refused.value) == f"{file}: {told}"
