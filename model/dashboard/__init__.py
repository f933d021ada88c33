"""The dashboard of `run.py watch`: a cluster that runs in a web page, made with Mesa's SolaraViz.

- `watched.py`: the cluster, which steps from event to event and remembers what is shown;
- `pictures.py`: what is drawn of it, as plain data;
- `page.py`: the components of the page; the `.vue` files are for the browser;
- `app.py`: what Solara's server loads;
- `server.py`: the server, and `guard.py`, which lets only this page talk to it.
"""
