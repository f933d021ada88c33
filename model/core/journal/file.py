"""A journal as a Parquet file, and its records as a table."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, get_args, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from model.core.files import Output, writing
from model.core.journal.kinds import Record
from model.ground.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_CHUNK = 65_536  # records held before they are written, or as Python's own


def _type_of(hint: object) -> pa.DataType:
    """The type of a column, by the annotation of its field in `Record`."""
    parts = [hint, *get_args(hint)]
    if any("dictionary" in getattr(part, "__metadata__", ()) for part in parts):
        return pa.dictionary(pa.int32(), pa.string())
    return pa.string() if str in parts else pa.int64()


SCHEMA = pa.schema(
    [
        pa.field("design", pa.dictionary(pa.int32(), pa.string())),
        *(
            pa.field(name, _type_of(hint))
            for name, hint in get_type_hints(Record, include_extras=True).items()
        ),
    ]
)


def metadata_of(
    scenario: str, managers: Mapping[str, Sequence[int]], network: str | None
) -> dict[str, str]:
    """What the file holds beside the records, so that who looks at it runs no code that it names.

    Which nodes manage, by the name of each run's design; and the network (`topology.as_text`), if a
    file of the user's has made it.
    """
    named = json.dumps(dict(managers), separators=(",", ":"))
    metadata = {"scenario": scenario, "managers": named}
    return metadata if network is None else metadata | {"network": network}


def rows(records: "pd.DataFrame") -> Iterator[Record]:
    """The records of a table one by one; what is missing in one is None."""
    for first in range(0, len(records), _CHUNK):
        some = records.iloc[first : first + _CHUNK]
        columns = [_plain(some[name]) for name in Record._fields]
        yield from map(Record._make, zip(*columns, strict=True))


def _plain(column: "pd.Series") -> list[object]:
    """A column's values as Python's own; what is missing is None."""
    kind = "Int64" if column.dtype.kind == "f" else object  # float: whole ones, if some are missing
    plain: list[object] = column.astype(kind).to_numpy(object, na_value=None).tolist()
    return plain


class JournalFile:
    """A Parquet file of the journals of one or several runs; `of` makes the reader of each.

    It is written in chunks, and put in its place when it is closed without an error. If it cannot
    be written, nothing is left of it, and InputError has the reason.
    """

    def __init__(
        self,
        path: Path,
        scenario: str,
        managers: Mapping[str, Sequence[int]] | None = None,
        network: str | None = None,
    ) -> None:
        self.path = path
        schema = SCHEMA.with_metadata(metadata_of(scenario, managers or {}, network))
        self._records: list[Record] = []
        self._design = ""
        self._groups: list[str] = []  # the design of each group of rows that is written
        with writing("--journal", path):
            self._output = Output(path)
        with self._writing():
            self._writer = pq.ParquetWriter(self._output.unfinished, schema, compression="zstd")

    def of(self, design: str) -> Callable[[Record], None]:
        """The reader that notes the records of a run of this design."""
        self._flush()
        self._design = design
        return self._note

    def append(self, part: Path, design: str) -> None:
        """Add the records of a run of this design, which stand in another such file."""
        self._flush()
        with pq.ParquetFile(part) as groups, self._writing():
            for number in range(groups.num_row_groups):
                self._writer.write_table(groups.read_row_group(number))
                self._groups.append(design)

    def close(self) -> None:
        """Put the file into its place: all runs are complete."""
        self._flush()
        with self._writing():
            self._writer.close()
            self._output.put_in_place()
        self._output.discard()

    def close_with(self, designs: Collection[str]) -> None:
        """Put the file into its place with the runs of these designs alone; without any, none."""
        try:
            if designs and self._output.unfinished.exists():  # else it could not be written
                with self._writing():
                    self._keep_only(designs)
                    self._output.put_in_place()
        finally:
            self.discard()

    def _keep_only(self, designs: Collection[str]) -> None:
        self._flush()
        self._writer.close()
        unfinished = self._output.unfinished
        everything = unfinished.rename(unfinished.with_name("everything"))
        with (
            pq.ParquetFile(everything) as groups,
            pq.ParquetWriter(unfinished, self._writer.schema, compression="zstd") as writer,
        ):
            for number, design in enumerate(self._groups):
                if design in designs:
                    writer.write_table(groups.read_row_group(number))
        everything.unlink()

    def discard(self) -> None:
        """Leave nothing behind: no run has ended, or the file cannot be written."""
        with suppress(OSError):  # it ends what there is no room for
            self._writer.close()
        self._output.discard()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise InputError, and leave nothing behind, for what cannot be written."""
        try:
            with writing("--journal", self.path):
                yield
        except InputError:
            self._output.discard()
            raise

    def _note(self, record: Record) -> None:
        self._records.append(record)
        if len(self._records) >= _CHUNK:
            self._flush()

    def _flush(self) -> None:
        if self._records:
            columns = [[self._design] * len(self._records), *zip(*self._records, strict=True)]
            arrays = [
                pa.array(column, type=field.type)
                for column, field in zip(columns, SCHEMA, strict=True)
            ]
            with self._writing():
                self._writer.write_table(pa.table(arrays, schema=self._writer.schema))
            self._groups.append(self._design)
            self._records.clear()
