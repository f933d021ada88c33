"""The interactive page: a journal in one HTML file that needs no server and no network.

It answers who talks to whom, where messages wait, who is short of memory, what a manager believed,
what led to what, and where two designs part, at any scale from the whole run to a nanosecond.

- `packing.py` turns whole numbers and texts into few bytes, which the browser unpacks;
- `layout.py` says where nodes and links stand in the picture of a network;
- `tables.py` makes the tables of a run from its journal, as it is read, with `contents.py` for
  what messages carry; `opening.py` finds what the page opens on; `html.py` writes all of it, and
  all below, into one file.

The rest runs in the browser, without a build: `page.html` and `page.css`; `app.js`, which holds the
state and draws; `records.js` (the tables, and chains of causes), `axis.js` (time, linear or paced
by events), `nodes.js` (which nodes have a row), `overview.js` (the whole run and the window's
times), `lanes.js` (what all lanes share) and a file for each lane (`network.js`, `space_time.js`
with `fans.js`, `stations.js`, `memory.js`, `gantt.js`, `levels.js`, `rates.js`,
`events.js`), `moment.js` and `log.js` (the moment that the network shows, and what led to it),
`filters.js` (filters and search), `story.js` (what the page opens on, and where two runs diverge),
`panel.js` (what is selected), `live.js` (a run that goes on, over a WebSocket),
`words.js` (records for people), `address.js`. Scales, zoom and brush are D3's, whose minified file
and licence are in `vendor/` as the npm package d3 7.9.2 has them.
"""
