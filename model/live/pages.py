"""The pages of processes: real bytes in RAM, at lenders and in a file on the disk.

A page that is not in RAM is always in the node's file, in its newest version; a lender has a copy
of it, which is what a fault over the network brings back (as in Infiniswap, NSDI 2017, whose pages
go to the disk in the background). So no loan that ends, and no lender that dies, loses a byte.

Each page says which it is, of which job, and its version, over and over; what comes back is
compared with that, byte for byte.
"""

import os
import struct
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_LABEL = struct.Struct(">qqqq")  # job, rank, page, version
_PACKED = 2**22  # bytes of pages that travel at a time


class Exchange(NamedTuple):
    """What a page request brings to a lender, and what it is to bring back."""

    wanted: int
    evicted: int  # -1: no page goes
    page: bytes  # the evicted one
    forget: list[int]  # pages that the lender had, and that are in RAM again


class WrongPageError(RuntimeError):
    """A page came back from the disk with other bytes than it left with."""


class PageFile:
    """A file on the disk for the pages of one node; it has no name, so it ends with its process."""

    def __init__(self, folder: Path, page: int) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  # as long as the node
        self._page = page
        self._slots = 0
        self._free: list[int] = []

    def write(self, slot: int | None, content: bytes) -> int:
        """Keep a page, in this slot or in a new one; returns the slot."""
        if slot is None:
            slot = self._free.pop() if self._free else self._slots
            self._slots = max(self._slots, slot + 1)
        os.pwrite(self._file.fileno(), content, slot * self._page)
        return slot

    def read(self, slot: int) -> bytes:
        """The page in a slot."""
        return os.pread(self._file.fileno(), self._page, slot * self._page)

    def free(self, slots: list[int]) -> None:
        """Use slots for other pages."""
        self._free += slots


