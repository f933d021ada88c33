"""A state graph to walk in: at each state the steps that are possible, and what each leads to.

It answers: what can happen now, what does it change, and from which step on is the run doomed?
Unlike the other views it has no journal: it shows the states of `model/pnr/explore`.

- `plain.py` puts what roles keep and messages say into words;
- `scenes.py` makes of each state a scene, whose parts stand once in tables; `html.py` writes those
  of an atlas, or those along a way for a server, and all below into one page.

The rest runs in the browser, without a build: `walked.html` and `walked.css` (after
`page/page.css`, which it shares with the page of a journal); `app.js` (the way, which is the
address; buttons and keys), `source.js` (scenes, from the page or its server), `story.js` (what
became of each message, and what doomed the run), `picture.js` (the way in space and time),
`cards.js` (nodes, and what is under way), `elements.js`.
"""
