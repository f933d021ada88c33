"""Loads a user's own code, and calls it so that its failures are told as the user's mistakes."""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from model.ground.errors import CheckFailed, InputError, ProtocolMistake, cut, place_in

P = ParamSpec("P")
R = TypeVar("R")

_LONGEST = 300  # characters of the user's message that are shown


class UsersCodeError(InputError):
    """A user's own code failed: one line says where and how; its cause is what was raised."""


def users_object(path: Path, name: str, called: str) -> Callable[..., Any]:
    """A function or class from a user's Python file, guarded.

    Raises InputError, which calls it `called`, if there is no such file or object, and
    UsersCodeError if the file cannot be loaded.
    """
    if not path.is_file():
        raise InputError(f"{called}: no such file: {path}")
    if path.suffix != ".py" or not name:  # no library, whose code could do anything at once
        raise InputError(f"{called}: give a function of a Python file, as file.py:function")
    found = getattr(_loaded(path), name, None)
    if not callable(found):
        raise InputError(f"{called}: {path} has no function {name!r}")
    return guarded(found, path)


def users_module(path: Path, called: str) -> ModuleType:
    """A user's Python file, loaded; raises InputError, which calls it `called`."""
    if not path.is_file() or path.suffix != ".py":
        raise InputError(f"{called} {path}: no such Python file")
    return _loaded(path)


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(_module_name(path), path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for what annotations mean
    guarded(spec.loader.exec_module, path)(module)
    return module


def module_of(file: Path) -> ModuleType | None:
    """The module that a user's file was loaded as; None if it was not."""
    return sys.modules.get(_module_name(file))


def _module_name(file: Path) -> str:
    """No name that an import statement could have, so that it hides no other module."""
    return f"user's {file.resolve()}"


def guarded(made: Callable[..., Any], file: Path) -> Callable[..., Any]:
    """The same function, or a class derived from this one, whose failures raise UsersCodeError.

    Every exception is a failure, that of `sys.exit` too, except Ctrl-C, InputError and CheckFailed
    (a rule of the code's own that does not hold), which pass. Of a class all methods are guarded,
    including those that it inherits.
    """
    if not isinstance(made, type):
        return _guarded(made, file)
    methods = {
        name: _guarded(method, file)
        for name, method in inspect.getmembers_static(made, inspect.isfunction)
        if name == "__init__" or not name.startswith("__")
    }
    kept = ("__module__", "__firstlineno__")  # where `inspect` looks for its source
    parts = {name: vars(made)[name] for name in kept if name in vars(made)}
    return type(made)(made.__name__, (made,), {**parts, **methods})


def plain(value: object) -> object:
    """One of numpy's numbers, truth values, texts or arrays as Python's own; others unchanged."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _guarded(call: Callable[P, R], file: Path) -> Callable[P, R]:
    @wraps(call)
    def guard(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return call(*arguments, **named)
        except ProtocolMistake as error:
            error.place = error.place or _place_in(error, file)
            raise
        except (KeyboardInterrupt, InputError, CheckFailed):
            raise
        except BaseException as error:
            message = traceback.format_exception_only(error)[-1]
            where = _place_in(error, file) or _begin_of(call, file)
            if isinstance(error, SyntaxError):
                message = f"SyntaxError: {error.msg}"
                where = place_in(error.filename or file, error.lineno)
            raise UsersCodeError(f"{where}: {cut(message, _LONGEST)}") from error

    return guard


def _place_in(error: BaseException, file: Path) -> str:
    """The last place in the user's file, or another one of its folder, that led to an error."""
    folder = file.resolve().parent
    called = traceback.extract_tb(error.__traceback__)[1:]  # the first is the guard's
    frames = [frame for frame in called if Path(frame.filename).parent == folder]
    return place_in(frames[-1].filename, frames[-1].lineno, frames[-1].name) if frames else ""


def _begin_of(call: Callable[..., object], file: Path) -> str:
    """Where a function begins, which could not even be called."""
    code = getattr(call, "__code__", None)
    return place_in(file) if code is None else place_in(file, code.co_firstlineno, code.co_name)
