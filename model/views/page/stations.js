// Where messages wait: for each link, switch and disk how busy it is, and how many queue at it.

import { GUTTER, secondsOf, spanOf } from "page/axis";
import { make } from "page/elements";
import { Lane, ink, sample } from "page/lanes";
import { count, record } from "page/words";

const FEW = 12; // stations that are shown at first: the busiest
const HEIGHT = 24; // pixels of a row

export class Stations extends Lane {
  constructor(page, run) {
    const order = busiest(page.shown);
    const rows = page.allStations ? order : order.slice(0, FEW);
    super(page, run, { name: "stations", title: "links, switches and disks", rows, height: HEIGHT * rows.length });
    this.all = order;
    this.settle();
    this.say();
  }

  settle() {
    const { at, waits, lasts, item, station } = this.run.hops;
    const rowOf = this.run.about.words.station.map((name) => this.rows.indexOf(name));
    const served = this.rows.map(() => []);
    for (let i = 0; i < at.length; i++) {
      const row = rowOf[station[i]];
      if (row >= 0 && this.run.visible[item[i]]) served[row].push(i);
    }
    this.services = served.map((which) => new Services(
      Int32Array.from(which, (i) => item[i]),
      Float64Array.from(which, (i) => at[i]),
      Float64Array.from(which, (i) => at[i] + waits[i]),
      Float64Array.from(which, (i) => at[i] + waits[i] + lasts[i]),
    ));
  }

  say() {
    super.say();
    if (this.all?.length > FEW) {
      const text = this.page.allStations ? `the ${FEW} busiest only` : `all ${this.all.length}`;
      this.heading.append(make("button", { onclick: () => this.page.toggleStations() }, text));
    }
  }

  draw() {
    const g = this.begin();
    const { page, services } = this;
    this.frame(g);
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const edges = Float64Array.from({ length: columns + 1 }, (_, column) => this.timeAt(GUTTER + column));
    const shares = services.map((its) => its.shares(edges));
    this.busy = shares.map(([busy]) => busy);
    this.queue = shares.map(([, waiting]) => waiting);
    const most = Math.max(1, d3.max(this.queue, (row) => d3.max(row)) ?? 0);
    const high = this.rowHeight - 3;
    this.rows.forEach((_, row) => {
      const base = this.top(row) + this.rowHeight - 1;
      const area = d3.area((_, column) => GUTTER + column, base, (share) =>
        base - (share > 0 ? Math.max(0.7, Math.min(1, share) * high) : 0)).curve(d3.curveStepAfter).context(g);
      g.fillStyle = ink("busy");
      g.beginPath();
      area(this.busy[row]);
      g.fill();
      const line = d3.line((_, column) => GUTTER + column, (count) => base - (count / most) * high)
        .defined((count, column, its) => count > 0 || its[column - 1] > 0 || its[column + 1] > 0)
        .curve(d3.curveStepAfter).context(g);
      g.strokeStyle = ink("queue");
      g.lineWidth = 1.2;
      g.beginPath();
      line(this.queue[row]);
      g.stroke();
    });
    g.restore();
    const waiting = `waiting (full height: ${count(most, "message")})`
      + (page.allStations || this.all.length <= FEW ? "" : ` · the ${FEW} busiest of ${this.all.length}`);
    if (waiting !== this.note.at(-1)) {
      const [busy, queue] = ["busy", "queue"].map((name) => sample({ background: `var(--${name})` }));
      this.note = [busy, "busy (full height: all the time)", queue, waiting];
      this.say();
    }
  }

  at(x, y) {
    const row = this.rowAt(y);
    const column = Math.floor(x - GUTTER);
    if (!this.busy || !(column >= 0 && column < this.busy[row].length)) return null;
    const wide = this.timeAt(x + 0.5) - this.timeAt(x - 0.5);
    const text = `${this.rows[row]} at ${secondsOf(this.timeAt(x), 6)}\n`
      + `busy ${(100 * this.busy[row][column]).toFixed(1)} %, ${this.queue[row][column].toPrecision(3)} waiting`
      + ` (mean of ${spanOf(wide)})\n${this.waits(this.rows[row])}`;
    const item = this.services[row].one(this.timeAt(x - 3), this.timeAt(x + 3));
    return item < 0 ? { text } : { item, text: `${text}\n${record(this.run, item)}` };
  }

