"""The dashboard of `run.py watch`: a cluster that runs in a web page, with Mesa's SolaraViz.

watched (the cluster, that steps from happening to happening and remembers what a page shows) ·
pictures (what is drawn of it, as plain data) · page (the components; *.vue is for the browser) ·
app (what the server loads) · server.
"""
