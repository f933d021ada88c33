"""What a person did wrong, and what went wrong in a run."""


class InputError(ValueError):
    """A person's mistake: one line that says what is wrong and what would be right."""


class Stalled(RuntimeError):
    """Work remains and nothing is scheduled that could finish it; says which jobs wait for what."""
