// Values that roles report of themselves: a row for each, a line for each node.

import { GUTTER, secondsOf } from "page/axis";
import { Lane, ink } from "page/lanes";
import { count } from "page/words";

const ROW = 40;
const FEW = 10; // nodes that are listed
const number = (value) => value.toLocaleString("en-US", { maximumSignificantDigits: 4 });

export class Levels extends Lane {
  constructor(page, run) {
    const names = [...run.levels.keys()];
    const series = [...run.levels.values()].map((its) => its.filter(({ node }) => page.nodes.rowOf[node] >= 0));
    const extents = series.map((its) => d3.extent([0, ...its.flatMap(({ values }) => d3.extent(values))]));
    const scales = extents.map(([least, most], row) => `${names[row]} ${least < 0 ? `${number(least)} to ` : ""}${number(most)}`);
    super(page, run, {
      name: "levels", title: `${count(names.length, "value")} that roles report`, height: ROW * names.length,
      rows: names.map((name) => name.split(" ").pop()),
      note: [`one line per node; full height: ${scales.join(", ")}`],
    });
    Object.assign(this, { names, series, extents });
  }

  draw() {
    const g = this.begin();
    const { page } = this;
    this.frame(g);
    g.strokeStyle = ink("queue");
    g.lineWidth = 1.2;
    const [from, to] = page.times;
    this.series.forEach((its, row) => {
      const y = d3.scaleLinear(this.extents[row], [this.top(row + 1) - 3, this.top(row) + 3]);
      const line = d3.line(([x]) => x, ([, value]) => y(value)).defined(([, value]) => !Number.isNaN(value)).curve(d3.curveStepAfter);
      g.globalAlpha = its.length > 8 ? 0.7 : 1;
      for (const { at, values } of its) {
        const steps = d3.range(Math.max(0, d3.bisectRight(at, from) - 1), d3.bisectRight(at, to));
        if (!steps.length) continue;
        const points = steps.map((i) => [Math.max(GUTTER, page.x(at[i])), values[i]]);
        g.stroke(new Path2D(line([...points, [page.width, points.at(-1)[1]]]) ?? ""));
      }
    });
    g.restore();
  }

  numbers() {
    const [, to] = this.page.times;
    const rows = this.page.nodes.shown.map((node) => [node, ...this.series.map((its) => {
      const one = its.find((other) => other.node === node);
      return one?.values[d3.bisectRight(one.at, to) - 1] ?? "";
    })]);
    return { head: ["node", ...this.names.map((name) => `${name} at the end of the window`)], rows };
  }

  at(x, y) {
    const row = this.rowAt(y);
    const time = this.page.timeOf(this.page.position(x));
    const all = this.series[row].map(({ node, at, values }) => [node, values[d3.bisectRight(at, time) - 1] ?? NaN]);
    const now = d3.sort(all.filter(([, value]) => !Number.isNaN(value)), ([, value]) => -value, ([node]) => node);
    const lines = now.slice(0, FEW).map(([node, value]) => `node ${node}: ${number(value)}`);
    if (now.length > FEW) lines.push(`and ${now.length - FEW} more nodes`);
    return { text: [`${this.names[row]} at ${secondsOf(time, 6)}`, ...(lines.length ? lines : ["no value yet"])].join("\n") };
  }
}
