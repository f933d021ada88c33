"""What a role has heard, and which messages changed its choice: it is asked again without them."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from agents.messages import Message
from model.core.journal.kinds import MESSAGE, identity
from model.core.journal.past import not_words

_Word = tuple[int, int]  # a load in bytes, and when it was stated
#: The newest word about a node or group, the id of its message, and the newest of another message.
_Newest = tuple[_Word, int, _Word | None]
#: So many messages may wait to be read until the role decides.
_MOST_UNREAD = 1000


class Choice(Protocol):
    """A choice as a role explains it: `Decided` in `agents/pnr/role.py`."""

    believed: tuple[tuple[int, _Word | None], ...]  # what the role believes of each candidate
    groups: Mapping[int, object]  # by candidate, the nodes for which it stands
    again: object  # how the role can be asked again, or None

    def changed_by(self, without: Mapping[int, Mapping[int, _Word | None]]) -> list[int]:
        """The messages without which, each with what would be believed then, it would differ."""


class Hearing:
    """The words that a role has been sent since its servent started."""

    def __init__(self) -> None:
        self._unread: list[Message] = []
        self._of_nodes: dict[int, _Newest] = {}
        self._of_groups: dict[int, _Newest] = {}  # by leader

    def hears(self, message: Message) -> None:
        """A message has been delivered."""
        self._unread.append(message)
        if len(self._unread) > _MOST_UNREAD:
            self._read()

    def changed(self, node: int, choice: Choice) -> list[int]:
        """The messages without any one of which the role, on this node, would choose otherwise.

        Of each candidate it would then believe the newest word that another message has brought,
        or nothing. It looks at its own node itself, whatever messages say of that.
        """
        if choice.again is None:
            return []
        self._read()
        groups = choice.groups
        without: dict[int, dict[int, _Word | None]] = {}  # by message, what it would believe
        for candidate, believed in choice.believed:
            newest = (self._of_groups if candidate in groups else self._of_nodes).get(candidate)
            if newest is None or candidate == node:
                continue
            word, message, earlier = newest
            if word == believed and word != earlier:
                without.setdefault(message, {})[candidate] = earlier
        return choice.changed_by(without)

    def _read(self) -> None:
        for message in self._unread:
            number = identity(MESSAGE, message.source, message.number)
            try:
                for about, (load, stated_ns) in _words_in(message.content):
                    known = self._of_groups if about == "group" else self._of_nodes
                    of = message.source if about is None or about == "group" else about
                    self._learn(known, of, (load, stated_ns), number)
            except (TypeError, ValueError):
                raise not_words(type(message.content).__name__) from None
        self._unread.clear()

    @staticmethod
    def _learn(known: dict[int, _Newest], about: int, word: _Word, message: int) -> None:
        """Of words stated at the same time, the one that comes last counts as newest."""
        before = known.get(about)
        if before is None:
            known[about] = word, message, None
            return
        newest, brought_by, earlier = before
        if word == newest == earlier or (earlier is not None and word[1] < earlier[1]):
            return
        if word[1] >= newest[1]:
            earlier = earlier if message == brought_by else newest
            known[about] = word, message, earlier
        elif message != brought_by:
            known[about] = newest, brought_by, word


def _words_in(content: Any) -> Iterable[tuple[Any, Any]]:
    """What a message states: as its class has it, which may be anything, and not as written.

    A word that is None, as no words at all, states nothing.
    """
    own = [(None, content.word)] if "word" in content.shown_fields and content.word else []
    return [*own, *(content.words or ())]
