"""What is written: whole or not at all, and never in the place of what is no regular file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from model.core.files import alone_in, put_in_place
from model.ground.errors import InputError


def write(path, text="new", then=lambda place: None):
    with put_in_place(path) as place:
        place.write_text(text)
        then(place)


def nothing_is_left(folder):
    return not [*folder.rglob(".unfinished-*"), *folder.rglob(".being-written")]


def test_links_are_followed_and_stay(tmp_path):
    target, link, last = tmp_path / "elsewhere" / "file", tmp_path / "link", tmp_path / "last"
    target.parent.mkdir()
    link.symlink_to("elsewhere/file")
    last.symlink_to(link)
    for text in ("first", "second"):  # the target is made, then replaced
        write(last, text)
        assert target.read_text() == text
        assert (last.readlink(), link.readlink()) == (link, Path("elsewhere/file"))
    assert nothing_is_left(tmp_path)


def test_permissions_stay_as_they_were(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o604)
    write(file)
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o604)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (os.mkfifo, "it is no regular file, so .*"),
        (os.mkdir, "it is a folder"),
    ],
)
@pytest.mark.parametrize("by_link", [False, True])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, make, says, by_link):
    place = path = tmp_path / "thing"
    make(place)
    if by_link:
        path = tmp_path / "link"
        path.symlink_to(place)
    before = os.lstat(place)
    with pytest.raises(InputError) as refused, put_in_place(path, "--csv"):
        pytest.fail("it was not refused at once")
    assert re.fullmatch(f"--csv {path}: {says}; give a file .*", str(refused.value))
    assert os.lstat(place)[:3] == before[:3]  # the same thing of the same kind
    assert nothing_is_left(tmp_path)


def test_ctrl_c_leaves_nothing(tmp_path):
    def press_ctrl_c(place):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "file", then=press_ctrl_c)
    assert [*tmp_path.iterdir()] == []


WAIT = (
    "import sys, time; from pathlib import Path; from model.core.files import alone_in\n"
    "with alone_in(Path(sys.argv[1])): print('mine', flush=True); time.sleep(60)"
)


def test_a_folder_has_one_writer_at_a_time_and_none_after_a_kill(tmp_path):
    folder = tmp_path / "deep" / "folder"
    here = Path(__file__).parents[3]
    other = subprocess.Popen([sys.executable, "-c", WAIT, folder], cwd=here, stdout=subprocess.PIPE)
    with other.stdout:
        assert other.stdout.readline() == b"mine\n"
        with pytest.raises(InputError) as refused, alone_in(folder):
            pytest.fail("two write there")
        assert str(refused.value) == (
            f"--out {folder}: another run writes there; wait for its end, or give another folder"
        )
        other.kill()
        other.wait()
    for _ in range(2):
        with alone_in(folder):
            pass
    assert [*folder.iterdir()] == []
