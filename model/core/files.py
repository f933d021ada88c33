"""How all outputs are written: whole or not at all."""

import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EINVAL, EISDIR
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from model.ground.errors import InputError, cut

_LOCK = ".being-written"  # a file in a folder that somebody writes into


class Output:
    """What is to be at a path: it is written beside it first, and put there when it is whole.

    Links are followed, and stay; what is no regular file is never replaced. Raises OSError: at
    once, as far as it is known then that nothing can be written.
    """

    def __init__(self, path: Path) -> None:
        self._target = _replaceable(path)
        with uninterrupted():
            self._folder = TemporaryDirectory(
                prefix=".unfinished-", dir=self._target.parent, ignore_cleanup_errors=True
            )
        #: Where to write it; what is written beside it, as images of a .pgf are, goes along.
        self.unfinished = Path(self._folder.name) / path.name

    def put_in_place(self) -> None:
        """It is whole: put it where it is wanted, after what goes along."""
        beside = [file for file in self.unfinished.parent.iterdir() if file != self.unfinished]
        for file in sorted(beside):
            _move(file, self._target.with_name(file.name))
        _move(self.unfinished, self._target)

    def take_away_old(self) -> None:
        """Delete the file that it will replace."""
        self._target.unlink(missing_ok=True)

    def discard(self) -> None:
        """Leave nothing behind but what was put in place."""
        with uninterrupted():
            self._folder.cleanup()


@contextmanager
def uninterrupted() -> Iterator[set[int]]:
    """Let signals that end the program wait; gives those that waited before.

    In between, nothing would take away what is begun, such as a folder or a process.
    """
    held = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    try:
        yield held
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _move(file: Path, path: Path) -> None:
    target = _replaceable(path)
    with suppress(FileNotFoundError):
        file.chmod(target.stat().st_mode & 0o777)
    with file.open("rb") as whole:
        os.fsync(whole.fileno())
    os.replace(file, target)


def _replaceable(path: Path) -> Path:
    """Where links lead; raises OSError for what no file replaces."""
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(EISDIR, "it is a folder")
    if target.exists() and not target.is_file():
        raise OSError(EINVAL, "it is no regular file, so nothing replaces it")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))
    return target


@contextmanager
def put_in_place(path: Path, option: str = "--out") -> Iterator[Path]:
    """Where to write what is put at `path` at the end of the block, unless an error ends it.

    Raises InputError, which names the option that gave the path.
    """
    with writing(option, path):
        output = Output(path)
        try:
            yield output.unfinished
            output.put_in_place()
        finally:
            output.discard()


@contextmanager
def writing(option: str, path: Path, wanted: str = "a file that can be written") -> Iterator[None]:
    """Whatever cannot be written in this block, to the path that an option gave, is InputError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or cut(str(error))
        raise InputError(f"{option} {cut(str(path), 300)}: {reason}; give {wanted}") from None


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Make the folder, and hold the exclusive right to write there.

    The right ends with the process, however that ends. Raises InputError if nothing can be written,
    or if another process holds the right.
    """
    file, alone = folder / _LOCK, False
    with writing("--out", folder, "a folder that can be written"):
        folder.mkdir(parents=True, exist_ok=True)
        lock = file.open("w")
        with suppress(BlockingIOError, FileNotFoundError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # whoever had it may have deleted it meanwhile, and somebody made another one
            alone = os.path.samestat(os.fstat(lock.fileno()), file.stat())
    with lock:
        if not alone:
            raise InputError(
                f"--out {cut(str(folder), 300)}: another run writes there; wait for its end, or "
                "give another folder"
            )
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


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
