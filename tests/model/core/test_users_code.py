"""A user's own code that fails: one line that says where, and no success."""

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


@pytest.mark.parametrize(("body", "told"), FAILURES)
@pytest.mark.parametrize(
    ("code", "where"),
    [
        ("def mine(*given):\n    {}\n", "mine.py, line 4, in mine: "),
        ("given, mine = (), lambda: mine()\n{}\n", "mine.py, line "),  # while it is loaded
    ],
)
def test_whatever_it_fails_with_is_told_with_its_place(written, code, where, body, told):
    path = written("import sys\n\n" + code.format(body))
    with pytest.raises(UsersCodeError) as failed:
        users_object(path, "mine", "mine.py:mine")()
    assert str(failed.value).startswith(where)
    assert told in str(failed.value)
    assert "\n" not in str(failed.value)


def test_it_passes_from_process_to_process(written):
    path = written("def mine():\n    1 / 0\n")
    with pytest.raises(UsersCodeError) as failed:
        users_object(path, "mine", "mine.py:mine")()
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)


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


@pytest.mark.parametrize("shows_all", [False, True])
def test_sys_exit_in_it_does_not_look_like_success(written, monkeypatch, capsys, shows_all):
    written("import sys\n\ndef mine(*given):\n    sys.exit()\n")
    options = ["--traceback"] * shows_all
    monkeypatch.setattr(sys, "argv", ["run.py", *options, "compare", "--designs", "mine.py:mine"])
    assert run.main() == 2
    first, *further = capsys.readouterr().err.splitlines()
    assert first == "error: mine.py, line 4, in mine: SystemExit"
    assert ("    sys.exit()" in further) == shows_all == bool(further)


@pytest.mark.parametrize(
    ("value", "own"),
    [(np.int64(5), 5), (np.bool_(True), True), (np.array([1, 2]), [1, 2]), (True, True)],
)
def test_numbers_of_numpy_become_pythons_own(value, own):
    made = plain(value)
    assert (made, type(made)) == (own, type(own))


def test_two_files_of_one_name_are_two_modules(tmp_path):
    """Also when each is loaded again."""
    files = [tmp_path / folder / "mine.py" for folder in ("one", "other")]
    for value, file in enumerate(files):
        file.parent.mkdir()
        file.write_text(f"class Mine:\n    value = {value}\n")
    for _ in range(2):
        made = [users_object(file, "Mine", "mine") for file in files]
        assert [one.value for one in made] == [0, 1]
        assert [module_of(file).Mine.value for file in files] == [0, 1]
        assert made[0].__module__ != made[1].__module__
