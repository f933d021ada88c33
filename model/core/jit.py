"""Compiling once: Numba's cache on disk, in a place that changes with the code."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from os import environ
from pathlib import Path
from tempfile import TemporaryFile
from types import CodeType
from typing import Any, TypeVar

import numba
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.typing.templates import infer_global
from numba.extending import models, register_model

from model.core.version import version_of_file
from model.ground import page_classes, paging, randomness, speed

F = TypeVar("F", bound=Callable[..., object])


def cache_of(function: Callable[..., object]) -> Path | None:
    """The folder in which a compiled function is cached; None if nothing can be written.

    Its name is the version of the function's file, which covers all the code it is made from. Numba
    itself compares a function with its own file only, and would go on using what it has compiled
    after a change in another file.
    """
    return _folder(Path(inspect.unwrap(function).__code__.co_filename))


@cache
def _folder(file: Path) -> Path | None:
    name = f"compiled-{version_of_file(file)}"
    beside = Path(__file__).parent / "__pycache__"
    places = [Path(environ.get("NUMBA_CACHE_DIR") or beside), beside]
    with suppress(RuntimeError):  # a user who has no home
        users = Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        places.append(users / "parallel-network-ram")
    for place in places:
        with suppress(OSError):
            (place / name).mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=place / name):
                return place / name
    return None


def is_compiled(function: Callable[..., object]) -> bool:
    """Whether the next run finds the compiled function on disk."""
    dispatcher: Any = function
    folder = dispatcher._cache.cache_path  # of this place of its file: another clone has its own
    return folder is not None and any(Path(folder).glob(f"*.{function.__name__}-*.nbc"))


_INNER: dict[CodeType, object] = {}  # what compiles functions that only compiled ones call


@contextmanager
def _only_linking_inner() -> Iterator[None]:
    """Let Numba hand inner functions to their callers as they are, which takes half as long.

    By itself it optimises and loads each function alone, before it is optimised again as a part of
    each of its callers; nobody calls the first, since all inner functions are inlined. Numba has no
    public way to say so, hence two of its methods are replaced while a function of ours compiles.
    """
    try:
        from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
        from numba.core.compiler import StateDict
        from numba.core.environment import lookup_environment
        from numba.core.typed_passes import BaseNativeLowering

        set_env, run_pass = JITCPUCodegen.set_env, BaseNativeLowering.run_pass
    except (ImportError, AttributeError):  # with another Numba it merely takes longer
        yield
        return

    class Linked(JITCodeLibrary):
        """Is nothing but a part of its callers."""

        def get_pointer_to_function(self, name: str) -> int:
            return 0  # as if there were none

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalized = True

    def set_env_if_loaded(self: JITCPUCodegen, name: str, environment: object) -> None:
        if self._engine.is_symbol_defined(name):
            set_env(self, name, environment)

    def run_pass_linking(self: BaseNativeLowering, state: StateDict) -> object:
        codegen = state.targetctx.codegen()
        if state.func_id.func.__code__ in _INNER:
            state.library = Linked(codegen, state.func_id.func_qualname)
            return run_pass(self, state)
        done = run_pass(self, state)
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:  # of an inner function
                codegen.set_env(variable.name, environment)
        return done

    JITCPUCodegen.set_env = set_env_if_loaded
    BaseNativeLowering.run_pass = run_pass_linking
    try:
        yield
    finally:
        JITCPUCodegen.set_env, BaseNativeLowering.run_pass = set_env, run_pass


class _SpareCache(FunctionCache):
    """A cache that a full disk leaves empty: what is compiled runs all the same."""

    def load_overload(self, sig: object, target_context: object) -> object:
        """Load what is compiled, but not all that Numba needs to compile, which takes longer."""
        return self._load_overload(sig, target_context)  # type: ignore[attr-defined]

    def save_overload(self, sig: object, data: object) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


# _nrt=False: no reference counts of arrays, which compiled functions neither make nor keep. They
# cost two atomic operations for each argument of each call, and made everything five times as slow.
# forceinline: since calls spend most of their time passing arguments on, this is twice as fast.


def compiled(function: F) -> F:
    """Compile a function that Python calls, and cache it on disk."""
    dispatcher: Any = numba.njit(_nrt=False, no_cfunc_wrapper=True)(function)
    folder = cache_of(function)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # where Numba caches
        dispatcher._cache = _SpareCache(function)  # as enable_caching does, which takes no cache
    dispatcher.compile = _only_linking_inner()(dispatcher.compile)
    as_function: F = dispatcher
    return as_function


def entry_of(function: F, *worlds: object) -> F:
    """A compiled function of whole numbers and a world or two, as it is for all such worlds.

    It does not look at what it is given, which takes Numba longer than many functions do. What it
    is called with, in each process, is of the same types as at first: to find the types of a world
    takes longer than to run many a scenario.
    """
    dispatcher: Any = function
    if not dispatcher.overloads:
        numbers = len(inspect.signature(function).parameters) - len(worlds)
        dispatcher.compile((*[types.int64] * numbers, *map(numba.typeof, worlds)))
    [made] = dispatcher.overloads.values()
    entry: F = made.entry_point
    return entry


class _Inner(types.Dispatcher):
    """The type of an inner function, which is compiled once, and not for each constant again."""

    def get_call_type(self, context: Any, args: Sequence[Any], kws: Any) -> Any:
        return super().get_call_type(context, tuple(map(types.unliteral, args)), kws)


register_model(_Inner)(models.OpaqueModel)


def inner(function: F, *, forceinline: bool = True) -> F:
    """Let compiled functions call a function; Python calls it as it stands, without compiling."""
    # No wrapper is made with which Python or C could call it, which took a third of the time.
    options = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = numba.njit(**options, forceinline=forceinline)(function)
    _INNER[function.__code__] = dispatcher
    # register_jitable would compile it again for callers with other options, and compare these.
    infer_global(function, _Inner(dispatcher))  # type: ignore[no-untyped-call]
    return function


def seldom(function: F) -> F:
    """Let compiled functions call a function that is a part of none of them, as it is seldom used.

    What it has in it makes its callers no slower while it is not called.
    """
    return inner(function, forceinline=False)


# The formulas of the ground that compiled functions call. They are registered here, and not where
# they stand, so that whoever only looks at a scenario or a journal need not wait for Numba.
for formula in (
    randomness.mix,
    randomness.longer_key,
    randomness.following,
    randomness.uniform,
    paging.fault_time_ns,
    paging.relocated_bytes,
    paging.share,
    speed.time_taken_ns,
    speed.computed_ns,
    page_classes.digits,
    page_classes.fine_class,
    page_classes.loaded_class,
    page_classes.waiting_class,
    page_classes.cost_class,
):
    inner(formula)
