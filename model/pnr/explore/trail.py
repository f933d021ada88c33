"""Which lines of a design's roles a search has run: about the others it has proved nothing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import getmro, isfunction
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from agents.pnr.protocol import Protocol
from agents.pnr.role import Role


class Trail:
    """The code of roles, and which of its lines have run."""

    def __init__(self, protocol: Protocol) -> None:
        self.codes: dict[CodeType, set[int]] = {}  # lines that have not run so far
        for role in (protocol.client, protocol.server, protocol.manager):
            for kind in getmro(role):
                if issubclass(kind, Role) and kind is not Role:
                    for made in vars(kind).values():
                        if isfunction(made):
                            self._add(made.__code__)

    def _add(self, code: CodeType) -> None:
        lines = {line for *_, line in code.co_lines() if line} - {code.co_firstlineno}
        self.codes[code] = lines
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._add(inner)

    @contextmanager
    def followed(self) -> Iterator[None]:
        """While this lasts, lines that run are crossed off."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, value: object) -> Any:
        """Follow a function as long as some of its lines have not run."""
        left = self.codes.get(frame.f_code)
        return self._line if left else None

    def _line(self, frame: FrameType, event: str, value: object) -> Any:
        self.codes[frame.f_code].discard(frame.f_lineno)
        return self._line

    def never_run(self) -> list[str]:
        """Lines that have not run, by file and function: `manager.py 233-240 (_grant)`."""
        found = []
        for code, lines in self.codes.items():
            spans: list[list[int]] = []
            for line in sorted(lines):
                if spans and line == spans[-1][1] + 1:
                    spans[-1][1] = line
                else:
                    spans.append([line, line])
            if spans:
                which = ", ".join(f"{a}-{b}" if a != b else f"{a}" for a, b in spans)
                name = Path(code.co_filename).name
                found.append((name, spans[0][0], f"{name} {which} ({code.co_name})"))
        return [text for *_, text in sorted(found)]
