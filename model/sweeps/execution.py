"""Carries out runs: in processes of this machine, or on a Dask cluster.

Both yield runs with their results (or failures) as they end, in any order, and leave it to the
caller to store them. In both cases a worker calls `execute`.
"""

import asyncio
import logging
import multiprocessing
import multiprocessing.forkserver
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from statistics import fmean
from time import monotonic, process_time
from types import ModuleType

from agents.station import Station
from model.core.emulation import Emulation
from model.core.scenario import BaseScenario
from model.core.users_code import UsersCodeError
from model.core.version import code_version
from model.ground.errors import InputError
from model.ground.units import seconds
from model.pnr.comparison import load_data_plane
from model.sweeps.identity import conditions_of, identity, key_of, model_version
from model.sweeps.observing import observer_class
from model.sweeps.store import Failed, Result, Store
from model.sweeps.sweep import Run
from model.systems import comparison_of

TRIES = 3  # how often a run is tried if its worker dies
CONNECT_S = 5  # how long to wait for a Dask scheduler's answer


@dataclass(frozen=True)
class Failure:
    """Why a run has no result: one line, and the traceback if it was a bug."""

    error: str
    traceback: str = ""


Outcome = Result | Failure
#: Runs with their outcomes, as they end, in any order; closing it ends what is under way.
Outcomes = Generator[tuple[Run, Outcome], None, None]


def execute(scenario: BaseScenario, observer: str | None = None) -> Outcome:
    """Run the scenario's only design or policy, perhaps observed; never raises Exception."""
    began = process_time()
    try:
        who = identity(scenario, observer)
        comparison = comparison_of(scenario)
        (name,) = comparison.contestants
        observing = None if observer is None else observer_class(observer)(scenario)
        readers = () if observing is None else (observing.read,)
        cluster = comparison.run(name, readers=readers, journal_level="protocol")
        # Under faults not all jobs end; of a run that was given up, none counts.
        counted = () if cluster.beyond else cluster.jobs
        ended = [(job, job.end_ns) for job in counted if job.end_ns is not None]
        return {
            "key": key_of(who),
            "version": who["version"],
            "code": code_version(),
            "conditions": conditions_of(who),
            "scenario": scenario.model_dump(mode="json"),
            "summary": comparison.measured(cluster, observing).summary,
            "stations": {} if cluster.beyond else _stations(cluster),
            "jobs": {
                "number": [job.number for job, _ in ended],
                **{
                    name: [measure(job) for job, _ in ended]
                    for name, measure in comparison.kept.items()
                },
                "response_ns": [end_ns - job.submit_ns for job, end_ns in ended],
            },
            "took_s": process_time() - began,
            **({} if observer is None else {"observer": observer}),
        }
    except UsersCodeError as error:
        return Failure(str(error), traceback.format_exc())
    except InputError as error:
        return Failure(str(error))
    except Exception as error:
        return Failure(_first_line(error), traceback.format_exc())


def store_outcomes(
    runs: list[Run], place: "LocalProcesses | DaskCluster", store: Store, until_s: float = inf
) -> Outcomes:
    """Do the runs at a place until a time of the monotonic clock; yields what has been stored."""
    with closing(place.outcomes(runs, until_s)) as outcomes:
        for run, outcome in outcomes:
            if not isinstance(outcome, Failure) and outcome["key"] != run.key:
                outcome = Failure("its worker has other code or files")
            if isinstance(outcome, Failure):
                version = model_version(run.parameters.get("system"))
                why = outcome.error, outcome.traceback
                store.put_failure(Failed(run.key, version, run.parameters, *why))
            else:
                store.put(outcome)
            yield run, outcome


class LocalProcesses:
    """`workers` processes of this machine, each doing one run after another.

    If one dies, another gets its run, up to `TRIES` times. They end as the iteration, or we, do.
    """

    def __init__(self, workers: int) -> None:
        self.slots = workers  # how many runs go on at once

    def outcomes(self, runs: list[Run], until_s: float = inf) -> Outcomes:
        """Do the runs, until then; yields each with its outcome as it ends, in any order."""
        if any(run.scenario.has_planes for run in runs):
            _compile_once()
        context = _context()
        waiting = deque((run, 1) for run in runs)
        crew: list[_Worker] = []
        try:
            while waiting or crew:
                while waiting and len(crew) < self.slots:
                    crew.append(_Worker(context, *waiting.popleft()))
                left_s = max(0.0, until_s - monotonic())
                ready = wait([it.pipe for it in crew], left_s if left_s < inf else None)
                if not ready:
                    return
                for worker in [worker for worker in crew if worker.pipe in ready]:
                    done, attempt = worker.run, worker.attempt
                    try:
                        outcome = worker.pipe.recv()
                    except (EOFError, OSError):
                        crew.remove(worker)
                        died = f"its process {worker.end()}"
                        if attempt < TRIES:
                            waiting.appendleft((done, attempt + 1))
                        else:
                            yield done, Failure(f"{died}, the last of {TRIES} that tried")
                        continue
                    if waiting:
                        worker.give(*waiting.popleft())
                    else:
                        crew.remove(worker)
                        worker.end()
                    yield done, outcome
        finally:
            for worker in crew:
                worker.process.terminate()
            for worker in crew:
                worker.end()


