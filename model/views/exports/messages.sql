-- Which messages of a trace were wasted, for Perfetto: paste this into the query page of
-- ui.perfetto.dev, or give it to trace_processor, and ask, for example,
--   SELECT design, use, kind, COUNT(*) FROM messages GROUP BY design, use, kind;
--   SELECT * FROM wasted_messages ORDER BY ts;
-- Messages of a node to itself are left out. The classes of use: model/pnr/waste.py.

CREATE VIEW run_of_track AS
WITH RECURSIVE tree(id, design) AS (
    SELECT id, name FROM track WHERE parent_id IS NULL
    UNION ALL
    SELECT track.id, tree.design FROM track JOIN tree ON track.parent_id = tree.id
)
SELECT id, design FROM tree;

CREATE VIEW messages AS
SELECT
    slice.id,
    slice.ts,
    run_of_track.design,
    REPLACE(slice.name, 'sent ', '') AS kind,
    EXTRACT_ARG(slice.arg_set_id, 'debug.node') AS sender,
    EXTRACT_ARG(slice.arg_set_id, 'debug.peer') AS receiver,
    EXTRACT_ARG(slice.arg_set_id, 'debug.job') AS job,
    EXTRACT_ARG(slice.arg_set_id, 'debug.size_bytes') AS size_bytes,
    EXTRACT_ARG(slice.arg_set_id, 'debug.amount_bytes') AS amount_bytes,
    EXTRACT_ARG(slice.arg_set_id, 'debug.use') AS use
FROM slice
JOIN run_of_track ON run_of_track.id = slice.track_id
WHERE slice.category = 'message' AND slice.name LIKE 'sent %'
  AND EXTRACT_ARG(slice.arg_set_id, 'debug.node') != EXTRACT_ARG(slice.arg_set_id, 'debug.peer');

CREATE VIEW wasted_messages AS
SELECT * FROM messages
WHERE use IN ('refused', 'unused', 'outdated');
