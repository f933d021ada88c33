// Where messages wait: for each link, switch and disk how busy it is, and how many queue at it.

import { GUTTER, secondsOf, spanOf } from "page/axis";
import { make } from "page/elements";
import { Lane, ink, sample } from "page/lanes";
import { count, record } from "page/words";

const FEW = 12; // stations that are shown at first: the busiest
const HEIGHT = 24; // pixels of a row

export class Stations extends Lane {
  constructor(page, run) {
    const all = busiest(page.shown);
    const rows = page.allStations ? all : all.slice(0, FEW);
    super(page, run, { name: "stations", title: "links, switches and disks", rows, height: HEIGHT * rows.length });
    const samples = ["busy", "queue"].map((name) => sample({ background: `var(--${name})` }));
    this.counts = run.hops.item.length === 0; // by window of time: no hop is known
    const { at, lasts, delay, services, station } = run.windows;
    this.most = d3.max(services) ?? 1;
    const full = this.counts ? `messages (full height: ${count(this.most, "message")} in ${spanOf(lasts[0])})` : "busy (full height: all the time)";
    this.legend = [samples[0], full, samples[1]];
    this.others = rows.length < all.length ? ` · the ${FEW} busiest of ${all.length}` : "";
    if (all.length > FEW) {
      const text = page.allStations ? `the ${FEW} busiest only` : `all ${all.length}`;
      const onclick = () => {
        page.allStations = !page.allStations;
        page.rebuild();
      };
      this.legend.push(make("button", { onclick }, text));
    }
    const { hops } = run;
    this.starts = hops.at.map((time, hop) => time + hops.waits[hop]);
    this.ends = hops.at.map((time, hop) => time + hops.waits[hop] + hops.lasts[hop]);
    const ofStation = d3.group(at.keys(), (i) => run.about.words.station[station[i]]);
    this.windows = rows.map((name) => ofStation.get(name) ?? []);
    this.inWindow = { busy: (i) => services[i] / this.most, queue: (i) => delay[i] / lasts[i] };
    this.settle();
  }

  /** Find the hops of each row whose messages are not hidden. */
  settle() {
    const { item, station } = this.run.hops;
    const rowOf = this.run.about.words.station.map((name) => this.rows.indexOf(name));
    this.hops = this.rows.map(() => []);
    station.forEach((code, hop) => {
      if (rowOf[code] >= 0 && this.run.visible[item[hop]]) this.hops[rowOf[code]].push(hop);
    });
  }

  /** Between each two edges the mean number of a row's hops that are between some of their times. */
  share(row, edges, begins, ends) {
    const hops = this.hops[row];
    const sums = new Float64Array(edges.length - 1);
    const first = d3.bisector((hop) => this.ends[hop]).left(hops, edges[0]); // first come, first served
    for (const hop of hops.slice(first)) {
      if (begins[hop] >= edges.at(-1)) break;
      let column = Math.max(0, d3.bisectRight(edges, begins[hop]) - 1);
      for (; column < sums.length && edges[column] < ends[hop]; column++) {
        sums[column] += Math.min(edges[column + 1], ends[hop]) - Math.max(edges[column], begins[hop]);
      }
    }
    return sums.map((sum, column) => sum / (edges[column + 1] - edges[column]));
  }

  /** Between each two edges what a row's window there has, or 0. */
  level(row, edges, value) {
    const { at, lasts } = this.run.windows;
    const its = this.windows[row];
    const first = its.map((i) => at[i]);
    return Float64Array.from({ length: edges.length - 1 }, (_, column) => {
      const middle = (edges[column] + edges[column + 1]) / 2;
      const i = its[d3.bisectRight(first, middle) - 1];
      return i !== undefined && middle < at[i] + lasts[i] ? value(i) : 0;
    });
  }

  draw() {
    const g = this.begin();
    const { page } = this;
    this.frame(g);
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const edges = Float64Array.from({ length: columns + 1 }, (_, column) => this.timeAt(GUTTER + column));
    const { busy, queue } = this.inWindow;
    const { hops } = this.run;
    this.busy = this.rows.map((_, row) => (this.counts ? this.level(row, edges, busy) : this.share(row, edges, this.starts, this.ends)));
    this.queue = this.rows.map((_, row) => (this.counts ? this.level(row, edges, queue) : this.share(row, edges, hops.at, this.starts)));
    const most = Math.max(1, d3.max(this.queue, (row) => d3.max(row)) ?? 0);
    const high = this.rowHeight - 3;
    const x = (_, column) => GUTTER + column;
    this.rows.forEach((_, row) => {
      const base = this.top(row + 1) - 1;
      const area = d3.area(x, base, (share) => base - (share > 0 ? Math.max(0.7, Math.min(1, share) * high) : 0));
      g.fillStyle = ink("busy");
      g.beginPath();
      area.curve(d3.curveStepAfter).context(g)(this.busy[row]);
      g.fill();
      const line = d3.line(x, (waiting) => base - (waiting / most) * high)
        .defined((waiting, column, its) => waiting > 0 || its[column - 1] > 0 || its[column + 1] > 0);
      g.strokeStyle = ink("queue");
      g.lineWidth = 1.2;
      g.beginPath();
      line.curve(d3.curveStepAfter).context(g)(this.queue[row]);
      g.stroke();
    });
    g.restore();
    this.say(...this.legend, `waiting (full height: ${count(most, "message")})${this.others}`);
  }

