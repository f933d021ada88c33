"""A finding as a file: the journal of its path, which every view draws, and how to repeat it."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter

from model.core.files import put_in_place
from model.core.journal.file import SCHEMA
from model.core.journal.kinds import Record
from model.ground.errors import InputError
from model.pnr.explore.search import Finding
from model.pnr.explore.setting import Setting

_KEY = "explored"  # of what repeats it, in the file's metadata


def write_finding(
    path: Path, setting: Setting, finding: Finding, records: Sequence[Record]
) -> None:
    """Write the journal of a finding's path; raises InputError if it cannot be written."""
    design = setting.design
    explored = {"setting": asdict(setting)} | asdict(finding)
    metadata = {
        "scenario": setting.scenario.model_dump_json(),
        "managers": json.dumps({design.name: design.managers}),
        _KEY: json.dumps(explored),
    }
    columns = [[design.name] * len(records), *zip(*records, strict=True)]
    arrays = [pa.array(c, type=field.type) for c, field in zip(columns, SCHEMA, strict=True)]
    with put_in_place(path) as place:
        pq.write_table(pa.table(arrays, schema=SCHEMA.with_metadata(metadata)), place)


def read_finding(path: Path) -> tuple[Setting, Finding]:
    """What was explored, and what was found; raises InputError for another file."""
    try:
        explored = json.loads((pq.read_schema(path).metadata or {})[_KEY.encode()])
        setting = TypeAdapter(Setting).validate_python(explored["setting"])
        return setting, TypeAdapter(Finding).validate_python(explored)
    except FileNotFoundError:
        raise InputError(f"--replay {path}: no such file") from None
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError):
        raise InputError(
            f"--replay {path}: give a file that `run.py explore --out` has written"
        ) from None
