"""What our model foretells of setups that others have published and measured; nothing looked up.

Read `infiniswap.py` and `segments.py` (the setups, with the very roles of the designs, on a bench
without time or in an emulation), then `page.py`, which writes and seals the page, `foretold.md`:

    uv run python -m model.papers.foretold.page
"""
