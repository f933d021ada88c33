"""A command is a class: a field for each argument and option, and `run`, which does it."""

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from copy import copy
from importlib import import_module
from math import isfinite
from types import ModuleType
from typing import Annotated, Any, ClassVar

import typer
from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo
from typer.core import TyperCommand
from typer.models import ArgumentInfo, ParameterInfo

from model.ground.errors import InputError
from model.terminal.fields import help_of, metavar
from model.terminal.help import Help


class Command(BaseModel):
    """The docstring of a derived class is its help, and that of a field the help of an option.

    A field is annotated with `typer.Argument` to make it an argument, with `typer.Option` for what
    its name, type and default do not show, or with a `Several`.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, protected_namespaces=()
    )

    #: Whether it needs Mesa, which as it is imported looks through all calls under way and all
    #: modules, twice: a quarter of a short command, unless that is done while these are few.
    emulates: ClassVar[bool] = False

    #: What its help says below the options; lines stay as they are after a line of \b.
    epilog: ClassVar[str] = ""

    #: The function that takes the command and carries it out, unless `run` is its own; by name,
    #: since help need not wait for what it imports.
    done_by: ClassVar[str]

    @classmethod
    def for_words(cls, words: Sequence[str]) -> "type[Command]":
        """The class that reads these words: itself, unless one of them calls for another."""
        return cls

    def run(self) -> int | None:
        """Do it; returns the exit status, if it may be another than 0. Raises InputError."""
        module, _, function = self.done_by.rpartition(".")
        status: int | None = getattr(import_module(module), function)(self)
        return status

    @classmethod
    def option(cls, field: str) -> str:
        """What the option of a field is called: --all-rules."""
        for part in cls.model_fields[field].metadata:
            # What is annotated has its name where else a default stands.
            if isinstance(part, ParameterInfo) and isinstance(part.default, str):
                return part.default
        return f"--{field.replace('_', '-')}"

    def refuse_with(self, field: str, *others: str) -> None:
        """Raise InputError if this option is given and one of others, which would do nothing."""
        for other in self._given(others) if self._given([field]) else ():
            raise InputError(f"{self.option(field)} and {self.option(other)}: give one of them")

    def refuse_without(self, field: str, *others: str) -> None:
        """Raise InputError if one of the others is given without this, which they belong to."""
        for other in () if self._given([field]) else self._given(others):
            raise InputError(f"{self.option(other)}: needs {self.option(field)}")

    def _given(self, fields: Iterable[str]) -> list[str]:
        """Those whose options are given, as something else than what they are by default."""
        known = type(self).model_fields
        return [name for name in fields if getattr(self, name) != known[name].default]


class Several(ABC):
    """Annotates a field that is made of the values of several options."""

    @abstractmethod
    def parameters(self, others: set[str]) -> list[inspect.Parameter]:
        """The options, none of which has the name of one of the command's `others`."""

    @abstractmethod
    def value(self, options: dict[str, object]) -> object:
        """The field's value; takes the options that it is made of out of all that were given."""


def typer_command(name: str, kind: type[Command]) -> TyperCommand:
    own = kind.__annotations__
    severals: dict[str, Several] = {}
    parameters: list[inspect.Parameter] = []
    own_first = sorted(kind.model_fields.items(), key=lambda item: item[0] not in own)
    for field, info in own_first:
        several = next((part for part in info.metadata if isinstance(part, Several)), None)
        if several is None:
            parameters.append(_option(field, info))
        else:
            severals[field] = several
            parameters += several.parameters({*kind.model_fields} - {field})

    def call(**options: object) -> int | None:
        for name, value in options.items():
            if isinstance(value, float) and not isfinite(value):
                raise InputError(f"{kind.option(name)}: give a number (not {value})")
        if kind.emulates:
            _import_mesa()
        made = {field: several.value(options) for field, several in severals.items()}
        return kind(**options, **made).run()

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=Help, help=kind.__doc__, epilog=kind.epilog)(call)
    command = typer.main.get_command(app)
    assert isinstance(command, TyperCommand)
    return command


def _import_mesa() -> None:
    """Import Mesa but for a space that nobody uses here, whose SciPy takes as long as all else."""
    name = "mesa.experimental.continuous_space"

    def use(attribute: str) -> object:
        if attribute == "__file__":  # whoever looks through all modules does not use it
            raise AttributeError
        if sys.modules[name] is unused:
            del sys.modules[name]
        return getattr(import_module(name), attribute)

    unused = sys.modules[name] = ModuleType(name)
    unused.__getattr__ = use  # type: ignore[method-assign]
    import_module("mesa")


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    stated = (part for part in field.metadata if isinstance(part, ParameterInfo))
    option: Any = copy(next(stated, None)) or typer.Option()
    option.help = option.help or help_of(field)
    for part in field.metadata:  # one statement of limits, for pydantic and for typer
        option.min = part.ge if isinstance(part, Ge) else option.min
        option.max = part.le if isinstance(part, Le) else option.max
    is_argument = isinstance(option, ArgumentInfo)
    shown = name.upper() if is_argument else metavar(name, field.annotation)
    option.metavar = option.metavar or shown
    option.show_default = option.show_default and field.default is not None
    if field.annotation is bool and not is_argument:
        option.param_decls = (f"--{name.replace('_', '-')}",)
    default = inspect.Parameter.empty if field.is_required() else field.default
    return parameter(name, field.annotation, option, default)


def parameter(
    name: str, kind: Any, option: ParameterInfo, default: Any = None
) -> inspect.Parameter:
    """A parameter that typer makes an option of."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=Annotated[kind, option])
