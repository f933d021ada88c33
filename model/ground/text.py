"""Text that comes from files and arguments, as it may be shown: it steers no terminal."""

import re
from collections.abc import Iterable, Sequence
from unicodedata import category

#: Controls (ESC, BEL, CR, C1, …), formats (those that turn the direction of writing, …), halves of
#: characters, those for private use, and ends of lines and paragraphs.
_STEERING = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_UNUSUAL = re.compile(r"[^ -~]")


def escaped(text: str, but: str = "") -> str:
    """The text with what could steer a terminal as escapes, such as \\x1b and \\n.

    The characters in `but` stay as they are.
    """

    def shown(found: re.Match[str]) -> str:
        letter = found.group()
        if letter in but or category(letter) not in _STEERING:
            return letter
        return letter.encode("unicode_escape").decode("ascii")

    return _UNUSUAL.sub(shown, text)


def in_lines(lines: Iterable[str]) -> str:
    """A text of these lines, none of which ends within."""
    return "\n".join(map(escaped, lines))


def in_a_row(texts: Sequence[str], last: str = "and") -> str:
    """Texts as a sentence lists them: A, B and C."""
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
