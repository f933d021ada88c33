"""What was expected of clients that coordinate less, as `text/findings.toml` states it."""

from model.papers.cases import Case
from model.papers.coordination.cases import FAULTS, GOSSIP_SIZES, SIZES, everywhere, of_size, under
from model.papers.findings import values
from model.papers.measurements import Measurements, mean_of
from model.papers.statements import Terms, read_findings
from model.sweeps.statistics import Estimate


def _protocol_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    protocol = measured.values(case, design, "protocol_messages")
    return mean_of(100 * protocol / measured.values(case, design, "messages"))


FINDINGS = read_findings(
    "coordination",
    Terms(
        cases={
            "all sizes": [of_size(nodes) for nodes in SIZES],
            "gossip sizes": [of_size(nodes) for nodes in GOSSIP_SIZES],
            **{fault: under(fault) for fault in FAULTS},
        },
        kinds={"everywhere": everywhere, **values({"% of all messages": _protocol_pct})},
    ),
)
