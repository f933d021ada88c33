"""Figures of a comparison, in the thesis's manner (figures 4.2 to 4.5): bars by design."""

from pathlib import Path

from matplotlib.figure import Figure

from model.metrics import RunResult

# Okabe and Ito's palette, readable for the color-blind; one color a design, everywhere.
COLORS = {
    "DP": "#000000",
    "CLI": "#E69F00",
    "CEN": "#56B4E9",
    "MAN": "#009E73",
    "BB4": "#CC79A7",
    "BB8": "#D55E00",
    "BB16": "#0072B2",
    "BB32": "#F0E442",
}
_OTHERS = "#999999"


def draw_comparison(results: list[RunResult], folder: Path) -> list[Path]:
    """Response time by design, and the optimization ratio if DP is among them; as PNG files."""
    designs = [result.summary["design"] for result in results]
    responses_s = [result.summary["mean_response_s"] for result in results]
    drawn = [
        _bars(
            designs, responses_s, "Mean response time (s)", "{:,.0f}", folder / "response_time.png"
        )
    ]
    compared = [result.summary for result in results if result.summary["design"] != "DP"]
    if len(compared) < len(results) and compared:
        drawn.append(
            _bars(
                [summary["design"] for summary in compared],
                [summary["optimization_ratio_pct"] for summary in compared],
                "Optimization ratio (%)",
                "{:.2f}",
                folder / "optimization_ratio.png",
            )
        )
    return drawn


def _bars(designs: list[str], heights: list[float], label: str, number: str, file: Path) -> Path:
    figure = Figure(figsize=(max(3.4, 0.62 * len(designs) + 0.9), 2.6), layout="constrained")
    axes = figure.subplots()
    names = [Path(design).name for design in designs]
    bars = axes.bar(
        names, heights, width=0.65, color=[COLORS.get(name, _OTHERS) for name in designs]
    )
    axes.bar_label(
        bars, labels=[number.format(height) for height in heights], fontsize=7, padding=2
    )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(y=0.15)
    axes.set_ylabel(label)
    axes.set_xlabel("Design")
    axes.spines[["top", "right"]].set_visible(False)
    if max(map(len, names)) > 6:
        axes.tick_params(axis="x", labelrotation=30)
    figure.savefig(file, dpi=200)
    return file
