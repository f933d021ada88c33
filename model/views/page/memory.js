// Who is short of memory, who has it idle, who lends it: RAM as a container, below it what is beyond.

import { GUTTER, secondsOf } from "page/axis";
import { Lane, ink, sample } from "page/lanes";
import { BEYOND, IN_RAM, megabytes, memoryOf } from "page/words";

const COLORS = { own: "own", lent: "lent", idle: "idle", borrowed: "borrowed", asked: "asked", on_disk: "disk" };
const SHARE = 0.62; // of a row's height for the RAM; the rest is for what is over-allocated
const ALL = 46; // pixels of the row of all nodes together

export class Memory extends Lane {
  constructor(page, run) {
    const { shown } = page.nodes;
    const names = ["all nodes", ...shown.map(String)];
    const each = Math.max(5, Math.min(30, (page.shown.length > 1 ? 320 : 420) / shown.length));
    super(page, run, { name: "memory", title: "memory of nodes", rows: names, height: ALL + shown.length * each });
    this.each = each;
    const series = run.memorySeries();
    this.series = [sum(run.memory, series), ...shown.map((node) => series[node])];
    this.most = Math.max(1, d3.max(this.series.slice(1), (its) => mostBeyond(its)));
    this.mostOfAll = Math.max(1, mostBeyond(this.series[0]));
    const parts = [...IN_RAM, ...BEYOND]
      .filter(([part]) => page.live || this.series[0][part].some((amount) => amount > 0));
    this.note = parts.flatMap(([part, text]) => [sample({ background: `var(--${COLORS[part]})` }), text])
      .concat(` · a row’s upper part is its RAM (${[...new Set(run.about.rams)].map(megabytes).join(" or ")}), below hangs what is over-allocated (full: ${megabytes(this.most)}, of all nodes ${megabytes(this.mostOfAll)})`);
    this.say();
  }

  top(row) {
    return row === 0 ? 0 : ALL + (row - 1) * this.each;
  }

  heightOf(row) {
    return row === 0 ? ALL : this.each;
  }

  middle(row) {
    return this.top(row) + this.heightOf(row) / 2;
  }

  rowAt(y) {
    return y < ALL ? 0 : Math.min(this.rows.length - 1, 1 + Math.floor((y - ALL) / this.each));
  }

  get rowHeight() {
    return this.each;
  }

  draw() {
    const g = this.begin();
    this.frame(g);
    this.rows.forEach((_, row) => this.stack(g, row));
    this.outages(g, 1);
    g.restore();
  }

  /** A row's memory as stacked areas: RAM upwards from a line, what is beyond downwards. */
  stack(g, row) {
    const its = this.series[row];
    const { rams } = this.run.about;
    const ram = row === 0 ? d3.sum(rams) : d3.max(rams); // nodes with less have lower rows
    const high = this.heightOf(row) - 1;
    const base = this.top(row) + high * SHARE;
    const points = this.points(its);
    for (const [parts, from, scale] of [
      [IN_RAM, base, (-high * SHARE) / ram],
      [BEYOND, base + 1, (high * (1 - SHARE)) / (row === 0 ? this.mostOfAll : this.most)],
    ]) {
      const stack = d3.stack().keys(parts.map(([part]) => part)).value(([, i], part) => its[part][i]);
      const area = d3.area(({ data: [x] }) => x, ([low]) => from + scale * low, ([, up]) => from + scale * up)
        .curve(d3.curveStepAfter).context(g);
      for (const layer of stack(points)) {
        g.fillStyle = ink(COLORS[layer.key]);
        g.beginPath();
        area(layer);
        g.fill();
      }
    }
  }

  /** Where a row's memory changes: a pixel, and which of its states holds there, at last and at most. */
  points(its) {
    const { page } = this;
    const [first, stop] = [page.from, page.to].map((at) => d3.bisectRight(its.at, page.timeOf(at)));
    const columns = d3.group(d3.range(Math.max(0, first - 1), Math.max(1, stop)), (i) => Math.floor(Math.max(GUTTER, page.x(its.at[i]))));
    const points = Array.from(columns, ([x, which]) => {
      const [most, last] = [d3.greatest(which, (i) => beyond(its, i)), which.at(-1)];
      return most === last ? [[x, last]] : [[x, most], [x + 1, last]];
    }).flat();
    return [...points, [page.width, points.at(-1)[1]]];
  }

  at(x, y) {
    const row = this.rowAt(y);
    const its = this.series[row];
    const time = this.page.timeOf(this.page.position(x));
    const i = Math.max(0, d3.bisectRight(its.at, time) - 1);
    const node = this.page.nodes.shown[row - 1];
    const where = `${row === 0 ? "all nodes" : `node ${node}`} at ${secondsOf(time, 6)}`;
    const lines = row ? memoryOf(this.run, node, time) : [...IN_RAM, ...BEYOND].map(([part, text]) => `${text}: ${megabytes(its[part][i])}`);
    return { text: [where, ...lines].join("\n") };
  }
}

/** What was over-allocated in a state, and the most at any time. */
const beyond = (its, i) => d3.sum(BEYOND, ([part]) => its[part][i]);
const mostBeyond = (its) => d3.max(its.at, (_, i) => beyond(its, i));

/** The memory of all nodes together. */
function sum(table, ofNodes) {
  const parts = Object.keys(COLORS);
  const changes = [];
  for (const its of ofNodes) {
    its.at.forEach((time, i) => changes.push([time, parts.map((part) => its[part][i] - (i ? its[part][i - 1] : 0))]));
  }
  changes.sort((one, other) => one[0] - other[0]);
  const now = parts.map(() => 0);
  const rows = [];
  for (const [time, by] of changes) {
    by.forEach((amount, part) => (now[part] += amount));
    if (rows.length && rows[rows.length - 1][0] === time) rows.pop();
    rows.push([time, ...now]);
  }
  const its = { at: Float64Array.from(rows, (row) => row[0]) };
  parts.forEach((part, place) => (its[part] = Float64Array.from(rows, (row) => row[place + 1])));
  return its;
}
