"""Files that a person names: what can be read of them, and how all outputs are written."""

import fcntl
import gzip
import os
import shutil
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EBADF, EFBIG, EINVAL, EISDIR, ELOOP, ENXIO
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from weakref import finalize

from model.ground.errors import InputError, cut

LARGEST = 2**30  # bytes of a file, or of what it holds compressed
UNFINISHED = ".unfinished-"  # how names of folders begin in which outputs are written
_PIECE = 2**20  # bytes that are decompressed at once
_LOCK = ".being-written"  # a file in a folder that somebody writes into
_MOST_LINKS = 40  # as the kernel follows
_DESCRIPTORS = Path("/dev/fd")  # of this process, by number


def read_file(path: Path, most: int = LARGEST) -> bytes:
    """What is in the file; raises OSError, also for a pipe, a device, or more bytes than `most`."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(EINVAL, "not a regular file")
        if status.st_size > most:
            raise OSError(EFBIG, f"it has {status.st_size} bytes, of which at most {most} are read")
        return path.read_bytes()
    except ValueError as error:  # a NUL in the name
        raise OSError(EINVAL, str(error)) from None


def gunzip(compressed: bytes, most: int = LARGEST) -> bytes:
    """All that gzip compressed; raises ValueError, also for more bytes than `most`."""
    found = bytearray()
    try:
        with gzip.open(BytesIO(compressed)) as members:
            while len(found) <= most and (piece := members.read(_PIECE)):
                found += piece
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"damaged gzip file ({error})") from None
    if len(found) > most:
        raise ValueError(f"more than {most} bytes when it is decompressed")
    return bytes(found)


class Output:
    """What is to be at a path: it is written elsewhere first, and put there when it is whole.

    Links are followed, and stay. What is no regular file is never replaced, but an open pipe and
    /dev/null are written to as what they are. A file that is there keeps its owner and its
    permissions. Raises OSError: at once, as far as it is known then that nothing can be written.
    """

    def __init__(self, path: Path) -> None:
        self._target = _followed(path)
        self._stream = _stream(self._target)
        beside = gettempdir() if self._stream is not None else self._target.parent
        self._folder = Path(beside, f"{UNFINISHED}{token_hex(8)}")
        # Before the folder is there, since Ctrl-C may come at any moment.
        self._clean = finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._folder.mkdir(0o700)
        #: Where to write it; what is written beside it, as images of a .pgf are, goes along.
        name = path.name.encode("utf-8", "replace").decode()  # not all libraries take all bytes
        self.unfinished = self._folder / name

    def put_in_place(self) -> None:
        """It is whole: put it where it is wanted."""
        files = sorted(self._folder.iterdir())
        if self._stream is not None:
            if len(files) > 1:
                raise OSError(EINVAL, "several files cannot be written there")
            with self.unfinished.open("rb") as whole, open(os.dup(self._stream), "wb") as stream:
                shutil.copyfileobj(whole, stream)
            return
        for file in files:
            if file != self.unfinished:
                move(file, self._target.with_name(file.name))
        move(self.unfinished, self._target)

    def take_away_old(self) -> None:
        """Delete the file that it will replace."""
        if self._stream is None:
            self._target.unlink(missing_ok=True)

    def discard(self) -> None:
        """Leave nothing behind but what was put in place."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._clean.detach()  # not before all is gone
        if self._stream is not None:
            os.close(self._stream)
            self._stream = None


