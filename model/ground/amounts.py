"""Amounts of memory are whole bytes; loads alone, RAM less demand, may be negative."""

import operator

from model.ground.errors import shown

#: What a node lends or borrows, or a message is about: no node has more RAM, and sums of thousands
#: of them fit into 64 bits.
MOST_BYTES = 2**51


def amount_mistake(amount: object, least: int = 0) -> str | None:
    """Why this cannot be so many bytes, or None; whole numbers of NumPy's can."""
    if type(amount) is int and least <= amount <= MOST_BYTES:
        return None  # as most are
    try:
        whole = operator.index(amount)  # type: ignore[arg-type]  # whatever it is
    except Exception:  # of an object of a user's own, anything
        whole = least - 1
    if isinstance(amount, bool) or not least <= whole <= MOST_BYTES:
        right = f"give a whole number from {least} to {MOST_BYTES} (// divides into whole bytes)"
        return f"{shown(amount)} bytes; {right}"
    return None
