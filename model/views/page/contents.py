"""What a message carries, in words: from the payload of its record, whatever its protocol."""

from model.core.journal import words
from model.core.journal.kinds import Heard, Record, Sent
from model.core.journal.past import words_in

_FEW = 8  # words about nodes, and shares, that are listed
_SIZES = ("amount", "need", "granted", "missing")  # fields in bytes, of the protocols here
_SHOWN = ("word", "words", "refused")  # as words about nodes, and as what the message was good for


def contents(sent: Record) -> str:
    """Shares, sizes and other fields, and what is stated of loads; empty if there is none."""
    if sent.payload is None:
        return ""
    written = Sent.contents(sent.payload).items()
    fields = {name: value for name, value in written if name not in _SHOWN}
    parts = [text for name, value in fields.items() if (text := _field(name, value, sent))]
    stated = words_in(sent)
    parts += map(_stated, stated[:_FEW])
    if len(stated) > _FEW:
        parts.append(f"and of {len(stated) - _FEW} more nodes")
    return "; ".join(parts)


def _field(name: str, value: object, sent: Record) -> str:
    if name in _SIZES and type(value) is int:
        return "" if value == sent.amount_bytes else f"{name} {words.amount(value)}"
    if isinstance(value, list) and value and all(_is_share(it) for it in value):
        shares = [f"{words.amount(size)} of node {node}" for node, size, *_ in value[:_FEW]]
        more = f" and {len(value) - _FEW} more" if len(value) > _FEW else ""
        return f"{name}: {', '.join(shares)}{more}"
    return "" if value in ([], None) else f"{name} {_plain(value)}"


def _is_share(value: object) -> bool:
    """Whether it is a node, bytes, and perhaps a word about the node."""
    return isinstance(value, list) and [type(part) for part in value[:2]] == [int, int]


def _stated(word: Heard) -> str:
    whose = "the group of node" if word.group else "node"
    verb = "has" if word.load >= 0 else "lacks"
    size, at = words.amount(abs(word.load)), words.time(word.stated_ns)
    return f"{whose} {word.about} {verb} {size}, as of {at}"


def _plain(value: object) -> str:
    """A value of a protocol that is unknown here, without brackets."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(it)}" for name, it in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)
