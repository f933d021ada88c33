"""All benchmarks, each as a ratio within one run: `uv run python -m tests.benchmarks`."""

from tests.benchmarks import events, explore, page_round_trips

page_round_trips.main()
print()
events.main()
print()
explore.main()
