"""The pages of processes: real bytes in RAM, at lenders and in a file on the disk.

A page that is not in RAM is always in a file of its process, in its newest version; a lender has a
copy, which is what a fault over the network brings back (as in Infiniswap, NSDI 2017, whose pages
go to the disk in the background). So no loan that ends, and no lender that dies, loses a byte.

Each page says which it is, of which job, and its version, over and over; what comes back is
compared with that, byte for byte.
"""

import os
import struct
import tempfile
from collections import OrderedDict
from typing import NamedTuple

_LABEL = struct.Struct(">qqqq")  # job, rank, page, version


class Exchange(NamedTuple):
    """What a page request brings to a lender, and what it is to bring back."""

    wanted: int
    evicted: int  # -1: no page goes
    page: bytes  # the evicted one


class Pages:
    """The pages of one process, of which so many bytes may be out of RAM at a time.

    `checked` counts the pages that came back as they left, `from_copy` those that no lender had as
    they left, so that the file had to help out. Raises RuntimeError if the file has other bytes.
    """

    def __init__(self, page: int, job: int, rank: int) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process; no name
        self._page = page
        self._job, self._rank = job, rank
        self._versions: list[int] = []
        self.in_ram: OrderedDict[int, bytes] = OrderedDict()  # the oldest first
        self._outside: dict[int, int | None] = {}  # pages out of RAM -> the lender that has each
        self._exchange: tuple[int, Exchange] | None = None  # the request's number, and what it is
        self.checked = self.from_copy = 0

    def hold(self, size: int, outside: int) -> None:
        """Consist of `size` bytes, of which `outside` may be out of RAM."""
        count = -(-size // self._page)
        room = count - outside // self._page
        for page in range(len(self._versions), count):
            self._versions.append(0)
            self.in_ram[page] = self._content(page)
            if len(self.in_ram) > room:
                self._evict()
        for page in range(count, len(self._versions)):
            self.in_ram.pop(page, None)
            self._outside.pop(page, None)
        del self._versions[count:]
        while self.in_ram and len(self.in_ram) > room:
            self._evict()

    def exchange(self, number: int, lender: int) -> Exchange | None:
        """What the page request of this number brings to a lender and wants from it.

        None if all pages are in RAM. A request that is sent again brings and wants the same.
        """
        if self._exchange is None or self._exchange[0] != number:
            if not self._outside:
                return None
            there = (page for page, of in self._outside.items() if of == lender)
            wanted = next(there, next(iter(self._outside)))
            evicted, content = self._evict(lender) if self.in_ram else (-1, b"")
            self._exchange = number, Exchange(wanted, evicted, content)
        return self._exchange[1]

    def comes_back(self, content: bytes) -> None:
        """Take the page that the last exchange wanted; b"": the lender does not have it."""
        wanted = self._last_wanted()
        if wanted is None:
            return
        if content == self._content(wanted):
            self.checked += 1
            self._touch(wanted)
        else:
            self.from_copy += 1
            self._read(wanted)

    def read_one(self) -> None:
        """Take from the file the page that the last exchange wanted, or one that no lender has."""
        wanted = self._last_wanted()
        if wanted is None and self._outside:
            alone = (page for page, lender in self._outside.items() if lender is None)
            wanted = next(alone, next(iter(self._outside)))
            if self.in_ram:
                self._evict()
        if wanted is not None:
            self._read(wanted)

    def lender_gone(self, lender: int) -> None:
        """A lender has none of them any more."""
        for page, of in self._outside.items():
            if of == lender:
                self._outside[page] = None

    def free(self) -> None:
        self._file.close()

    def _last_wanted(self) -> int | None:
        exchange, self._exchange = self._exchange, None
        if exchange is None or exchange[1].wanted not in self._outside:
            return None
        return exchange[1].wanted

    def _read(self, page: int) -> None:
        if os.pread(self._file.fileno(), self._page, page * self._page) != self._content(page):
            name = f"page {page} of job {self._job}, rank {self._rank}"
            raise RuntimeError(f"{name}: the disk gives other bytes than were written")
        self.checked += 1
        self._touch(page)

    def _touch(self, page: int) -> None:
        """Have a page in RAM again, and write on it."""
        del self._outside[page]
        self._versions[page] += 1
        self.in_ram[page] = self._content(page)

    def _evict(self, lender: int | None = None) -> tuple[int, bytes]:
        page, content = self.in_ram.popitem(last=False)
        self._outside[page] = lender
        os.pwrite(self._file.fileno(), content, page * self._page)
        return page, content

    def _content(self, page: int) -> bytes:
        label = _LABEL.pack(self._job, self._rank, page, self._versions[page])
        return (label * (self._page // len(label) + 1))[: self._page]


Owner = tuple[int, int, int]  # node, job, rank


class LentPages:
    """The pages of other nodes that this one keeps, as many as it lends; the oldest go first."""

    def __init__(self, page: int) -> None:
        self._page = page
        self.kept: OrderedDict[tuple[Owner, int], bytes] = OrderedDict()

    def keep(self, owner: Owner, page: int, content: bytes) -> None:
        self.kept.pop((owner, page), None)
        self.kept[owner, page] = content

    def give(self, owner: Owner, page: int) -> bytes:
        """A page, which its owner has from then on; b"" if it is not here any more."""
        return self.kept.pop((owner, page), b"")

    def forget_node(self, node: int) -> None:
        for owner, page in [*self.kept]:
            if owner[0] == node:
                del self.kept[owner, page]

    def keep_within(self, lent: int) -> None:
        while len(self.kept) * self._page > lent:
            self.kept.popitem(last=False)
