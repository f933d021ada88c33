"""What a role has heard, and which messages changed its choice: it is asked again without them."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from model.core.journal.kinds import Record
from model.core.journal.past import words_in

_Word = tuple[int, int]  # a load in bytes, and when it was stated
#: So many messages may wait to be read until the role decides.
_MOST_UNREAD = 1000


class Choice(Protocol):
    """A choice as a role explains it: `Decided` in `agents/pnr/role.py`."""

    @property
    def chosen(self) -> int | None:
        """The candidate that was chosen, or none."""

    @property
    def believed(self) -> tuple[tuple[int, _Word | None], ...]:
        """What the role believes of each candidate."""

    @property
    def groups(self) -> Mapping[int, object]:
        """By candidate, the nodes for which it stands."""

    @property
    def again(self) -> object:
        """How the role can be asked again, or None."""

    def without(self, words: Mapping[int, _Word | None]) -> int | None:
        """Whom it would have chosen, had it believed this of these candidates."""


class _Newest(NamedTuple):
    """The newest word about a node or group, and the newest that another message brought."""

    word: _Word
    message: int  # its id
    earlier: _Word | None


class Hearing:
    """The words that a role has been sent since its servent started."""

    def __init__(self) -> None:
        self._unread: list[Record] = []
        self._newest: dict[tuple[int, bool], _Newest] = {}  # by node, or leader, and if of a group

    def hears(self, sent: Record) -> None:
        """A message with words has been delivered."""
        self._unread.append(sent)
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
        without: dict[int, dict[int, _Word | None]] = {}  # by message, what it would believe
        for candidate, believed in choice.believed:
            newest = self._newest.get((candidate, candidate in choice.groups))
            if newest is None or candidate == node or newest.word != believed:
                continue
            if newest.earlier != newest.word:
                without.setdefault(newest.message, {})[candidate] = newest.earlier
        return [it for it, words in without.items() if choice.without(words) != choice.chosen]

    def _read(self) -> None:
        for sent in self._unread:
            for about, group, *stated in words_in(sent):
                self._learn((about, group), (stated[0], stated[1]), sent.id)
        self._unread.clear()

    def _learn(self, about: tuple[int, bool], word: _Word, message: int) -> None:
        """Of words stated at the same time, the one that comes last counts as newest."""
        known = self._newest.get(about)
        if known is None:
            self._newest[about] = _Newest(word, message, None)
            return
        newest, brought_by, earlier = known
        if word == newest == earlier or (earlier is not None and word[1] < earlier[1]):
            return
        if word[1] >= newest[1]:
            earlier = earlier if message == brought_by else newest
            self._newest[about] = _Newest(word, message, earlier)
        elif message != brought_by:
            self._newest[about] = _Newest(newest, brought_by, word)
