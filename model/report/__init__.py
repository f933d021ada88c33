"""A comparison as one HTML page, for whoever has not seen it run: `run.py compare --report`.

`page.py` makes it from the template `page.html`; `measures.py` has its tables and sentences,
`reproduction.py` says how to get it again.
"""
