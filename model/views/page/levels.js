// What roles gauge of themselves and show in numbers: a row for each, a line for each node.

import { GUTTER, secondsOf } from "page/axis";
import { Lane, ink } from "page/lanes";

const ROW = 40;
const FEW = 10; // nodes that are listed
const number = (value) => value.toLocaleString("en-US", { maximumSignificantDigits: 4 });

export class Levels extends Lane {
  constructor(page, run) {
    const { levels } = run;
    const shown = new Set(page.nodes.shown);
    const all = [...levels.values()].map((its) => its.filter(({ node }) => shown.has(node)));
    super(page, run, { name: "levels", title: "what roles gauge and show", rows: [...levels.keys()].map((name) => name.split(" ").pop()), height: ROW * levels.size });
    this.series = all;
    this.names = [...levels.keys()];
    this.most = all.map((its) => d3.max(its, ({ values }) => d3.max(values)) ?? 0);
    this.least = all.map((its) => Math.min(0, d3.min(its, ({ values }) => d3.min(values.filter((value) => value === value))) ?? 0));
    const scale = (row) => (this.least[row] < 0 ? `${number(this.least[row])} to ` : "") + number(this.most[row]);
    this.note = `a line for each node · full height: ${this.names.map((name, row) => `${name} ${scale(row)}`).join(", ")}`;
    this.say();
  }

  draw() {
    const g = this.begin();
    const { page } = this;
    this.frame(g);
    g.strokeStyle = ink("queue");
    g.lineWidth = 1.2;
    const [from, to] = [page.timeOf(page.from), page.timeOf(page.to)];
    this.series.forEach((its, row) => {
      const range = Math.max(this.most[row] - this.least[row], Number.MIN_VALUE);
      const high = this.rowHeight - 6;
      const y = (value) => this.top(row) + 3 + high * (1 - (value - this.least[row]) / range);
      g.globalAlpha = its.length > 8 ? 0.7 : 1;
      for (const { at, values } of its) {
        const first = Math.max(0, d3.bisectRight(at, from) - 1);
        const steps = d3.range(first, d3.bisectRight(at, to));
        if (!steps.length) continue;
        const points = steps.map((i) => [Math.max(GUTTER, page.x(at[i])), values[i]]);
        points.push([page.width, points[points.length - 1][1]]);
        g.beginPath();
        d3.line(([x]) => x, ([, value]) => y(value)).defined(([, value]) => value === value).curve(d3.curveStepAfter).context(g)(points);
        g.stroke();
      }
    });
    g.globalAlpha = 1;
    g.restore();
  }

  at(x, y) {
    const row = this.rowAt(y);
    const time = this.page.timeOf(this.page.position(x));
    const now = this.series[row].map(({ node, at, values }) => [node, values[d3.bisectRight(at, time) - 1]]).filter(([, value]) => value === value && value !== undefined);
    now.sort((one, other) => other[1] - one[1] || one[0] - other[0]);
    const lines = now.slice(0, FEW).map(([node, value]) => `node ${node}: ${number(value)}`);
    if (now.length > FEW) lines.push(`and ${now.length - FEW} more nodes`);
    return { text: [`${this.names[row]} at ${secondsOf(time, 6)}`, ...(lines.length ? lines : ["of no node yet"])].join("\n") };
  }
}
