"""Commands as processes of their own, forked from one that has imported what commands import.

Python takes seconds to import it all anew, which most tests of a process are not about. What is
forked is otherwise as if it had been started: its folder, environment, streams and signals are its
own, and it ends as Python ends.
"""

import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "run.py"
#: What commands import between them.
IMPORTED = (
    *("model.terminal.comparison", "model.terminal.commands.live", "model.live.node_process"),
    *("model.terminal.commands.watch", "model.dashboard.server", "model.terminal.commands.sweep"),
    *("model.terminal.commands.explore", "model.terminal.commands.view", "model.views.show"),
    "model.pnr.compiled.cluster",
)
_NUMBER = 4  # bytes of a process id or a status on its way


class Server:
    """The process that commands are forked from; it ends when it is closed, or we are gone."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", str(theirs.fileno())],
                cwd=ROOT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,  # as that of most commands: no file, in which one may seek
            )

    def start(self, words: str, cwd=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
        """Start a command line; streams and folder are as those of subprocess.Popen."""
        folder = str(cwd or Path.cwd())
        asked = {"words": words.split(), "folder": folder, "environment": {**os.environ}}
        told, tells = os.pipe()
        out, its_out = _stream(stdout, 1)
        err, its_err = _stream(stderr, 2)
        message = json.dumps(asked).encode()
        socket.send_fds(self._requests, [message], [0, its_out, its_err, tells])
        for descriptor in (tells, *([its_out] if out else []), *([its_err] if err else [])):
            os.close(descriptor)
        return Command(told, out, err)

    def close(self) -> None:
        """End it; the commands go on."""
        self._requests.close()
        self._process.communicate()


def _stream(given, number):
    """What we read of a command's stream, if it is a pipe; and the descriptor that it writes to."""
    if given == subprocess.PIPE:
        ours, its = os.pipe()
        return os.fdopen(ours), its
    return None, number if given is None else given.fileno()


class Command:
    """A command that runs, with those methods of subprocess.Popen that tests call."""

    def __init__(self, told: int, stdout, stderr) -> None:
        self._told, self.stdout, self.stderr = told, stdout, stderr
        self.pid, self.returncode = self._hear(), None

    def _hear(self) -> int:
        number = os.read(self._told, _NUMBER)
        if not number:
            raise RuntimeError("the process that commands are forked from has ended")
        return int.from_bytes(number, signed=True)

    def __enter__(self):
        return self

    def __exit__(self, *exception: object) -> None:
        self.wait()
        for stream in filter(None, (self.stdout, self.stderr)):
            stream.close()

    def poll(self):
        """The exit status, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout=None):
        """The exit status; the signal that killed it is negative."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(PROGRAM), timeout)
            self.returncode = os.waitstatus_to_exitcode(self._hear())
            os.close(self._told)
        return self.returncode

    def communicate(self, timeout=None):
        """What it still says on both streams, once it has ended."""
        with ThreadPoolExecutor(2) as readers:
            streams = (self.stdout, self.stderr)
            said = [readers.submit(stream.read) if stream else None for stream in streams]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()  # so that the readers end
                raise
        for stream in filter(None, streams):
            stream.close()
        return tuple(text and text.result() for text in said)

    def send_signal(self, number):
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def serve(requests: socket.socket) -> list[str] | None:
    """Fork a process for each request; in it, returns its words, and None when all is over."""
    tells = {}  # by process: where its end is told

    def tell_ends(*_) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                with suppress(BrokenPipeError):  # nobody waits for it any more
                    os.write(tells[pid], status.to_bytes(_NUMBER, signed=True))
                os.close(tells.pop(pid))

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for whoever tests
    while True:
        signal.signal(signal.SIGCHLD, tell_ends)
        message, descriptors, *_ = socket.recv_fds(requests, 2**20, 4)
        if not message:
            return None
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # it must be known before it ends
        *streams, told = descriptors
        if pid := os.fork():
            os.write(told, pid.to_bytes(_NUMBER, signed=True))
            tells[pid] = told
            for descriptor in streams:
                os.close(descriptor)
            continue
        requests.close()
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
        for descriptor in (*descriptors, *tells.values()):
            os.close(descriptor)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        asked = json.loads(message)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        return asked["words"]


def _load_compiled() -> None:
    """Run something on the compiled plane, which is then loaded in all that is forked."""
    from model.pnr.scenario import make_scenario
    from model.systems import run

    job = {"processes": 2, "memory_mb": 40, "demand_s": 0.1}
    run(make_scenario(job=[job], nodes=4, minimum_demand_s=0.1), "MAN")


if __name__ == "__main__":
    for module in IMPORTED:
        import_module(module)
    _load_compiled()
    gc.freeze()
    words = serve(socket.socket(fileno=int(sys.argv[1])))
    if words is not None:
        sys.argv = [str(PROGRAM), *words]
        runpy.run_path(str(PROGRAM), run_name="__main__")
