"""A user's own code that fails: one line that says where, the user's frames, and no success."""

import pickle
import sys

import numpy as np
import pytest

import run
from model.core.users_code import UsersCodeError, module_of, plain, users_object
from model.ground.errors import InputError

FAILURES = [  # the body of a function that a user wrote, and what is told of it
    ("raise RuntimeError('boom')", "RuntimeError: boom"),
    ("sys.exit()", "SystemExit"),
    ("mine(*given)", "RecursionError: maximum recursion depth exceeded"),
]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes mine.py into the folder where we are."""
    monkeypatch.chdir(tmp_path)

    def written(code):
        path = tmp_path / "mine.py"
        path.write_text(code)
        return path

    return written


@pytest.fixture
def failing(written):
    """Calls what a user wrote, and gives the error."""

    def failing(code, *arguments, name="mine"):
        path = written(code)
        with pytest.raises(UsersCodeError) as failed:
            users_object(path, name, "mine.py:mine")(*arguments)
        return failed.value

    return failing


@pytest.mark.parametrize(("body", "told"), FAILURES)
def test_whatever_a_function_fails_with_is_told_with_its_place(failing, body, told):
    error = failing(f"import json, sys\n\ndef mine(*given):\n    {body}\n")
    assert str(error).startswith(f"mine.py, line 4, in mine: {told}")
    assert "\n" not in str(error)
    assert len(str(error)) < 400


@pytest.mark.parametrize(("body", "told"), FAILURES)
def test_whatever_fails_while_the_file_is_loaded_is_told_with_its_place(failing, body, told):
    error = failing(f"import json, sys\ngiven, mine = (), lambda: mine()\n{body}\n")
    assert str(error).startswith("mine.py, line ")
    assert told in str(error)


def test_frames_are_the_users_and_of_endless_recursion_the_last(failing):
    error = failing(
        "import json\n\ndef mine():\n    return inner()\n\ndef inner():\n    json.loads('{')\n"
    )
    assert [(frame.name, frame.lineno) for frame in error.frames] == [("mine", 4), ("inner", 7)]
    # each frame is two lines: Python 3.11 to 3.13 mark different parts of a line in a third
    assert [line.strip() for line in error.story().splitlines()[1::2]] == [
        "return inner()",
        "json.loads('{')",
    ]
    endless = failing("def mine():\n    mine()\n")
    assert len(endless.story().splitlines()) < 20


CLASS = """
class Base:
    def inherited(self):
        return len(5)

class Mine(Base):
    def asked(self, value):
        return self.helped(value)

    def helped(self, value):
        return 1 / value
"""


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda mine: mine.asked(0), r"line 11, in helped: ZeroDivisionError: division by zero"),
        (lambda mine: mine.inherited(), r"line 4, in inherited: TypeError: .* has no len\(\)"),
        (lambda mine: mine.asked(), r"line 7, in asked: TypeError: .* missing 1 required .*"),
    ],
)
def test_all_methods_of_a_users_class_are_guarded(written, call, told):
    mine = users_object(written(CLASS), "Mine", "mine.py:Mine")()
    with pytest.raises(UsersCodeError, match=rf"^mine\.py, {told}$"):
        call(mine)
    assert mine.asked(2) == 0.5


def test_ctrl_c_and_what_is_told_well_already_pass(written):
    path = written(
        "from model.ground.errors import InputError\n\n"
        "def mine(stopped):\n"
        "    raise KeyboardInterrupt if stopped else InputError('mine: give more')\n"
    )
    mine = users_object(path, "mine", "mine.py:mine")
    with pytest.raises(KeyboardInterrupt):
        mine(True)
    with pytest.raises(InputError, match=r"^mine: give more$") as told:
        mine(False)
    assert not isinstance(told.value, UsersCodeError)


def test_it_passes_from_process_to_process(failing):
    error = failing("def mine():\n    1 / 0\n")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "--designs", "mine.py:mine"),
        ("share", "--jobs", "20", "--policies", "mine.py:Mine"),
        ("watch", "--designs", "mine.py:mine"),
    ],
)
def test_sys_exit_in_it_does_not_look_like_success(written, monkeypatch, capsys, arguments):
    written(
        "import sys\n"
        "from agents.sharing.policy import Policy\n\n"
        "def mine(*given):\n"
        "    sys.exit()\n\n"
        "class Mine(Policy):\n"
        "    def arrived(self, view, job):\n"
        "        sys.exit()\n"
    )
    monkeypatch.setattr(sys, "argv", ["run.py", *arguments])
    assert run.main() == 2
    first, *frames = capsys.readouterr().err.splitlines()
    assert first.startswith("error: mine.py, line ")
    assert first.endswith(": SystemExit")
    assert frames[-1].strip() == "sys.exit()"
    assert not any("model/" in frame or "agents/" in frame for frame in frames)


@pytest.mark.parametrize(
    ("value", "own"),
    [
        (np.int64(5), 5),
        (np.bool_(True), True),
        (np.array([1, 2]), [1, 2]),
        (True, True),
    ],
)
def test_numbers_of_numpy_become_pythons_own(value, own):
    made = plain(value)
    assert (made, type(made)) == (own, type(own))


def test_two_files_of_one_name_are_two_modules(tmp_path):
    """Also when each is loaded again, and when one of them has changed."""
    files = [tmp_path / folder / "mine.py" for folder in ("one", "other")]
    for value, file in enumerate(files):
        file.parent.mkdir()
        file.write_text(f"class Mine:\n    value = {value}\n")
    for _ in range(2):
        made = [users_object(file, "Mine", "mine") for file in files]
        assert [one.value for one in made] == [0, 1]
        assert [vars(module_of(file))["Mine"].value for file in files] == [0, 1]
        assert made[0].__module__ != made[1].__module__
    files[1].write_text("class Mine:\n    value = 20\n")
    assert users_object(files[1], "Mine", "mine").value == 20
    assert module_of(files[0]).Mine.value == 0