class DaskCluster:
    """The workers of a Dask scheduler, which may come and go; they must have the same code.

    If a worker is lost, Dask gives its run to another (`allowed-failures` times). Raises InputError
    if no scheduler answers at the address, or if a worker has other code.
    """

    def __init__(self, address: str) -> None:
        from distributed import Client

        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # they log what we say
        try:
            with ThreadPoolExecutor(1) as aside:  # in a notebook, this thread runs a loop already
                aside.submit(asyncio.run, _call(address)).result()
            self._client = Client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(
                f"--dask {address}: no Dask scheduler answers there ({type(error).__name__}); "
                "give the address that it printed, as tcp://127.0.0.1:8786"
            ) from None
        try:
            for worker, version in self._client.run(model_version, on_error="return").items():
                if version != model_version():
                    raise InputError(
                        f"--dask {address}: worker {worker} has other code ({version}, here "
                        f"{model_version()}); start it with this folder on PYTHONPATH"
                    )
        except BaseException:
            self._client.close()
            raise

    @property
    def slots(self) -> int:
        """How many runs can go on at once now."""
        try:
            return sum(self._client.nthreads().values())
        except OSError:  # the scheduler is gone; `outcomes` will say so
            return 0

    def outcomes(self, runs: list[Run], until_s: float = inf) -> Outcomes:
        from distributed import as_completed

        left_s = max(0.0, until_s - monotonic())
        try:
            by_key = {run.key: run for run in runs}
            futures = [
                self._client.submit(execute, r.scenario, r.observer, key=r.key) for r in runs
            ]
            timeout_s = left_s if left_s < inf else None
            ended = as_completed(futures, loop=self._client.loop, timeout=timeout_s)
            del futures  # so that results are freed once they are stored
            for future in ended:
                if future.cancelled() or future.status == "lost":
                    raise InputError("the Dask scheduler is gone")
                error = future.exception()
                outcome = Failure(_first_line(error)) if error is not None else future.result()
                yield by_key[future.key], outcome
        except TimeoutError:  # it is until_s
            return
        finally:
            self._client.close()


async def _call(address: str) -> None:
    """Raise OSError quickly if nobody answers; a client takes long to give up."""
    from distributed.comm import connect
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    connection = connect(address, timeout=CONNECT_S, **arguments)
    comm = await asyncio.wait_for(connection, CONNECT_S)  # it may connect but then stay silent
    await comm.close()


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


class _Worker:
    """A process that does one run after another, and its present run."""

    def __init__(self, context: ForkServerContext, run: Run, attempt: int) -> None:
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(theirs,), daemon=True)
        with _main_aside():
            self.process.start()
        theirs.close()  # so that our end closes when the process dies
        self.give(run, attempt)

    def give(self, run: Run, attempt: int) -> None:
        self.run, self.attempt = run, attempt
        with suppress(OSError):  # it has died since its last run, which `wait` will report
            self.pipe.send((run.scenario, run.observer))

    def end(self) -> str:
        """Wait for the process to end, which it does soon; returns how it ended."""
        self.pipe.close()
        self.process.join()
        code = self.process.exitcode or 0
        return f"was killed ({signal.Signals(-code).name})" if code < 0 else f"ended ({code})"


def _context() -> ForkServerContext:
    """A context in which processes are forked from a server that has imported what they need.

    Only this process handles Ctrl-C, which waits meanwhile; the others inherit from the server that
    they ignore it.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "model.pnr.compiled.cluster"])
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    path, heard = os.environ.get("PYTHONPATH"), signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # the server does not inherit sys.path
    try:
        multiprocessing.forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, heard)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        del os.environ["PYTHONPATH"]
        if path is not None:
            os.environ["PYTHONPATH"] = path
    return context


@contextmanager
def _main_aside() -> Iterator[None]:
    """Have no process that starts run the person's script, which calls us, once more."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _work(pipe: Connection) -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    while True:
        try:
            scenario, observer = pipe.recv()
        except EOFError:
            return
        pipe.send(execute(scenario, observer))


def end_with_parent() -> None:
    """Wait for the process that started this one to end, and end then."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
    os._exit(1)


def _compile_once() -> None:
    """Compile the data plane here if necessary, instead of in every worker at once."""
    from model.core.jit import cache_of, is_compiled
    from model.pnr.compiled.plane import advance

    if cache_of(advance) is not None and not is_compiled(advance):
        load_data_plane()


def _stations(cluster: Emulation) -> dict[str, dict[str, float]]:
    """The use of links, switches and disks by kind of station, without kinds that do not occur.

    Mean delays are over messages, and mean utilizations over stations.
    """
    network, end_ns = cluster.network, max(1, cluster.clock.now_ns)
    kinds: dict[str, Sequence[Station]] = {
        "links": [*network.links.values()],
        "switches": [*network.switches.values()],
        "disks": cluster.disks,
    }
    return {
        kind: {
            "utilization_mean": fmean(station.busy_ns / end_ns for station in stations),
            "utilization_max": max(station.busy_ns for station in stations) / end_ns,
            "wait_mean_s": seconds(
                sum(station.wait_ns for station in stations)
                / max(1, sum(station.served for station in stations))
            ),
            "wait_max_s": seconds(max(station.max_wait_ns for station in stations)),
        }
        for kind, stations in kinds.items()
        if stations
    }