class Pages:
    """The pages of one process, of which so many bytes may be out of RAM at a time.

    `checked` counts the pages that came back as they left, `from_copy` those that no lender had as
    they left, so that the file had to help out.
    """

    def __init__(self, file: PageFile, page: int, job: int, rank: int) -> None:
        self._file = file
        self._page = page
        self._job, self._rank = job, rank
        self._versions: list[int] = []
        self._in_ram: OrderedDict[int, bytes] = OrderedDict()  # the oldest first
        self._slots: dict[int, int] = {}  # in the file, of pages that are out of RAM
        self._lenders: dict[int, int] = {}  # of pages that are out of RAM
        self._forgotten: dict[int, list[int]] = {}  # by lender: pages that are in RAM again
        self._exchange: tuple[int, Exchange] | None = None  # the request's number, and what it is
        self.checked = self.from_copy = 0

    @property
    def in_ram(self) -> int:
        """The bytes in RAM."""
        return len(self._in_ram) * self._page

    def hold(self, size: int, outside: int) -> None:
        """Consist of `size` bytes, of which `outside` may be out of RAM."""
        count = -(-size // self._page)
        room = count - outside // self._page
        for page in range(len(self._versions), count):
            self._versions.append(0)
            self._in_ram[page] = self._content(page)
            if len(self._in_ram) > room:
                self._evict()
        for page in range(count, len(self._versions)):
            self._in_ram.pop(page, None)
            self._lenders.pop(page, None)
            if page in self._slots:
                self._file.free([self._slots.pop(page)])
        del self._versions[count:]
        while self._in_ram and len(self._in_ram) > room:
            self._evict()

    def exchange(self, number: int, lender: int) -> Exchange | None:
        """What the page request of this number brings to a lender and wants from it.

        None if all pages are in RAM.
        """
        if self._exchange is None or self._exchange[0] != number:
            if not self._slots:
                return None
            has = (page for page in self._slots if self._lenders.get(page) == lender)
            wanted = next(has, next(iter(self._slots)))
            evicted, content = self._evict() if self._in_ram else (-1, b"")
            if evicted >= 0:
                self._lenders[evicted] = lender
            exchange = Exchange(wanted, evicted, content, self._forgotten.pop(lender, []))
            self._exchange = number, exchange
        return self._exchange[1]

    def comes_back(self, content: bytes) -> None:
        """Take the page that the last exchange wanted; b"": the lender does not have it."""
        exchange, self._exchange = self._exchange, None
        if exchange is None or exchange[1].wanted not in self._slots:
            return
        wanted = exchange[1].wanted
        if content == self._content(wanted):
            self.checked += 1
            self._touch(wanted)
        else:
            self.from_copy += 1
            self._read(wanted)

    def read_one(self) -> None:
        """Take a page from the file: the one that the last exchange wanted, or that no lender has.

        Raises WrongPageError.
        """
        exchange, self._exchange = self._exchange, None
        if exchange is not None and exchange[1].wanted in self._slots:
            self._read(exchange[1].wanted)
            return
        if not self._slots:
            return
        alone = (page for page in self._slots if page not in self._lenders)
        wanted = next(alone, next(iter(self._slots)))
        if self._in_ram:
            self._evict()
        self._read(wanted)

    def lender_gone(self, lender: int) -> None:
        """A lender has none of them any more."""
        self._forgotten.pop(lender, None)
        self._lenders = {page: of for page, of in self._lenders.items() if of != lender}

    def packed(self) -> Iterator[tuple[int, list[int], list[bytes]]]:
        """All pages, some at a time: the first one's number, their versions, and what they are."""
        at_a_time = max(1, _PACKED // self._page)
        for first in range(0, len(self._versions), at_a_time):
            pages = range(first, min(first + at_a_time, len(self._versions)))
            contents = [
                self._in_ram[page] if page in self._in_ram else self._file.read(self._slots[page])
                for page in pages
            ]
            yield first, self._versions[first : pages.stop], contents

    def unpack(self, first: int, versions: list[int], contents: list[bytes]) -> None:
        """Be the pages that have come from another node. Raises WrongPageError."""
        if not 0 <= first <= first + len(versions) <= len(self._versions):
            last = first + len(versions) - 1
            which = f"pages {first} to {last} of job {self._job}, rank {self._rank}"
            raise WrongPageError(f"another node gives {which}, which has no such pages")
        for page, version, content in zip(range(first, 2**62), versions, contents, strict=False):
            self._versions[page] = version
            self._check(page, content, "another node")
            if page in self._in_ram:
                self._in_ram[page] = content
            else:
                self._file.write(self._slots[page], content)

    def free(self) -> None:
        """Be no more."""
        self._file.free([*self._slots.values()])
        self._slots.clear()
        self._in_ram.clear()

    def _read(self, page: int) -> None:
        content = self._file.read(self._slots[page])
        self._check(page, content, "the disk")
        self._touch(page)

    def _check(self, page: int, content: bytes, origin: str) -> None:
        if content != self._content(page):
            name = f"page {page} of job {self._job}, rank {self._rank}"
            raise WrongPageError(f"{name}: {origin} gives other bytes than were written")
        self.checked += 1

    def _touch(self, page: int) -> None:
        """Have a page in RAM again, and write on it."""
        self._file.free([self._slots.pop(page)])
        lender = self._lenders.pop(page, None)
        if lender is not None:
            self._forgotten.setdefault(lender, []).append(page)
        self._versions[page] += 1
        self._in_ram[page] = self._content(page)

    def _evict(self) -> tuple[int, bytes]:
        page, content = self._in_ram.popitem(last=False)
        self._slots[page] = self._file.write(None, content)
        return page, content

    def _content(self, page: int) -> bytes:
        label = _LABEL.pack(self._job, self._rank, page, self._versions[page])
        return (label * (self._page // len(label) + 1))[: self._page]


Owner = tuple[int, int, int]  # node, job, rank


class LentPages:
    """The pages of other nodes that this one keeps, as many as it lends; the oldest go first."""

    def __init__(self, page: int) -> None:
        self._page = page
        self._kept: OrderedDict[tuple[Owner, int], bytes] = OrderedDict()

    @property
    def in_ram(self) -> int:
        """The bytes in RAM."""
        return len(self._kept) * self._page

    def keep(self, owner: Owner, page: int, content: bytes) -> None:
        """Keep a page."""
        self._kept.pop((owner, page), None)
        self._kept[owner, page] = content

    def give(self, owner: Owner, page: int) -> bytes:
        """A page; b"" if it is not here any more."""
        return self._kept.get((owner, page), b"")

    def forget(self, owner: Owner, pages: list[int]) -> None:
        """Keep some pages no longer."""
        for page in pages:
            self._kept.pop((owner, page), None)

    def forget_node(self, node: int) -> None:
        """Keep no pages of a node that is gone."""
        for owner, page in [*self._kept]:
            if owner[0] == node:
                del self._kept[owner, page]

    def keep_within(self, lent: int) -> None:
        """Keep no more than this node lends."""
        while len(self._kept) * self._page > lent:
            self._kept.popitem(last=False)
