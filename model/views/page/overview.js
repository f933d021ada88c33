// Above the lanes: a map of the whole run, on which the window is marked, and the window's times.

import { GUTTER, secondsOf, ticksOf } from "page/axis";
import { $ } from "page/elements";
import { fitted, ink } from "page/lanes";

const MAP = 34; // pixels of the map's height
const RULER = 20;

export class Overview {
  constructor(page) {
    this.page = page;
  }

  /** The map: how much happens over the whole run. */
  map() {
    const { page } = this;
    const base = page.base();
    const columns = page.width - GUTTER;
    const counts = new Float64Array(columns + 1);
    for (const run of page.shown) {
      const { starts } = run.spans;
      const scale = columns / page.axis.end;
      for (let i = 0; i < run.count; i++) if (run.visible[i]) counts[Math.floor(starts[i] * scale)]++;
    }
    const high = d3.scaleLog([1, 1 + d3.max(counts)], [1, MAP - 2]);
    const bars = Array.from(counts, (count, column) => (count ? `M${GUTTER + column + 0.5},${MAP}v${-high(1 + count)}` : ""));
    const map = d3.select($("map")).attr("width", page.width);
    map.select("path").attr("d", bars.join(""));
    map.select("text + text").text(`0 to ${secondsOf(page.axis.last, 0)}`);
    this.brush = d3.brushX().extent([[GUTTER, 0], [base(page.axis.end), MAP]]);
    map.select("g").call(this.brush);
  }

  /** Mark the window on the map. */
  mark() {
    const { page } = this;
    this.brush.on("brush end", null);
    d3.select($("map")).select("g").call(this.brush.move, [page.from, page.to].map(page.base()));
    this.brush.on("brush end", ({ sourceEvent, selection }) => {
      if (sourceEvent && selection) page.show(...selection.map((x) => page.timeOf(page.base().invert(x))));
    });
  }

  /** The times of the window. */
  ruler() {
    const { page } = this;
    const g = fitted($("ruler"), page.width, RULER);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = ink("ink");
    g.textAlign = "right";
    const { origin, ticks } = ticksOf(page.axis, page.scale);
    g.fillText(origin ? `${secondsOf(origin)} +` : page.axis.times ? "by events" : "time", GUTTER - 6, 12, GUTTER - 8);
    g.textAlign = "center";
    for (const [x, text] of ticks) {
      if (x < GUTTER - 1) continue;
      const half = g.measureText(text).width / 2;
      g.fillText(text, Math.max(GUTTER + half, Math.min(x, page.width - half)), 12);
      g.fillRect(x - 0.5, 15, 1, 5);
    }
  }
}
