"""Texts of a page, in Markdown, in which names stand for what was measured: `{{ name }}`.

They are templates of Jinja. A name that nothing stands for is a mistake, and raises InputError.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from statistics import median
from typing import TypeVar

from jinja2 import Environment, StrictUndefined, TemplateSyntaxError, UndefinedError, meta

from model.ground.errors import InputError
from model.papers.measurements import Measurements, NotRun
from model.papers.tables import with_interval
from model.sweeps.statistics import Estimate
from model.sweeps.sweep import BUNDLED

#: Gives what a name in a text stands for, mostly a number in words; raises NotRun.
Named = Callable[[Measurements], object]
T = TypeVar("T")

_TEMPLATES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _digits(value: float, digits: int = 0) -> str:
    """A number with so many digits after the point."""
    return "not known" if isnan(value) else f"{value:,.{digits}f}"


def span(values: Sequence[float], digits: int = 0) -> str:
    """The least and the most of some numbers, or one number if both read alike."""
    ends = (_digits(min(values), digits), _digits(max(values), digits))
    return " to ".join(dict.fromkeys(ends))


def _means_of(numbers: Mapping[str, Estimate], place: str) -> list[float]:
    """The means of a page's numbers that belong to a finding, "5", or to a claim of it, "5.1".

    Nothing is told of them if one of them was not run. Raises InputError if there are none.
    """
    own = [one.mean for name, one in numbers.items() if name.startswith(f"{place}.")]
    if not own:
        raise InputError(f"{place}: no such finding, or no such claim of one")
    return [nan] if any(map(isnan, own)) else own


_TEMPLATES.filters |= {
    "digits": _digits,
    "with_interval": with_interval,
    "means_of": _means_of,
    "median": median,
    "span": span,
}


def text_file(paper: str, file: str) -> Path:
    """The file with this name in the folder of a paper's texts."""
    return BUNDLED[paper].parent / "text" / file


def page_text(paper: str, file: str, named: Mapping[str, Named]) -> Callable[[Measurements], str]:
    """The text in this file of a paper; raises InputError for a mistake in it."""
    path = text_file(paper, file)
    try:
        return text_of(unwrapped(path.read_text(encoding="utf-8")).strip(), named)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def known(one: Callable[[Measurements], T], measured: Measurements) -> T | str:
    """What it gives, such as a sentence with its numbers; nothing if one of these was not run."""
    try:
        return one(measured)
    except NotRun:
        return ""


def text_of(source: str, named: Mapping[str, Named]) -> Callable[[Measurements], str]:
    """A text of which each name is found in `named`; raises InputError for a mistake in it."""
    try:
        parsed = _TEMPLATES.parse(source)
    except TemplateSyntaxError as error:
        raise InputError(f"line {error.lineno}: {error.message}") from None
    template = _TEMPLATES.from_string(parsed)
    names = sorted(meta.find_undeclared_variables(parsed))
    if unknown := [name for name in names if name not in named]:
        raise InputError(f"{{{{ {unknown[0]} }}}}: no such name; give one of {', '.join(named)}")

    def text(measured: Measurements) -> str:
        try:
            return template.render({name: named[name](measured) for name in names})
        except UndefinedError as error:
            raise InputError(str(error)) from error

    return text


def numbered(source: str, named: Mapping[str, Named]) -> Callable[[Measurements], str]:
    """A numbered list without the items whose numbers were not run; the others keep their own."""
    pieces = re.split(r"^(\d+)\. ", source, flags=re.MULTILINE)[1:]
    items = {
        number: text_of(unwrapped(item).strip(), named)
        for number, item in zip(pieces[::2], pieces[1::2], strict=True)
    }

    def text(measured: Measurements) -> str:
        told = {number: known(item, measured) for number, item in items.items()}
        return "\n".join(f"{number}. {line}" for number, line in told.items() if line)

    return text


def unwrapped(text: str) -> str:
    """Markdown with each paragraph, and each item of a list, in one line."""
    starts = r"\s|\Z|[|#!]|- |\d+\. |\{%"  # of lines that continue nothing
    return re.sub(rf"(?<=\S)(?<!%\}})\n *(?!{starts})", " ", text)
