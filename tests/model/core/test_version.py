"""The version of code follows what it does and imports, not how and where that is written."""

import pytest

from model.core.version import Code, version_of, version_of_file
from model.ground.errors import InputError

TREE = {
    "model/run.py": "from model.ground.units import S, exact\ndef f(x):\n    return exact(x) * S\n",
    "model/ground/units.py": "from agents.node import exact\nS = 10**9\n",
    "agents/node.py": "def exact(x):\n    return x\n",
    "agents/link.py": "def exact(x):\n    return 2 * x\n",
}


@pytest.fixture
def version(tmp_path):
    """The version of a module of the tree, with these files changed."""

    def version(changes=(), module="model.run"):
        files = {**TREE, **dict(changes)}
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        found = Code(tmp_path).version_of(module)
        for name in files:
            (tmp_path / name).unlink()
        return found

    return version


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("model/run.py", "* S", "/ S"),
        ("model/run.py", "import S, exact", "import exact as S, S as exact"),
        ("model/run.py", "import S, exact", "import *"),
        ("model/run.py", "return", "import agents.link; return"),
        ("model/ground/units.py", "10**9", "10**6"),
        ("model/ground/units.py", "agents.node", "agents.link"),
        ("agents/node.py", "return x", "return -x"),
        ("agents/node.py", "return x", "return int(1 if TYPE_CHECKING else x)"),
        ("model/ground/__init__.py", "", "START = 1\n"),
        ("agents/__init__.py", "", "from agents.link import exact\n"),
    ],
)
def test_all_that_runs_counts(version, place, old, new):
    assert version({place: TREE.get(place, "").replace(old, new)}) != version()


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        (
            "model/run.py",
            "    return exact(x) * S",
            '    """What."""\n    return (exact(x)  # so\n * S)',
        ),
        ("model/run.py", "import S, exact", "import exact, S"),
        ("model/run.py", "import S, exact", "import exact\nfrom model.ground.units import S"),
        ("agents/node.py", "def", "if TYPE_CHECKING:\n    from agents.link import exact as E\ndef"),
        ("model/ground/__init__.py", "", '"""Ground."""\n'),
        ("model/ground/units.py", "10**9", '10**9\n"""What it is."""'),
        ("agents/link.py", "2", "3"),
        ("agents/other.py", "", "X = 1\n"),
    ],
)
def test_how_it_is_written_and_what_is_not_imported_do_not(version, place, old, new):
    assert version({place: TREE.get(place, "").replace(old, new)}) == version()


def test_files_may_move(version):
    moved = {
        "model/core/start.py": TREE["model/run.py"].replace("model.ground.units", "agents.units"),
        "agents/units.py": TREE["model/ground/units.py"].replace("agents.node", "model.nodes"),
        "model/nodes.py": TREE["agents/node.py"],
    }
    assert version(moved, "model.core.start") == version()
    relative = TREE["model/run.py"].replace("model.ground", ".ground")
    assert version({"model/run.py": relative}) == version()


@pytest.mark.parametrize(
    "code",
    [
        "import agents.link\n",
        "import agents.link as link\n",
        "from agents import link\n",
        "from agents.link import exact\n",
        "from agents.link import *\n",
        "from ..agents import link\n",
        "from ..agents.link import exact\n",
        "def f():\n    from agents.link import exact\n",
        "try:\n    import agents.link\nexcept ImportError:\n    pass\n",
        "from agents import *\n",
    ],
)
def test_every_form_of_import_is_followed(version, code):
    files = {"model/run.py": code, "agents/__init__.py": "__all__ = ['link']\n"}
    other = {"agents/link.py": "def exact(x):\n    return 3 * x\n"}
    assert version(files) != version({**files, **other})


def test_packages_count_that_do_something(version):
    package = {"agents/__init__.py": "from agents.node import exact\nUNIT = {}\n"}
    code = {"model/run.py": "from agents import UNIT\nimport agents.link\n"}

    def with_unit(unit):
        text = package["agents/__init__.py"].format(unit)
        return version({**code, "agents/__init__.py": text})

    assert with_unit(1) == with_unit(1) != with_unit(2)


def test_circles_and_missing_modules_are_named(version):
    circle = {"agents/node.py": "def f():\n    import model.run\n"}
    with pytest.raises(
        InputError, match=r"circle: .*run\.py -> .*units\.py -> .*node\.py -> .*run"
    ):
        version(circle)
    with pytest.raises(InputError, match=r"agents\.nobody: there is no such module"):
        version_of("agents.nobody")


def test_a_file_of_ones_own_counts_with_what_it_imports_of_ours_and_from_beside_it(tmp_path):
    own, helper = tmp_path / "own.py", tmp_path / "patience.py"
    own.write_text("from agents.link import Link\nimport patience\n")
    helper.write_text("TRIES = 1\n")
    before = version_of_file(own)
    helper.write_text("TRIES = 1  # a try\n")
    assert version_of_file(own) == before
    helper.write_text("TRIES = 2\n")
    assert version_of_file(own) != before
    own.write_text("from agents.link import Link\n")
    link = version_of_file(own)
    own.write_text("from agents.switch import Link\n")
    assert version_of_file(own) != link


@pytest.mark.parametrize(
    ("text", "says"), [(b"def f(:\n", "line 1"), (b"\0", "own.py"), (b"(" * 9999, "own.py")]
)
def test_what_is_no_python_is_said_in_one_line(tmp_path, text, says):
    own = tmp_path / "own.py"
    own.write_bytes(text)
    with pytest.raises(InputError, match=says):
        version_of_file(own)
    with pytest.raises(InputError, match="No such file"):
        version_of_file(tmp_path / "nothing.py")


def test_files_of_our_packages_are_read_once_and_others_anew(tmp_path):
    """Several places ask for the version of what is compiled: each file is read for the first."""
    inside, beside = tmp_path / "model" / "plane.py", tmp_path / "own.py"
    inside.parent.mkdir()
    (inside.parent / "__init__.py").write_text("")
    code, versions = Code(tmp_path), {inside: [], beside: []}
    for number in (1, 2):
        for file in (inside, beside):
            file.write_text(f"SLOTS = {number}\n")
            versions[file].append(code.version_of_file(file))
    assert versions[inside][0] == versions[inside][1]
    assert versions[beside][0] != versions[beside][1]
    assert {*code.digests} == {inside}