  at(x, y) {
    const row = this.rowAt(y);
    const column = Math.floor(x - GUTTER);
    if (!this.busy || !(column >= 0 && column < this.busy[row].length)) return null;
    if (this.counts) {
      const [came, delay, peak] = this.came(row, this.timeAt(x), this.timeAt(x));
      const waits = came ? `, which wait ${spanOf(delay / came)} on average, ${spanOf(peak)} at most` : "";
      return { text: `${this.rows[row]} at ${secondsOf(this.timeAt(x))}: ${count(came, "message")} in ${spanOf(this.run.windows.lasts[0])}${waits}` };
    }
    const [from, to] = [x - 3, x + 3].map((at) => this.timeAt(at));
    const text = `${this.rows[row]} at ${secondsOf(this.timeAt(x), 6)}\n`
      + `busy ${(100 * this.busy[row][column]).toFixed(1)} %, ${this.queue[row][column].toPrecision(3)} waiting`
      + ` (mean of ${spanOf(this.timeAt(x + 0.5) - this.timeAt(x - 0.5))})\n${this.waits(row)}`;
    const hop = this.hops[row].findLast((its) => this.starts[its] <= to && this.ends[its] >= from);
    if (hop === undefined) return { text };
    const item = this.run.hops.item[hop];
    return { item, text: `${text}\n${record(this.run, item)}` };
  }

  /** Of a row's windows that meet some time: how many came, their delay in all and at most. */
  came(row, from, to) {
    const { at, lasts, services, delay, peak } = this.run.windows;
    const its = this.windows[row].filter((i) => at[i] <= to && at[i] + lasts[i] > from);
    return [d3.sum(its, (i) => services[i]), d3.sum(its, (i) => delay[i]), d3.max(its, (i) => peak[i]) ?? 0];
  }

  numbers() {
    if (this.counts) {
      const rows = this.rows.map((name, row) => {
        const [came, delay, peak] = this.came(row, ...this.page.times);
        return [name, came, delay / 1e6, peak / 1e6];
      });
      return { head: ["station", "messages that came", "their queueing delay, ms in all", "longest, ms"], rows };
    }
    const { at, waits, lasts } = this.run.hops;
    const [from, to] = this.page.times;
    const rows = this.rows.map((name, row) => {
      const came = this.hops[row].filter((hop) => at[hop] >= from && at[hop] <= to);
      return [name, came.length, came.filter((hop) => waits[hop]).length, d3.sum(came, (hop) => waits[hop]) / 1e6, d3.sum(came, (hop) => lasts[hop]) / 1e6];
    });
    return { head: ["station", "messages that came", "of these queued", "their queueing delay, ms in all", "service, ms in all"], rows };
  }

  timeAt(x) {
    return this.page.timeOf(this.page.position(x));
  }

  /** How many of those that came to a station in the window had to wait, and how long. */
  waits(row) {
    const { at, waits } = this.run.hops;
    const [from, to] = this.page.times;
    const came = this.hops[row].filter((hop) => at[hop] >= from && at[hop] <= to);
    const waited = came.filter((hop) => waits[hop] > 0).map((hop) => waits[hop]);
    if (!came.length) return "in this window nothing comes";
    return `of ${came.length.toLocaleString("en-US")} that come in this window ${waited.length.toLocaleString("en-US")} wait`
      + (waited.length ? `: ${spanOf(d3.mean(waited))} on average, ${spanOf(d3.max(waited))} at most` : "");
  }
}

/** The names of the runs' stations, the busiest (or, by windows, the longest waited for) first. */
function busiest(runs) {
  const busy = new Map();
  for (const { about, hops, windows } of runs) {
    const sums = about.words.station.map(() => 0);
    hops.station.forEach((station, hop) => (sums[station] += hops.lasts[hop]));
    if (!hops.station.length) windows.station.forEach((station, i) => (sums[station] += windows.delay[i] + windows.services[i]));
    about.words.station.forEach((name, station) => busy.set(name, (busy.get(name) ?? 0) + sums[station]));
  }
  return d3.sort(busy, ([, sum]) => -sum).map(([name]) => name);
}
