"""What is written: whole or not at all, and never in the place of what is no regular file."""

import gc
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from model.core.files import alone_in, put_in_place
from model.ground.errors import InputError

FULL = os.makedev(1, 7)  # as /dev/full is


def write(path, text="new", then=lambda place: None):
    with put_in_place(path) as place:
        place.write_text(text)
        then(place)


def nothing_is_left(folder):
    return not [*folder.rglob(".unfinished-*"), *folder.rglob(".being-written")]


def device(path, number):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, number)
    except PermissionError:
        pytest.skip("only root makes devices")


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


@pytest.mark.parametrize("name", ["a\nb", "-"])
def test_any_name_will_do(tmp_path, name):
    def is_unicode(place):
        place.name.encode()

    write(tmp_path / name, then=is_unicode)
    assert (tmp_path / name).read_text() == "new"


def test_permissions_and_owner_stay_as_they_were(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o604)
    if os.geteuid() == 0:
        os.chown(file, 1234, 4321)
    before = file.stat()
    write(file)
    assert file.read_text() == "new"
    for name in ("st_mode", "st_uid", "st_gid"):
        assert getattr(file.stat(), name) == getattr(before, name)


def make(kind, path):
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    elif kind == "device":
        device(path, FULL)
    elif kind == "loop":
        path.symlink_to(path.name)
    else:
        path.mkdir()


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("pipe", "it is a pipe that nobody reads"),
        ("socket", "it is a socket, which no file replaces"),
        ("device", "it is a device, which no file replaces"),
        ("folder", "it is a folder"),
        ("loop", "Too many levels of symbolic links"),
    ],
)
@pytest.mark.parametrize("by_link", [False, True])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, monkeypatch, kind, says, by_link):
    monkeypatch.chdir(tmp_path)  # for the short name that a socket needs
    place = path = Path("thing")
    make(kind, place)
    if by_link:
        path = Path("link")
        path.symlink_to(place)
    before = os.lstat(place)
    with pytest.raises(InputError) as refused, put_in_place(path, "--csv"):
        pytest.fail("it was not refused at once")
    assert str(refused.value) == f"--csv {path}: {says}; give a file that can be written"
    assert os.lstat(place)[:3] == before[:3]  # the same thing of the same kind
    assert nothing_is_left(tmp_path)


@pytest.mark.parametrize(("name", "to_file"), [("/dev/stdout", True), ("link", False)])
def test_standard_output_is_a_file_like_others(tmp_path, name, to_file):
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = (
        "from pathlib import Path; from model.core.files import put_in_place\n"
        "print('before', flush=True)\n"
        f"with put_in_place(Path({name!r})) as place: place.write_text('new\\n')\n"
        "print('after')"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with open(tmp_path / "file", "w+") as file:
        ended = subprocess.run(
            [sys.executable, "-c", code],
            stdout=file if to_file else subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment,
            check=True,
        )
    told = (tmp_path / "file").read_text() if to_file else ended.stdout
    assert told == "before\nnew\nafter\n"
    assert (tmp_path / "link").readlink() == Path("/dev/stdout")


@pytest.mark.parametrize("step", ["mkdir", "rmdir"])
def test_ctrl_c_at_any_moment_leaves_nothing(tmp_path, monkeypatch, step):
    done, pressed = getattr(os, step), []

    def then_press_ctrl_c(*arguments, **options):
        if step == "mkdir":
            done(*arguments, **options)
        if not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
        if step == "rmdir":
            done(*arguments, **options)

    monkeypatch.setattr(os, step, then_press_ctrl_c)
    with pytest.raises(KeyboardInterrupt) as interrupted:
        write(tmp_path / "file")
    assert pressed
    del interrupted
    gc.collect()
    assert nothing_is_left(tmp_path)


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
