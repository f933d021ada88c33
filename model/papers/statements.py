"""Reads what a paper found from `text/findings.toml` in its folder; README.md says how to write it.

A claim names its kind, which is a function that makes claims; what else it states are arguments of
that function. Some of these are names, too: of cases, and of groups of designs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from math import inf
from typing import Any, TypeVar

from model.core.scenario import read_toml
from model.ground.errors import InputError
from model.papers.cases import Case, over
from model.papers.findings import (
    CLASSES,
    Claims,
    Designs,
    Finding,
    designs_of,
    means,
    near,
    ratios,
)
from model.papers.text import Named, text_file, text_of

#: An entry of the file: what it states, by the names of what is stated.
Entry = Mapping[str, Any]
#: Cases by a name, several, or by parameters: `{ ram = [85, 75] }`, perhaps `of` named ones.
CaseWords = str | Entry | Sequence["CaseWords"]

_COMMON: Mapping[str, Callable[..., Claims]] = {"ratios": ratios, "means": means}
_FINDING = {"topic", "section", "statement", "claims", "magnitude", "why", "why_cases"}
_FINDING |= {"untestable", "class"}

T = TypeVar("T")


@dataclass(frozen=True)
class Terms:
    """What the names in a paper's `findings.toml` stand for."""

    cases: Mapping[str, Case | Sequence[Case]] = field(default_factory=dict)
    designs: Mapping[str, Designs] = field(default_factory=dict)  # by the names of groups
    #: What makes claims, in addition to what all papers have.
    kinds: Mapping[str, Callable[..., Claims]] = field(default_factory=dict)
    numbers: Mapping[str, Named] = field(default_factory=dict)
    #: Numbers of the cases that a finding names (`why_cases`).
    numbers_of: Mapping[str, Callable[..., object]] = field(default_factory=dict)

    def cases_of(self, words: CaseWords) -> tuple[Case, ...]:
        """The cases with a name, or with several, or with other parameters."""
        if isinstance(words, str):
            found = _named(words, self.cases, "case")
            return (found,) if isinstance(found, Case) else tuple(found)
        if isinstance(words, Mapping):
            varied = {name: value for name, value in words.items() if name != "of"}
            return over(self.cases_of(words["of"]) if "of" in words else Case(), **varied)
        return tuple(case for one in words for case in self.cases_of(one))

    def designs_of(self, words: str | Sequence[str]) -> Designs:
        """The designs of a group, or of several; what is no group's name is a design's."""
        several = [words] if isinstance(words, str) else words
        return lambda case: [
            design
            for name in several
            for design in designs_of(self.designs.get(name, (name,)), case)
        ]

    def claims_of(self, entries: Sequence[Entry]) -> tuple[Claims, ...]:
        """What makes the claims of some entries; raises InputError for one that does not fit.

        An entry with `each` stands for as many: with each combination of the values there.
        """
        return tuple(
            self._claim({**entry, **dict(zip(each, chosen, strict=True))})
            for entry in entries
            for each in [entry.get("each", {})]
            for chosen in product(*each.values())
        )

    def _claim(self, entry: Entry) -> Claims:
        words = {name: value for name, value in entry.items() if name not in ("kind", "each")}
        make = _named(entry["kind"], {**_COMMON, **self.kinds}, "kind")
        arguments: dict[str, Any] = {}
        if {"near", "factor", "low", "high"} & words.keys():
            arguments["low"], arguments["high"] = _limits(words)
        for name in ("designs", "others"):
            if name in words:
                arguments[name] = self.designs_of(words.pop(name))
        if "of" in words.get("than_in", {}):
            (words["than_in"],) = self.cases_of(words["than_in"])
        cases = (self.cases_of(words.pop("cases")),) if "cases" in words else ()
        arguments |= words
        try:
            return make(*cases, **arguments)
        except TypeError as error:
            raise InputError(f"kind {entry['kind']}: {error}") from error


def _limits(words: dict[str, Any]) -> tuple[float, float]:
    """The range of a claim, which is taken out of what else it states."""
    if "near" in words:
        return near(words.pop("near"), words.pop("within_pct"))
    if "factor" in words:
        return 1 / words["factor"], words.pop("factor")
    return words.pop("low", -inf), words.pop("high", inf)


def read_findings(paper: str, terms: Terms | None = None) -> tuple[Finding, ...]:
    """The findings of a paper, in the order of its file; raises InputError for a mistake in it."""
    file = text_file(paper, "findings.toml")
    content = read_toml(file)
    findings = []
    for number, given in enumerate(content.get("finding", ()), start=1):
        try:
            found = _finding(given, terms or Terms(), content.get("sentences", {}))
            findings.append(replace(found, number=number))
        except KeyError as error:
            raise InputError(f"{file}: {given.get('statement')!r}: no {error}") from error
        except InputError as error:
            raise InputError(f"{file}: {given.get('statement')!r}: {error}") from None
    return tuple(findings)


def _finding(given: Entry, terms: Terms, sentences: Mapping[str, str]) -> Finding:
    if others := given.keys() - _FINDING:
        raise InputError(f"{min(others)}: no such entry; give {', '.join(sorted(_FINDING))}")
    if "class" in given:
        _named(given["class"], CLASSES, "class")
    why = given.get("why", "")
    for name, sentence in sentences.items():
        why = why.replace(f"{{{{ {name} }}}}", sentence)
    cases = terms.cases_of(given.get("why_cases", ()))
    of_cases = {name: partial(one, cases=cases) for name, one in terms.numbers_of.items()}
    return Finding(
        given["topic"],
        given.get("section", ""),
        _line(given["statement"]),
        terms.claims_of(given.get("claims", ())),
        text_of(_line(why), {**terms.numbers, **of_cases}),
        terms.claims_of(given.get("magnitude", ())),
        _line(given.get("untestable", "")),
        given.get("class", ""),
    )


def _line(text: str) -> str:
    """A text in one line, however it is wrapped."""
    return " ".join(text.split())


def _named(name: str, known: Mapping[str, T], what: str) -> T:
    """What has this name; raises InputError if nothing has."""
    if name not in known:
        raise InputError(f"{name}: no such {what}; give one of {'; '.join(known)}")
    return known[name]
