"""What was expected of schedulers that know memory, as `text/findings.toml` states it."""

from model.papers.findings import values
from model.papers.knowing_memory.cases import (
    EXACT,
    WINDOWS,
    everywhere,
    fewer_pct,
    knowing,
    longer_wait_s,
)
from model.papers.statements import Terms, read_findings

FINDINGS = read_findings(
    "knowing-memory",
    Terms(
        cases={"all windows, knowing exact": [knowing(EXACT, case) for case in WINDOWS]},
        kinds={
            "everywhere": everywhere,
            **values({"% fewer pages from disk": fewer_pct, "longer wait, s": longer_wait_s}),
        },
    ),
)
