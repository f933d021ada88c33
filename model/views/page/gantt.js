// Which jobs ran where and when: nodes by time slot (or, where jobs move, by place on a node).

import { GUTTER, secondsOf, spanOf } from "page/axis";
import { Lane, cross, ink } from "page/lanes";
import { DOES, count } from "page/words";

const [RUNS, WAITS, STUCK] = [1, 2, 3]; // states of a job on its nodes
const NOTE = "full color: runs; pale: switched out; hatched: waits for a grant (✕: which never comes)";
const STRIPE = 6; // pixels from one line of a hatch to the next

export class Gantt extends Lane {
  constructor(page, run) {
    const { slots } = run.about;
    const sharing = slots === null;
    const order = d3.sort(d3.range(run.jobs.job.length), (i) => run.jobs.start[i], (i) => run.jobs.job[i]);
    const slot = sharing ? placesOf(run.jobs, order) : run.jobs.slot;
    const places = 1 + (d3.max(slot) ?? 0);
    const { shown } = page.nodes;
    const rows = sharing
      ? shown.map(String)
      : d3.range(places).flatMap((slot) => shown.map((node, row) => (row ? `${node}` : `slot ${slot}: ${node}`)));
    const height = Math.max(60, rows.length * Math.max(1.6, Math.min(18, (page.shown.length > 1 ? 200 : 320) / rows.length)));
    const jobs = [...new Set(order.map((i) => run.jobs.job[i]))];
    const title = count(jobs.length, "job") + (sharing ? " on nodes" : ` in ${count(places, "time slot")}`);
    const note = sharing ? "" : [NOTE, ...(run.about.never_end ?? [])].join("; ");
    super(page, run, { name: "gantt", title, rows, period: shown.length, height, note: [note] });
    Object.assign(this, { sharing, places, slot });
    this.colors = new Map(jobs.map((job, turn) => [job, run.about.job_colors[turn % run.about.job_colors.length]]));
  }

  /** Top and height of a block of nodes, or of cores of nodes. */
  block(i) {
    const { first, last } = this.run.jobs;
    const { cores } = this.run.about;
    const { slot } = this;
    const { rowOf, shown } = this.page.nodes;
    if (this.sharing) {
      const high = this.rowHeight / this.places;
      return [this.top(rowOf[first[i]]) + slot[i] * high, high];
    }
    const top = this.top(slot[i] * shown.length + rowOf[Math.floor(first[i] / cores)]);
    const ofCore = this.rowHeight / cores;
    return [top + (first[i] % cores) * ofCore, (last[i] - first[i] + 1) * ofCore];
  }

  draw() {
    const g = this.begin();
    const { page, run } = this;
    const { job, state, start, end } = run.jobs;
    this.frame(g);
    g.textAlign = "center";
    for (let i = 0; i < job.length; i++) {
      const [left, right] = [Math.max(GUTTER - 2, page.x(start[i])), Math.min(page.width + 2, page.x(end[i]))];
      if (right < GUTTER || left > page.width) continue;
      const [top, high] = this.block(i);
      const faded = run.litJobs && !run.litJobs.has(job[i]);
      g.globalAlpha = faded ? 0.25 : state[i] === RUNS ? 1 : 0.4;
      g.fillStyle = this.colors.get(job[i]);
      g.fillRect(left, top, Math.max(0.7, right - left), high - (high > 3 ? 0.5 : 0));
      if (state[i] >= WAITS) {
        g.globalAlpha = faded ? 0.4 : 1;
        g.fillStyle = hatched(g, this.colors.get(job[i]));
        g.fillRect(left, top, right - left, high);
        if (state[i] === STUCK) cross(g, Math.max(left, GUTTER) + 5, top + high / 2);
      }
      const text = String(job[i]);
      if (right - left > 7 * text.length && high > 10) {
        g.globalAlpha = 1;
        g.fillStyle = state[i] === RUNS && !faded ? inkOn(this.colors.get(job[i])) : ink("ink");
        g.fillText(text, (Math.max(left, GUTTER) + Math.min(right, page.width)) / 2, top + high / 2);
      }
    }
    g.globalAlpha = 1;
    for (let row = 0; row < this.rows.length; row += page.nodes.shown.length) this.outages(g, row);
    g.restore();
  }

  numbers() {
    const { page, run } = this;
    const { job, state, first, last, start, end } = run.jobs;
    const [from, to] = page.times;
    const rows = new Map();
    for (const i of d3.range(job.length)) {
      const lasts = Math.min(to, end[i]) - Math.max(from, start[i]);
      if (lasts < 0) continue;
      if (!rows.has(job[i])) rows.set(job[i], [job[i], 0, 0, 0]);
      rows.get(job[i])[[2, 1, 3, 3][state[i]]] += ((last[i] - first[i] + 1) * lasts) / 1e9;
    }
    return { head: ["job", "runs, s (sum of its processes)", "is switched out, s", "waits for a grant, s"], rows: [...rows.values()] };
  }

  at(x, y) {
    const time = this.page.timeOf(this.page.position(x));
    const { job, state, start, end, first, last, killed } = this.run.jobs;
    for (let i = 0; i < job.length; i++) {
      const [top, high] = this.block(i);
      if (time < start[i] || time >= end[i] || y < top || y >= top + high) continue;
      const [from, to] = [first[i], last[i]].map((place) => Math.floor(place / this.run.about.cores));
      const where = from === to ? `node ${from}` : `nodes ${from} to ${to}`;
      const how = this.sharing ? where : `slot ${this.slot[i]}, ${where}, ${DOES[state[i]]}`;
      return { job: job[i], text: `job ${job[i]}: ${how}\n${secondsOf(start[i], 6)} to ${secondsOf(end[i], 6)} (${spanOf(end[i] - start[i])})${killed[i] ? "; then it is killed" : ""}` };
    }
    return null;
  }
}

/** The place of each stay of a job on a node: the lowest there that is free when it comes. */
function placesOf({ first, start, end }, order) {
  const places = new Int32Array(first.length);
  const free = new Map(); // by node: when each of its places becomes free
  for (const i of order) {
    if (!free.has(first[i])) free.set(first[i], []);
    const its = free.get(first[i]);
    let place = 0;
    while (its[place] > start[i]) place++;
    places[i] = place;
    its[place] = end[i];
  }
  return places;
}

/** Black or white, whichever stands out more. */
const inkOn = (color) => (d3.lab(color).l > 50 ? "#000000" : "#ffffff");

/** A pattern of diagonal lines. */
function hatched(g, color) {
  const tile = new OffscreenCanvas(STRIPE, STRIPE);
  const lines = tile.getContext("2d");
  lines.strokeStyle = color;
  lines.lineWidth = 1.2;
  lines.stroke(new Path2D(`M-1,1 L1,-1 M0,${STRIPE} L${STRIPE},0 M${STRIPE - 1},${STRIPE + 1} L${STRIPE + 1},${STRIPE - 1}`));
  return g.createPattern(tile, "repeat");
}