def move(file: Path, path: Path) -> None:
    """Put a file that is whole at a path, as `Output` does; raises OSError."""
    target = _followed(path)
    with suppress(FileNotFoundError):
        status = os.lstat(target)
        _refuse(status.st_mode)
        with suppress(PermissionError):
            os.chown(file, status.st_uid, status.st_gid)
        file.chmod(status.st_mode & 0o777)
    with file.open("rb") as whole:
        os.fsync(whole.fileno())
    os.replace(file, target)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write what is put at `path` at the end of the block, unless an error ends it.

    Raises OSError, as `Output` does.
    """
    output = Output(path)
    try:
        yield output.unfinished
        output.put_in_place()
    finally:
        output.discard()


@contextmanager
def put_in_place(file: Path, option: str = "--out") -> Iterator[Path]:
    """Do as `replacing`; raises InputError, which names the option that gave the file."""
    with writing(option, file), replacing(file) as unfinished:
        yield unfinished


@contextmanager
def writing(option: str, path: Path, wanted: str = "a file that can be written") -> Iterator[None]:
    """Whatever cannot be written in this block, to the path that an option gave, is InputError.

    But for a pipe whose reader has had enough.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or cut(str(error))
        raise InputError(f"{option} {cut(str(path), 300)}: {reason}; give {wanted}") from None


@contextmanager
def alone_in(folder: Path, option: str = "--out") -> Iterator[None]:
    """Make the folder, and hold the exclusive right to write there.

    The right ends with the process, however that ends. Raises InputError if nothing can be written,
    or if another process holds the right.
    """
    file = folder / _LOCK
    with writing(option, folder, "a folder that can be written"):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = _locked(file)
        except BlockingIOError:
            raise InputError(
                f"{option} {cut(str(folder), 300)}: another run writes there; wait for its end, or "
                "give another folder"
            ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()
        os.close(lock)


def _locked(file: Path) -> int:
    """The descriptor of a locked file; raises BlockingIOError if somebody else has locked it."""
    while True:
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        try:
            _refuse(os.fstat(lock).st_mode)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):  # whoever had it has just deleted it
                if os.path.samestat(os.fstat(lock), os.lstat(file)):
                    return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)


def _followed(path: Path) -> Path:
    """Where links lead: for /dev/stdout and the like to a descriptor, which is no link any more."""
    descriptors = (f"/proc/{os.getpid()}/fd", str(_DESCRIPTORS))
    try:
        for _ in range(_MOST_LINKS):
            folder = os.path.realpath(path.parent)
            if folder in descriptors and path.name.isdecimal():
                return _DESCRIPTORS / path.name
            if not os.path.islink(path):
                return Path(folder, path.name)
            path = Path(folder, os.readlink(path))
    except ValueError as error:  # a NUL in the name
        raise OSError(EINVAL, str(error)) from None
    raise OSError(ELOOP, os.strerror(ELOOP))


def _stream(target: Path) -> int | None:
    """A descriptor of what is written to as it is; None for a file, or where one may be made."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    is_null = stat.S_ISCHR(status.st_mode) and status.st_rdev == os.stat(os.devnull).st_rdev
    is_pipe = stat.S_ISFIFO(status.st_mode)
    if target.parent == _DESCRIPTORS:
        descriptor = int(target.name)
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(EBADF, "it is open for reading only")
        if not (is_null or is_pipe or stat.S_ISSOCK(status.st_mode) or os.isatty(descriptor)):
            _refuse(status.st_mode)
        return os.dup(descriptor)
    if is_null or is_pipe:
        try:
            stream = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno == ENXIO:
                raise OSError(ENXIO, "it is a pipe that nobody reads") from None
            raise
        os.set_blocking(stream, True)
        return stream
    _refuse(status.st_mode)
    if not os.access(target, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))
    return None


def _refuse(mode: int) -> None:
    """Raise OSError for what is no regular file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        what = "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
        raise OSError(EINVAL, f"it is a {what}, which no file replaces")


def same_file(one: Path, other: Path) -> bool:
    """Whether both lead to one file that is there."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def content(file: Path) -> str:
    """A hash of a file's content."""
    status = file.stat()
    return _file_hash(file, status.st_size, status.st_mtime_ns)


@cache
def _file_hash(file: Path, size: int, changed_ns: int) -> str:
    return sha256(file.read_bytes()).hexdigest()
