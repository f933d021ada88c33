// Who is short of memory, who has it idle, who lends it: RAM as a container, below it what is beyond.

import { GUTTER, secondsOf } from "page/axis";
import { Lane, ink, sample } from "page/lanes";
import { BEYOND, BYTES_PER_MB, IN_RAM, megabytes, memoryOf } from "page/words";

const PARTS = [...IN_RAM, ...BEYOND];
const SHARE = 0.62; // of a row's height for the RAM; the rest is for what is over-allocated
const ALL = 46; // pixels of the row of all nodes together

export class Memory extends Lane {
  constructor(page, run) {
    const { shown } = page.nodes;
    const { rams } = run.about;
    const each = Math.max(5, Math.min(30, (page.shown.length > 1 ? 320 : 420) / shown.length));
    const series = [sum(run.memorySeries), ...shown.map((node) => run.memorySeries[node])];
    const [all, ...most] = series.map((its) => Math.max(1, d3.max(its.at, (_, i) => beyond(its, i))));
    const parts = PARTS.filter(([part]) => page.live || series[0][part].some((amount) => amount > 0));
    const legend = parts.flatMap(([part, text]) => [sample({ background: `var(--${part})` }), text]);
    const scales = ` · upper part of a row: its RAM (${[...new Set(rams)].map(megabytes).join(" or ")})`
      + (all > 1 ? `; lower part: what processes hold beyond it (full height: ${megabytes(d3.max(most))}; all nodes: ${megabytes(all)})` : "");
    const beyondIt = all > 1 ? `, at most ${megabytes(all)} beyond it` : "";
    super(page, run, {
      name: "memory", title: `${megabytes(d3.sum(rams))} of RAM${beyondIt}`, height: ALL + shown.length * each,
      rows: ["all nodes", ...shown.map(String)], note: [...legend, scales],
    });
    Object.assign(this, { series, all, most: d3.max(most) });
  }

  top(row) {
    return row === 0 ? 0 : ALL + (row - 1) * this.rowHeight;
  }

  heightOf(row) {
    return row === 0 ? ALL : this.rowHeight;
  }

  middle(row) {
    return this.top(row) + this.heightOf(row) / 2;
  }

  rowAt(y) {
    return y < ALL ? 0 : Math.min(this.rows.length - 1, 1 + Math.floor((y - ALL) / this.rowHeight));
  }

  /** Of each node. */
  get rowHeight() {
    return (this.height - ALL) / (this.rows.length - 1);
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
      [BEYOND, base + 1, (high * (1 - SHARE)) / (row === 0 ? this.all : this.most)],
    ]) {
      const stack = d3.stack().keys(parts.map(([part]) => part)).value(([, i], part) => its[part][i]);
      const area = d3.area(({ data: [x] }) => x, ([low]) => from + scale * low, ([, up]) => from + scale * up)
        .curve(d3.curveStepAfter).context(g);
      for (const layer of stack(points)) {
        g.fillStyle = ink(layer.key);
        g.beginPath();
        area(layer);
        g.fill();
      }
    }
  }

  /** Where a row's memory changes: a pixel, and which of its states holds there, at last and at most. */
  points(its) {
    const { page } = this;
    const [first, stop] = page.times.map((time) => d3.bisectRight(its.at, time));
    const columns = d3.group(d3.range(Math.max(0, first - 1), Math.max(1, stop)), (i) => Math.floor(Math.max(GUTTER, page.x(its.at[i]))));
    const points = Array.from(columns, ([x, which]) => {
      const [most, last] = [d3.greatest(which, (i) => beyond(its, i)), which.at(-1)];
      return most === last ? [[x, last]] : [[x, most], [x + 1, last]];
    }).flat();
    return [...points, [page.width, points.at(-1)[1]]];
  }

  numbers() {
    const { page, run } = this;
    const rows = this.series.map((its, row) => {
      const means = PARTS.map(([part]) => mean(its.at, its[part], ...page.times) / BYTES_PER_MB);
      return [row ? this.rows[row] : "all nodes", ...means, row ? run.secondsDown(page.nodes.shown[row - 1], ...page.times) : ""];
    });
    return { head: ["node", ...PARTS.map(([, text]) => `${text}, MB on average`), "down, s"], rows };
  }

  at(x, y) {
    const row = this.rowAt(y);
    const time = this.page.timeOf(this.page.position(x));
    const node = this.page.nodes.shown[row - 1];
    if (row) return { text: [`node ${node} at ${secondsOf(time, 6)}`, ...memoryOf(this.run, node, time)].join("\n") };
    const its = this.series[0];
    const i = Math.max(0, d3.bisectRight(its.at, time) - 1);
    return { text: [`all nodes at ${secondsOf(time, 6)}`, ...PARTS.map(([part, text]) => `${text}: ${megabytes(its[part][i])}`)].join("\n") };
  }
}

/** The mean between two times of values that hold from their times on. */
function mean(at, values, from, to) {
  const sum = d3.sum(at, (time, i) => values[i] * Math.max(0, Math.min(to, at[i + 1] ?? Infinity) - Math.max(from, time)));
  return sum / Math.max(1, to - from);
}

/** What was over-allocated in a state. */
const beyond = (its, i) => d3.sum(BEYOND, ([part]) => its[part][i]);

/** The memory of all nodes together. */
function sum(ofNodes) {
  const changes = ofNodes.flatMap((its) => Array.from(its.at, (time, i) => ({ time, its, i })));
  const all = { at: [], ...Object.fromEntries(PARTS.map(([part]) => [part, []])) };
  for (const [time, together] of d3.group(d3.sort(changes, ({ time }) => time), ({ time }) => time)) {
    all.at.push(time);
    for (const [part] of PARTS) {
      const by = d3.sum(together, ({ its, i }) => its[part][i] - (i ? its[part][i - 1] : 0));
      all[part].push((all[part].at(-1) ?? 0) + by);
    }
  }
  return all;
}
