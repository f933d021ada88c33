"""Figures 2 and 3: what the policies lose, fault and send away on a platform, under each load."""

from pathlib import Path

from matplotlib.figure import Figure

from model.experiments.statistics import estimate
from model.sharing.cmgs.experiment import LEVELS, RESPONSES, Measured

# Okabe and Ito's palette, as everywhere.
COLORS = {"CPU_MEM": "#E69F00", "CMGS": "#0072B2"}
LOADS = {"mixed": "mixed", "memory": "memory-intensive"}
NUMBER = {"I": 2, "II": 3}


def draw(measured: Measured, folder: Path) -> list[Path]:
    """Both figures as PNG files."""
    files = []
    for platform, number in NUMBER.items():
        files.append(folder / f"figure-{number}.png")
        platform_figure(measured, platform).savefig(files[-1], dpi=200)
    return files


def platform_figure(measured: Measured, platform: str) -> Figure:
    """Means over the replications with their 95 % intervals, a panel a response."""
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    width = 0.38
    for axes, (response, title) in zip(
        figure.subplots(1, len(RESPONSES)), RESPONSES.items(), strict=True
    ):
        for side, policy in enumerate(LEVELS["policy"]):
            for place, load in enumerate(LEVELS["load"]):
                of = estimate(measured.values[response][policy, platform, load])
                axes.bar(
                    place + (side - 0.5) * width,
                    of.mean,
                    width,
                    yerr=of.half_width,
                    capsize=4,
                    color=COLORS[policy],
                    label=policy if place == 0 else None,
                )
        axes.set_xticks(range(len(LOADS)), LOADS.values())
        axes.set_ylabel(title[0].upper() + title[1:])
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].legend(frameon=False)
    figure.suptitle(f"Platform {platform}: means with 95 % intervals")
    return figure
