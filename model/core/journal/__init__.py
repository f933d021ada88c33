"""The journal: one stream of records, the truth about what happened.

Records are in the order of events (time, class, receiver, sender, number: see `clock.py`), and
within an event in the order of the code. Ids come from content, such as the sender and number of a
message, so that another data plane can write the same journal. The records of one message (its
sending, hops and delivery) share its id; `cause` is the id of what made it happen.

Read `kinds.py` (what a record is), `writer.py` (how agents report it), `file.py` (Parquet).
"""
