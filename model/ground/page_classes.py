"""Classes of pages, by how much their process had loaded, how many waited, and what they cost.

Both data planes call these functions; `model/core/jit.py` lets compiled code call them, too.
"""

LOADED_CLASSES, WAITING_CLASSES, COST_CLASSES = 24, 64, 192
COST_UNIT_NS = 10_000


def digits(number: int) -> int:
    """How many binary digits a number has."""
    count = 0
    while number:
        number >>= 1
        count += 1
    return count


def fine_class(number: int) -> int:
    """The class of a number: below 16 the number, then eight classes for each doubling."""
    octave = max(0, digits(number) - 4)
    return 8 * octave + (number >> octave)


def least_in(fine: int) -> int:
    """The least number of such a class."""
    octave = max(0, fine // 8 - 1)
    return (fine - 8 * octave) << octave


def loaded_class(loaded: int, page: int) -> int:
    """Of a process that has loaded so many bytes: 0, then one class for each doubling of pages."""
    return min(digits(loaded // page), LOADED_CLASSES - 1)


def waiting_class(waiting: int) -> int:
    """Of a page for which so many processes wait, its own included, at the time of its fault."""
    return min(fine_class(waiting), WAITING_CLASSES - 1)


def cost_class(cost_ns: int) -> int:
    return min(fine_class(cost_ns // COST_UNIT_NS), COST_CLASSES - 1)
