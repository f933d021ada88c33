// Above the lanes: a map of the whole run, on which the window is marked, and the window's times.

import { GUTTER, ticksOf } from "page/axis";
import { ink } from "page/lanes";

const MAP = 34; // pixels of the map's height
const RULER = 20;

const $ = (id) => document.getElementById(id);

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
    const most = Math.log1p(d3.max(counts));
    let path = "";
    counts.forEach((count, column) => {
      if (count) path += `M${GUTTER + column + 0.5},${MAP}v${-Math.max(1, (MAP - 2) * (Math.log1p(count) / most))}`;
    });
    const map = d3.select($("map")).attr("width", page.width);
    map.selectAll("path.events").data([path]).join("path").attr("class", "events").attr("d", path)
      .attr("stroke", ink("grey")).attr("fill", "none");
    map.selectAll("text").data(["whole run"]).join("text").attr("x", 6).attr("y", 20).attr("fill", ink("grey"))
      .attr("font-size", 11).text("whole run");
    this.brush = d3.brushX().extent([[GUTTER, 0], [base(page.axis.end), MAP]]);
    map.selectAll("g.brush").data([0]).join("g").attr("class", "brush").call(this.brush);
  }

  /** Mark the window on the map. */
  mark() {
    const { page } = this;
    this.brush.on("brush end", null);
    d3.select($("map")).select("g.brush").call(this.brush.move, [page.from, page.to].map(page.base()));
    this.brush.on("brush end", (event) => this.brushed(event));
  }

  brushed(event) {
    if (!event.sourceEvent || !event.selection) return;
    const base = this.page.base();
    this.page.show(...event.selection.map((x) => this.page.timeOf(base.invert(x))));
  }

  /** The times of the window. */
  ruler() {
    const { page } = this;
    const canvas = $("ruler");
    const sharp = devicePixelRatio || 1;
    Object.assign(canvas, { width: page.width * sharp, height: RULER * sharp });
    Object.assign(canvas.style, { width: `${page.width}px`, height: `${RULER}px` });
    const g = canvas.getContext("2d");
    g.scale(sharp, sharp);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = g.strokeStyle = ink("ink");
    g.textAlign = "right";
    g.fillText(page.axis.times ? "by events" : "time", GUTTER - 6, 12, GUTTER - 8);
    g.textAlign = "center";
    for (const [x, text] of ticksOf(page.axis, page.scale)) {
      if (x < GUTTER - 1) continue;
      const half = g.measureText(text).width / 2;
      g.fillText(text, Math.max(GUTTER + half, Math.min(x, page.width - half)), 12);
      g.fillRect(x - 0.5, 15, 1, 5);
    }
  }
}
