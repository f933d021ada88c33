"""What was expected of memory and of processes that move, as `text/findings.toml` states it."""

from model.papers.findings import values
from model.papers.moving_processes.cases import FAST_MBPS, at, everywhere, in_larger, moving_pct
from model.papers.statements import Terms, read_findings

FINDINGS = read_findings(
    "moving-processes",
    Terms(
        cases={"all windows": at(FAST_MBPS)},
        kinds={
            "everywhere": everywhere,
            "in larger windows": in_larger,
            **values({"% of the response time": moving_pct}),
        },
    ),
)
