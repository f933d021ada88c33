"""Loads a user's own code, and calls it so that its failures are reported as its own mistakes."""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from traceback import FrameSummary, StackSummary
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from model.ground.errors import CheckFailed, InputError, ProtocolMistake, cut, place_in

P = ParamSpec("P")
R = TypeVar("R")

_LONGEST = 300  # characters of the user's message that are shown
_LAST_FRAMES = 10  # frames that are shown


class UsersCodeError(InputError):
    """A user's own code failed: one line has where and how; `frames` are those of that code."""

    def __init__(self, message: str, frames: list[FrameSummary] | None = None) -> None:
        super().__init__(message)
        self.frames = frames or []

    def story(self) -> str:
        """The last of the user's frames, as a traceback shows them; "" if there are none.

        Without the marks below a part of a line, which each version of Python sets elsewhere.
        """
        frames = [
            (frame.filename, frame.lineno or 0, frame.name, frame.line)
            for frame in self.frames[-_LAST_FRAMES:]
        ]
        return "".join(StackSummary.from_list(frames).format())


def users_object(path: Path, name: str, called: str) -> Callable[..., Any]:
    """A function or class from a user's Python file, guarded.

    Raises InputError, which calls it `called`, if there is no such file or object, and
    UsersCodeError if the file cannot be loaded.
    """
    if not path.is_file():
        raise InputError(f"{called}: no such file: {path}")
    if not name:
        raise InputError(f"{called}: say which function, as {path}:name")
    spec = None
    if path.suffix == ".py":  # else it might be a library, whose code could do anything at once
        spec = importlib.util.spec_from_file_location(_module_name(path), path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: not a Python file (.py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for what annotations mean
    _guarded(spec.loader.exec_module, path)(module)
    found = _guarded(lambda: getattr(module, name, None), path)()
    if not callable(found):
        raise InputError(f"{called}: {path} has no function {name!r}")
    return guarded(found, path)


def module_of(file: Path) -> ModuleType | None:
    """The module that a user's file was loaded as; None if it was not."""
    return sys.modules.get(_module_name(file))


def _module_name(file: Path) -> str:
    """Its stem, and a number if a file of the same name in another folder was loaded before."""
    name = stem = f"users.{file.stem}"
    count = 1
    while (module := sys.modules.get(name)) is not None:
        if Path(module.__file__ or "").resolve() == file.resolve():
            break
        count += 1
        name = f"{stem}_{count}"
    return name


def guarded(made: Callable[..., Any], file: Path) -> Callable[..., Any]:
    """The same function, or a class derived from this one, whose failures raise UsersCodeError.

    Every exception is a failure, that of `sys.exit` too, except Ctrl-C, InputError and CheckFailed
    (a rule of the code's own that does not hold), which pass.
    Of a class all methods are guarded, including those that it inherits, but no properties, and no
    methods of the class itself or static ones.
    """
    if isinstance(made, type):
        return _guarded(partial(_derived, made, file), file)()
    return _guarded(made, file)


def _derived(made: type, file: Path) -> type:
    """A class derived from a user's, whose methods are guarded."""
    kept = ("__firstlineno__",)  # where Python 3.13 looks for its line
    methods = {name: vars(made)[name] for name in kept if name in vars(made)}
    for name in dir(made):
        method = inspect.getattr_static(made, name)
        if inspect.isfunction(method) and (name == "__init__" or not name.startswith("__")):
            methods[name] = _guarded(method, file)
    return type(made)(made.__name__, (made,), {"__module__": made.__module__, **methods})


def plain(value: object) -> object:
    """One of numpy's numbers, truth values, texts or arrays as Python's own; others unchanged."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _guarded(call: Callable[P, R], file: Path) -> Callable[P, R]:
    @wraps(call)
    def guard(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return call(*arguments, **named)
        except UsersCodeError as error:  # of a guarded call within this one
            error.frames[:0] = _users_frames(error, file)
            raise
        except ProtocolMistake as error:
            if not error.place and (frames := _users_frames(error, file)):
                error.place = place_in(frames[-1].filename, frames[-1].lineno, frames[-1].name)
            raise
        except (KeyboardInterrupt, InputError, CheckFailed):
            raise
        except BaseException as error:
            raise _users_error(error, call, file) from error

    return guard


def _users_error(error: BaseException, call: Callable[..., object], file: Path) -> UsersCodeError:
    """The error with the place where the user's code failed, or at least where that code begins."""
    frames, code = _users_frames(error, file), getattr(call, "__code__", None)
    message = traceback.format_exception_only(error)[-1]
    if isinstance(error, SyntaxError):
        place = place_in(error.filename or file, error.lineno)
        message = f"SyntaxError: {error.msg}"
    elif frames:
        place = place_in(frames[-1].filename, frames[-1].lineno, frames[-1].name)
    elif code is not None and not code.co_filename.startswith("<"):
        place = place_in(code.co_filename, code.co_firstlineno, code.co_name)
    else:
        place = place_in(file)
    return UsersCodeError(f"{place}: {cut(message, _LONGEST)}", frames)


def _users_frames(error: BaseException, file: Path) -> list[FrameSummary]:
    """The calls that led to the error and are in the user's file or another one of its folder."""
    folder = file.resolve().parent
    called = traceback.extract_tb(error.__traceback__)[1:]  # the first is the guard's
    return [frame for frame in called if Path(frame.filename).parent == folder]
