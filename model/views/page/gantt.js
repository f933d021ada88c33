// Which jobs ran where and when: nodes by time slot (or, where jobs move, by place on a node).

import { GUTTER, secondsOf, spanOf } from "page/axis";
import { Lane, ink } from "page/lanes";

export class Gantt extends Lane {
  constructor(page, run) {
    const { nodes, slots } = run.about;
    const places = 1 + (d3.max(run.jobs.slot) ?? 0);
    const sharing = slots === null;
    const rows = sharing
      ? d3.range(nodes).map((node) => `${node}`)
      : d3.range(places * nodes).map((row) => (row % nodes === 0 ? `slot ${Math.floor(row / nodes)}: 0` : `${row % nodes}`));
    const height = Math.max(60, rows.length * Math.max(1.6, Math.min(18, (page.shown.length > 1 ? 200 : 320) / rows.length)));
    const title = sharing ? "jobs on nodes" : "jobs in time slots";
    super(page, run, { name: "gantt", title, rows, period: nodes, height, note: sharing ? "" : "full color runs, pale is switched out" });
    this.sharing = sharing;
    this.places = places;
    const jobs = [...new Set(run.jobs.job)];
    this.colors = new Map(jobs.map((job, turn) => [job, run.about.job_colors[turn % run.about.job_colors.length]]));
  }

  /** Top and height of a block of nodes. */
  block(i) {
    const { slot, first, last } = this.run.jobs;
    if (this.sharing) {
      const high = this.rowHeight / this.places;
      return [this.top(first[i]) + slot[i] * high, high];
    }
    const row = slot[i] * this.run.about.nodes + first[i];
    return [this.top(row), (last[i] - first[i] + 1) * this.rowHeight];
  }

  draw() {
    const g = this.begin();
    const { page, run } = this;
    const { job, running, start, end } = run.jobs;
    this.frame(g);
    g.textAlign = "center";
    for (let i = 0; i < job.length; i++) {
      const [left, right] = [Math.max(GUTTER - 2, page.x(start[i])), Math.min(page.width + 2, page.x(end[i]))];
      if (right < GUTTER || left > page.width) continue;
      const [top, high] = this.block(i);
      const faded = run.litJobs && !run.litJobs.has(job[i]);
      g.globalAlpha = faded ? 0.12 : running[i] ? 1 : 0.3;
      g.fillStyle = this.colors.get(job[i]);
      g.fillRect(left, top, Math.max(0.7, right - left), high - (high > 3 ? 0.5 : 0));
      const text = String(job[i]);
      if (right - left > 7 * text.length && high > 10) {
        g.globalAlpha = faded ? 0.3 : 1;
        g.fillStyle = running[i] ? "#000000" : ink("ink");
        g.fillText(text, (Math.max(left, GUTTER) + Math.min(right, page.width)) / 2, top + high / 2);
      }
    }
    g.globalAlpha = 1;
    const { node, whole } = run.outages;
    if (node.length) {
      for (let slot = 0; slot < (this.sharing ? 1 : this.places); slot++) {
        this.outages(g, (which) => slot * run.about.nodes + which);
      }
    }
    g.restore();
  }

  at(x, y) {
    const time = this.page.timeOf(this.page.position(x));
    const { job, running, start, end, first, last, slot } = this.run.jobs;
    for (let i = 0; i < job.length; i++) {
      const [top, high] = this.block(i);
      if (time < start[i] || time >= end[i] || y < top || y >= top + high) continue;
      const where = first[i] === last[i] ? `node ${first[i]}` : `nodes ${first[i]} to ${last[i]}`;
      const how = this.sharing ? where : `slot ${slot[i]}, ${where}, ${running[i] ? "runs" : "is switched out"}`;
      return { job: job[i], text: `job ${job[i]}: ${how}\n${secondsOf(start[i], 6)} to ${secondsOf(end[i], 6)} (${spanOf(end[i] - start[i])})` };
    }
    return null;
  }
}
