"""A comparison as one HTML page, for readers who have not seen it run: `run.py compare --report`.

`page.py` makes it from the templates `page.html` and `sentences.jinja`, which has its sentences
about designs and runs; `measures.py` has the measures of its tables;
`designs.py` and `policies.py` draw the figures of a comparison with the bars of `figures.py`;
`predictions.py` is a page of another kind: what was predicted of live runs, and measured.
`reproduction.py` has how to make the page again.
"""
