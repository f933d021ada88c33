"""The journal: one stream of records, the truth about what happened, and what it means.

Records are in the order of events (time, class, receiver, sender, number: see `clock.py`), and
within an event in the order of the code. Ids come from content, such as the sender and number of a
message, so that another data plane can write the same journal. The records of one message (its
sending, hops and delivery) share its id; `cause` is the id of what made it happen.

Read in this order:

- `kinds.py`: what a record is, and one class for each kind: fields, effect, sentence;
- `writer.py`: how agents report what happens; `queues.py`: where messages wait;
- `file.py`: Parquet, and its records one by one; `check.py`: whether a run can have written it;
- `past.py`: `Past`, the cluster after any record;
- `hearing.py`: which messages changed a choice, asked of the role while it lives;
- `monitors.py`: rules of a user's own, which see the records of a run;
- `over_time.py`: quantities as arrays and states as spans;
- `words.py`: records, amounts and times for people.

A view interprets no record itself. It reads through these:

    past = Past(scenario.nodes)
    for record in rows(recording.records):  # or of a run that goes on: readers=(past.read,)
        past.read(record)
        past.jobs[7].state, past.nodes[3].parts(ram).on_disk, past.nodes[3].down
        past.under_way, past.decisions[3, "manager"].candidates, past.heard_by(3, "manager")
    held = memory(recording.records, nodes).parts(ram)  # arrays, nodes x times
    spans_of_jobs(recording.records, nodes)  # who was what, where and from when to when
    outages(recording.records, nodes)
    print(words.time(record.time_ns), words.sentence(record))
"""
