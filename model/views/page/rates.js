// How much happens: messages a second, and how long each job took from its submission to its end.

import { GUTTER, secondsOf, spanOf } from "page/axis";
import { Lane, ink } from "page/lanes";
import { count } from "page/words";

const BIN = 4; // pixels
const NEAR = 6;
const ROW = 38;

export class Rates extends Lane {
  constructor(page, run) {
    super(page, run, { name: "rates", title: "rates", rows: ["messages / s", "response"], height: 2 * ROW });
    const { job, time } = run.items;
    const submitted = new Map(run.ofKind("submitted").map((i) => [job[i], time[i]]));
    const ended = run.ofKind("ended").filter((i) => submitted.has(job[i]));
    this.responses = ended.map((i) => ({ job: job[i], end: time[i], lasts: time[i] - submitted.get(job[i]) }));
    this.longest = d3.max(this.responses, ({ lasts }) => lasts) ?? 0;
    this.legend = (this.longest ? `; a dot: the end of a job, by its response time (full height: ${spanOf(this.longest)})` : "")
      + (submitted.size > ended.length ? `; ${count(submitted.size - ended.length, "job")} without an end` : "");
  }

  /** Where a bin begins, as a time. */
  edge(bin) {
    const { page } = this;
    return page.timeOf(Math.min(page.to, page.position(GUTTER + bin * BIN)));
  }

  /** Messages a second in each bin of the window, of those that are not hidden. */
  perSecond() {
    const { page, run } = this;
    const { starts } = run.spans;
    const counts = new Float64Array(Math.max(1, Math.ceil((page.width - GUTTER) / BIN)));
    const scale = (page.width - GUTTER) / BIN / (page.to - page.from);
    const stop = d3.bisectRight(starts, page.to);
    for (let i = d3.bisectLeft(starts, page.from); i < stop; i++) {
      if (!run.counts(i) || !run.visible[i]) continue;
      counts[Math.min(counts.length - 1, Math.floor((starts[i] - page.from) * scale))]++;
    }
    return counts.map((number, bin) => (number ? (number * 1e9) / Math.max(1, this.edge(bin + 1) - this.edge(bin)) : 0));
  }

  draw() {
    const g = this.begin();
    const { run } = this;
    this.frame(g);
    this.rates = this.perSecond();
    const most = d3.max(this.rates);
    const high = this.rowHeight - 4;
    g.fillStyle = ink("busy");
    this.rates.forEach((rate, bin) => {
      const tall = rate ? Math.max(0.7, (rate / most) * high) : 0;
      g.fillRect(GUTTER + bin * BIN, this.top(1) - tall, BIN, tall);
    });
    for (const response of this.responses) {
      g.fillStyle = ink(run.litJobs && !run.litJobs.has(response.job) ? "faded" : "ink");
      g.beginPath();
      g.arc(...this.placeOf(response), 2.2, 0, 2 * Math.PI);
      g.fill();
    }
    g.restore();
    this.title = `At most ${count(most, "message")} a second, ${count(this.responses.length, "job")} ended`;
    this.say(`bars: messages sent a second in this window (full height: ${count(most, "message")} a second)${this.legend}`);
  }

  numbers() {
    const { page, run } = this;
    const edges = d3.ticks(0, 1, 10).map((share) => page.timeOf(page.from + share * (page.to - page.from)));
    const places = edges.map((edge, i) => (i < 10 ? d3.bisectLeft : d3.bisectRight)(run.items.time, edge));
    const rows = d3.range(10).map((part) => {
      const [from, to] = [edges[part], edges[part + 1]];
      const sent = d3.sum(d3.range(places[part], places[part + 1]), (i) => run.counts(i) && run.visible[i]);
      const ended = this.responses.filter(({ end }) => end >= from && (end < to || (end === to && part === 9)));
      const mean = ended.length ? d3.mean(ended, ({ lasts }) => lasts) / 1e9 : "–";
      return [`${secondsOf(from)} to ${secondsOf(to)}`, sent, ended.length, mean];
    });
    return { head: ["time", "messages sent", "jobs ended", "their mean response time, s"], rows };
  }

  placeOf({ end, lasts }) {
    return [this.page.x(end), this.top(2) - 3 - (lasts / Math.max(1, this.longest)) * (this.rowHeight - 8)];
  }

  at(x, y) {
    if (this.rowAt(y) === 0) {
      const bin = Math.floor((x - GUTTER) / BIN);
      if (!(this.rates[bin] >= 0)) return null;
      return { text: `${count(this.rates[bin], "message")} a second\n${secondsOf(this.edge(bin))} to ${secondsOf(this.edge(bin + 1))}` };
    }
    const away = (response) => {
      const [its, down] = this.placeOf(response);
      return Math.hypot(its - x, down - y);
    };
    const found = d3.least(this.responses, away);
    if (!found || away(found) > NEAR) return null;
    return { job: found.job, text: `job ${found.job} ends at ${secondsOf(found.end, 6)}, ${spanOf(found.lasts)} after its submission` };
  }
}
