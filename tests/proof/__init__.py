"""The proof that a change loses nothing: `python -m tests.proof --help`."""
