"""From an idea to a verdict: designs of one's own judged against others. Read in this order:

- `windows.py`: the windows of a log on which designs are judged;
- `verdicts.py`: faster, slower, equal or open, and how sure that is;
- `observer.py`: what runs are observed for;
- `judging.py`: a question, its runs, and what is known of it;
- `robustness.py`: what faults do to designs; `course.py`: what is done when;
- `tuning.py`, `tuned.py`: a search of a design's parameters, before it is judged;
- `costs.py`, `sentences.py`, `tables.py`, `page.py`: what is known, as people see it.

The room is a function, too: `from model import judge`, `judge("mine.py:ring", ram=65)`.
"""

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    def __call__(self, *designs: str, **options: Any) -> Any:
        """Judge designs; see `course.py`."""
        from model.judge.course import judge

        return judge(*designs, **options)


sys.modules[__name__].__class__ = _Room  # a room of this name hides a function of this name
