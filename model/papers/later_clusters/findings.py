"""What was expected of the thesis's advice on later clusters, as `text/findings.toml` states it."""

from model.papers.later_clusters.cases import between, share_between
from model.papers.statements import Terms, read_findings

FINDINGS = read_findings(
    "later-clusters", Terms(kinds={"over windows": between, "share of DP": share_between})
)