  timeAt(x) {
    return this.page.timeOf(this.page.position(x));
  }

  /** How many of those that came to a station in the window had to wait, and how long. */
  waits(name) {
    const { page, run } = this;
    if (this.counted !== page.version) {
      this.counted = page.version;
      this.came = new Map();
      const { at, waits, station } = run.hops;
      const [from, to] = [page.from, page.to].map((place) => page.timeOf(place));
      for (let i = d3.bisectLeft(at, from); i < at.length && at[i] <= to; i++) {
        const its = this.came.get(station[i]) ?? { all: 0, waited: 0, sum: 0, longest: 0 };
        its.all++;
        its.waited += waits[i] > 0;
        its.sum += waits[i];
        its.longest = Math.max(its.longest, waits[i]);
        this.came.set(station[i], its);
      }
    }
    const its = this.came.get(run.about.words.station.indexOf(name));
    if (!its) return "in this window nothing comes";
    const number = (count) => count.toLocaleString("en-US");
    return `of ${number(its.all)} that come in this window ${number(its.waited)} wait`
      + (its.waited ? `: ${spanOf(its.sum / its.waited)} in the mean, ${spanOf(its.longest)} at most` : "");
  }
}

/** The names of the runs' stations, the busiest in all of them together first. */
function busiest(runs) {
  const busy = new Map();
  for (const run of runs) {
    const names = run.about.words.station;
    const { station, lasts } = run.hops;
    for (const name of names) if (!busy.has(name)) busy.set(name, 0);
    const sums = new Float64Array(names.length);
    for (let i = 0; i < station.length; i++) sums[station[i]] += lasts[i];
    sums.forEach((sum, which) => busy.set(names[which], busy.get(names[which]) + sum));
  }
  return d3.sort(busy, ([, sum]) => -sum).map(([name]) => name);
}

/** What a station serves, first come, first served: when each came, began and ended, in ns. */
class Services {
  constructor(items, comes, begins, ends) {
    Object.assign(this, { items, comes, begins, ends });
    this.served = new Float64Array(items.length + 1); // before each: the sum of services,
    this.waited = new Float64Array(items.length + 1); // and of waits
    for (let i = 0; i < items.length; i++) {
      this.served[i + 1] = this.served[i] + ends[i] - begins[i];
      this.waited[i + 1] = this.waited[i] + begins[i] - comes[i];
    }
  }

  /** Between each two edges the share of time in which it was busy, and how many waited. */
  shares(edges) {
    const wide = edges.length - 1;
    const busy = new Float64Array(wide);
    const waiting = new Float64Array(wide);
    let [begun, come, busyBefore, waitedBefore] = [0, 0, 0, 0];
    edges.forEach((u, column) => {
      begun = after(this.begins, u, begun);
      come = after(this.comes, u, come);
      const last = begun - 1;
      const busyNow = begun ? this.served[last] + Math.min(u, this.ends[last]) - this.begins[last] : 0;
      let waitedNow = this.waited[begun];
      for (let i = begun; i < come; i++) waitedNow += u - this.comes[i];
      if (column) {
        const lasted = u - edges[column - 1];
        busy[column - 1] = Math.max(0, (busyNow - busyBefore) / lasted);
        waiting[column - 1] = Math.max(0, (waitedNow - waitedBefore) / lasted);
      }
      [busyBefore, waitedBefore] = [busyNow, waitedNow];
    });
    return [busy, waiting];
  }

  /** An item that is here between two times, or -1. */
  one(from, to) {
    const i = d3.bisectRight(this.begins, to) - 1;
    return i >= 0 && this.ends[i] >= from ? this.items[i] : -1;
  }
}

/** How many of the sorted numbers are at most x, of which the first `least` are. */
function after(sorted, x, least) {
  let [low, high] = [least, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
