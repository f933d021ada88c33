"""What was expected where jobs do not say at their start what they will need."""

from model.papers.changing_memory.cases import everywhere
from model.papers.statements import Terms, read_findings

FINDINGS = read_findings("changing-memory", Terms(kinds={"everywhere": everywhere}))
