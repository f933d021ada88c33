"""Records as tables: comma-separated text, and Parquet files that can be viewed again."""

import json
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from model.core.journal import kinds
from model.core.journal.file import SCHEMA, metadata_of
from model.views.caption import selected
from model.views.recording import Recording, Selection

#: What is left out of a part: a view needs all other records to tell whose memory is where, which
#: job runs, and what managers believed.
_LEFT_OUT = (
    *(kinds.Sent, kinds.Hop, kinds.Delivered, kinds.Lost, kinds.Timer),
    *(kinds.Disk, kinds.Fault, kinds.Io, kinds.Barrier, kinds.Passed),
)


def csv(recording: Recording, selection: Selection, path: Path) -> None:
    """Write records as comma-separated text; fields that a kind does not have are empty."""
    selection.of(recording).to_csv(path, index=False)


def parquet(recordings: Sequence[Recording], selection: Selection, path: Path) -> None:
    """Write a journal of these runs, or a part of one, which can be viewed as the whole can.

    Beside the selected records a part has all of the selected messages, and the scheduling,
    loans, decisions and failures of the whole run: without them a picture would show memory and
    jobs that were not.
    """
    parts = [(recording, part_of(recording, selection)) for recording in recordings]
    first = recordings[0]
    managers = {one.design: one.managers for one in recordings}
    metadata = metadata_of(first.scenario.model_dump_json(), managers, first.own_network)
    metadata["part"] = json.dumps([*first.part, *selected(first, selection)])
    with pq.ParquetWriter(path, SCHEMA.with_metadata(metadata), compression="zstd") as writer:
        for recording, records in parts:
            records = records.astype({"payload": "string"})
            table = pa.Table.from_pandas(records.assign(design=recording.design))
            table = table.select(SCHEMA.names).replace_schema_metadata(None)
            writer.write_table(table.cast(SCHEMA).replace_schema_metadata(metadata))


def part_of(recording: Recording, selection: Selection) -> pd.DataFrame:
    """The records of a part, in the order of the whole; raises InputError if it is empty."""
    records = recording.records
    chosen = selection.of(recording)
    of_messages = records["id"].isin(chosen.loc[chosen["what"].notna(), "id"])
    context = ~records["kind"].isin([kind.name for kind in _LEFT_OUT])
    return records[records.index.isin(chosen.index) | of_messages | context]
