// Where messages wait: for each link, switch and disk how busy it is, and how many queue at it.

import { GUTTER, secondsOf, spanOf } from "page/axis";
import { Lane, Spans, ink } from "page/lanes";

const FEW = 12; // stations that are shown at first: the busiest
const HEIGHT = 24; // pixels of a row

export class Stations extends Lane {
  constructor(page, run) {
    const names = run.about.words.station;
    const busy = new Float64Array(names.length);
    const { station, lasts } = run.hops;
    for (let i = 0; i < station.length; i++) busy[station[i]] += lasts[i];
    const order = d3.range(names.length).sort((one, other) => busy[other] - busy[one] || one - other);
    const shown = page.allStations ? order : order.slice(0, FEW);
    const rows = shown.map((which) => names[which]);
    super(page, run, { name: "stations", title: "links, switches and disks", rows, height: HEIGHT * rows.length });
    this.all = order;
    this.rowOf = new Int32Array(names.length).fill(-1);
    shown.forEach((which, row) => (this.rowOf[which] = row));
    this.settle();
    this.say();
  }

  settle() {
    const { axis } = this.page;
    const { at, waits, lasts } = this.run.hops;
    const begins = at.map((time, i) => time + waits[i]);
    const ends = begins.map((time, i) => time + lasts[i]);
    this.begins = axis.positions(begins);
    this.spans = new Spans(axis.positions(at), axis.positions(ends));
  }

  say() {
    super.say();
    if (this.all?.length > FEW) {
      const button = document.createElement("button");
      button.textContent = this.page.allStations ? `the ${FEW} busiest only` : `all ${this.all.length}`;
      button.onclick = () => this.page.toggleStations();
      this.heading.append(button);
    }
  }

  draw() {
    const g = this.begin();
    const { page, run, rowOf } = this;
    this.frame(g);
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const scale = columns / (page.to - page.from);
    const busy = new Shares(columns, this.rows.length);
    const queue = new Shares(columns, this.rows.length);
    const { starts, ends } = this.spans;
    const { station, item, waits } = run.hops;
    for (const [first, last] of this.spans.within(page.from, page.to)) {
      for (let i = first; i < last; i++) {
        const row = rowOf[station[i]];
        if (row < 0 || !run.visible[item[i]]) continue;
        if (ends[i] < page.from) continue;
        const begin = (this.begins[i] - page.from) * scale;
        busy.add(row, begin, (ends[i] - page.from) * scale);
        if (waits[i]) queue.add(row, (starts[i] - page.from) * scale, begin);
      }
    }
    this.busy = busy.sums();
    this.queue = queue.sums();
    const most = Math.max(1, d3.max(this.queue) ?? 0);
    const high = this.rowHeight - 3;
    g.fillStyle = ink("busy");
    for (let row = 0; row < this.rows.length; row++) {
      const base = this.top(row) + this.rowHeight - 1;
      for (let column = 0; column < columns; column++) {
        const share = this.busy[row * columns + column];
        if (share > 0) g.fillRect(GUTTER + column, base - Math.min(1, share) * high, 1, Math.max(0.6, Math.min(1, share) * high));
      }
    }
    g.strokeStyle = ink("queue");
    g.lineWidth = 1.2;
    for (let row = 0; row < this.rows.length; row++) {
      const base = this.top(row) + this.rowHeight - 1;
      g.beginPath();
      for (let column = 0; column < columns; column++) {
        const y = base - (this.queue[row * columns + column] / most) * high;
        if (column === 0) g.moveTo(GUTTER, y);
        else if (this.queue[row * columns + column] || this.queue[row * columns + column - 1]) g.lineTo(GUTTER + column, y);
        else g.moveTo(GUTTER + column, y);
      }
      g.stroke();
    }
    g.restore();
    this.columns = columns;
    const note = `<i style="background:var(--busy)"></i>busy (full height: all the time)`
      + `<i style="background:var(--queue)"></i>waiting (full height: ${most.toPrecision(3)} messages)`
      + (page.allStations || this.all.length <= FEW ? "" : ` · the ${FEW} busiest of ${this.all.length}`);
    if (note !== this.note) {
      this.note = note;
      this.say();
    }
  }

  at(x, y) {
    const row = this.rowAt(y);
    const column = Math.floor(x - GUTTER);
    if (!this.busy || column < 0 || column >= this.columns) return null;
    const { page, run } = this;
    const [from, to] = [page.position(x - 3), page.position(x + 3)];
    let item = -1;
    for (const [first, last] of this.spans.within(from, to)) {
      for (let i = first; i < last && item < 0; i++) {
        if (this.rowOf[run.hops.station[i]] === row && this.spans.ends[i] >= from && run.visible[run.hops.item[i]]) item = run.hops.item[i];
      }
    }
    const cell = row * this.columns + column;
    const wide = page.timeOf(page.position(x + 0.5)) - page.timeOf(page.position(x - 0.5));
    const text = `${this.rows[row]} at ${secondsOf(page.timeOf(page.position(x)), 6)}\n`
      + `busy ${(100 * Math.min(1, this.busy[cell])).toFixed(1)} %, ${this.queue[cell].toPrecision(3)} waiting\n(mean of ${spanOf(wide)})`;
    return item < 0 ? { text } : { item, text };
  }
}

/** For each row and column of pixels the sum of the shares of it that intervals cover. */
class Shares {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.within = new Float64Array(columns * rows);
    this.onwards = new Float64Array((columns + 1) * rows);
  }

  add(row, left, right) {
    this.step(row, left, 1);
    this.step(row, right, -1);
  }

  /** From x on, all that follows is covered once more (or less). */
  step(row, x, by) {
    if (x >= this.columns) return;
    if (x < 0) x = 0;
    const column = Math.floor(x);
    this.within[row * this.columns + column] += by * (column + 1 - x);
    this.onwards[row * (this.columns + 1) + column + 1] += by;
  }

  sums() {
    const sums = this.within;
    for (let row = 0; row < this.rows; row++) {
      let covered = 0;
      for (let column = 0; column < this.columns; column++) {
        covered += this.onwards[row * (this.columns + 1) + column];
        const cell = row * this.columns + column;
        sums[cell] = Math.max(0, sums[cell] + covered);
        if (sums[cell] < 1e-9) sums[cell] = 0;
      }
    }
    return sums;
  }
}
