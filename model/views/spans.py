"""Spans of time for people, each in the unit in which it is best read."""

_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))


def unit_of(span_ns: float, at_least: float = 1) -> tuple[int, str]:
    """The largest unit, in ns and by name, of which the span has `at_least` so many, or else ns."""
    return next((unit for unit in _UNITS if span_ns >= at_least * unit[0]), _UNITS[-1])


def in_words(span_ns: float, digits: int = 4) -> str:
    """A span with so many digits and its unit, never with a power of ten; 0 is so many seconds."""
    unit_ns, unit = unit_of(abs(span_ns)) if span_ns else _UNITS[0]
    amount = span_ns / unit_ns
    return f"{amount:,.0f} {unit}" if abs(amount) >= 10**digits else f"{amount:,.{digits}g} {unit}"
