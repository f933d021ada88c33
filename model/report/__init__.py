"""A comparison as one HTML page, for whoever has not seen it run: `run.py compare --report`.

`page.py` makes it from the template `page.html`; `measures.py` has its tables and sentences,
`designs.py` and `policies.py` draw the figures of a comparison with the bars of `figures.py`,
`reproduction.py` says how to get the page again.
"""
