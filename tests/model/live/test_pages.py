"""Pages are bytes: whatever leaves RAM comes back as it left, whoever had it meanwhile."""

import os
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.live.pages import LentPages, Pages

PAGE = 64


def process(pages=8, outside=3):
    made = Pages(PAGE, job=7, rank=1)
    made.hold(pages * PAGE, outside * PAGE)
    return made


def fault_at(lender, process, number, keeps=10**6):
    """One page fault over the network, at a lender that lends so many bytes."""
    exchange = process.exchange(number, lender=3)
    owner = (0, 7, 1)
    page = lender.give(owner, exchange.wanted)
    if exchange.evicted >= 0:
        lender.keep(owner, exchange.evicted, exchange.page)
    lender.keep_within(keeps)
    process.comes_back(page)


def test_what_may_not_be_in_ram_is_not():
    made = process(pages=8, outside=3)
    assert len(made.in_ram) == 5
    made.hold(8 * PAGE, 8 * PAGE)
    assert len(made.in_ram) == 0
    made.read_one()
    assert (len(made.in_ram), made.checked) == (1, 1)


def test_a_lender_first_has_nothing_and_then_what_was_brought():
    made, lender = process(), LentPages(PAGE)
    fault_at(lender, made, 1)
    assert (made.from_copy, len(lender.kept)) == (1, 1)  # its page was on the disk alone
    fault_at(lender, made, 2)  # it asks for the one that it has brought
    assert (made.from_copy, made.checked - made.from_copy) == (1, 1)


def test_a_request_that_is_sent_again_brings_and_wants_the_same():
    made = process()
    assert made.exchange(1, 3) == made.exchange(1, 3)
    assert made.exchange(1, 3) != made.exchange(2, 3)


def test_other_bytes_on_the_disk_are_seen():
    made = process()
    for page in range(8):
        os.pwrite(made._file.fileno(), b"?", page * PAGE + 9)
    with pytest.raises(RuntimeError, match=r"page \d of job 7, rank 1: the disk gives other"):
        made.read_one()


def test_other_bytes_of_a_lender_are_not_taken():
    made = process()
    made.exchange(1, 3)
    made.comes_back(b"?" * PAGE)
    assert made.from_copy == 1


def test_the_file_has_no_name(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert len(process(outside=3).in_ram) == 5
    assert not list(tmp_path.iterdir())


steps = st.lists(
    st.one_of(
        st.tuples(st.just("network"), st.integers(0, 6)),
        st.tuples(st.just("disk"), st.just(0)),
        st.tuples(st.just("outside"), st.integers(0, 8)),
        st.tuples(st.just("gone"), st.just(0)),
    ),
    max_size=40,
)


@settings(deadline=None, max_examples=60)
@given(steps)
def test_whatever_happens_ram_holds_what_it_may_and_all_bytes_are_right(taken):
    """Each content that comes back is compared inside; a wrong one from the disk would raise."""
    made, lender, outside = process(), LentPages(PAGE), 3
    for number, (what, value) in enumerate(taken):
        if what == "network" and outside:
            if made.exchange(number, 3) is not None:
                fault_at(lender, made, number, keeps=value * PAGE)
                assert len(lender.kept) <= value
        elif what == "disk" and outside:
            made.read_one()
        elif what == "outside":
            outside = value
        else:
            made.lender_gone(3)
        made.hold(8 * PAGE, outside * PAGE)
        assert len(made.in_ram) <= (8 - outside)
