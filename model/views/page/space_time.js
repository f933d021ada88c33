// Who sends what to whom, and when: a line from the sender at the sending to the receiver at arrival.

import { GUTTER } from "page/axis";
import { Density, Lane, cross, distance, ink, onPaper } from "page/lanes";
import { record, several } from "page/words";

const MOST_LINES = 2500; // more are drawn as density
const MOST_HEADS = 700; // up to so many lines have a mark at their end
const MOST_TICKS = 400; // and a tick at their start, if the other run has none of them
const NEAR = 6; // pixels

export class SpaceTime extends Lane {
  constructor(page, run) {
    const { nodes, managers } = run.about;
    const manages = new Set(managers);
    const rows = d3.range(nodes).map((node) => (manages.has(node) ? "■ " : "") + node);
    const most = page.shown.length > 1 ? 340 : 480;
    const height = Math.max(90, nodes * Math.max(3, Math.min(26, most / nodes)));
    const title = "messages from node to node";
    super(page, run, { name: "space-time", title, rows, height });
  }

  draw() {
    const g = this.begin();
    const { page, run } = this;
    this.frame(g);
    this.outages(g);
    const layers = this.layers();
    const [pale, bright] = layers;
    this.dense = pale.count + bright.count > MOST_LINES;
    for (const { count, chosen, picture, alpha } of layers) {
      if (count > MOST_LINES) picture.paint(g, GUTTER, 0, this.height, page.rankColors, alpha);
      else this.lines(g, chosen, alpha);
    }
    g.restore();
    const shown = pale.count + bright.count;
    const note = `${shown.toLocaleString("en-US")} message${shown === 1 ? "" : "s"} in this window`
      + (layers.some(({ count }) => count > MOST_LINES) ? ", so many that their density is shown at sender and receiver" : "")
      + (run.about.managers.length ? "; ■ manages" : "")
      + (run.hasRefusals ? "; ○ refused" : "")
      + (run.partner ? "; a red tick at the sender: the other run has no such message" : "")
      + (run.hasFaults ? "; ✕ lost; grey: a node or its servent is down" : "");
    if (note !== this.note) {
      this.note = note;
      this.say();
    }
  }

  /** The messages in the window: those that are faded, and the others. */
  layers() {
    const { page, run } = this;
    const { lit, visible, isMessage, category } = run;
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const scale = columns / (page.to - page.from);
    const { starts, ends } = run.spans;
    const { node, peer } = run.items;
    const layers = [lit ? 0.13 : 0, 1].map((alpha) =>
      ({ alpha, count: 0, chosen: [], picture: new Density(alpha ? columns : 0, this.rows.length) }));
    for (const [first, last] of run.spans.within(page.from, page.to)) {
      for (let i = first; i < last; i++) {
        if (!isMessage[i] || !visible[i] || ends[i] < page.from) continue;
        const layer = layers[lit ? lit[i] : 1];
        if (layer.count++ < MOST_LINES) layer.chosen.push(i);
        const rank = page.ranks[category[i]];
        const left = Math.floor((starts[i] - page.from) * scale);
        if (left >= 0) layer.picture.add(Math.min(left, columns - 1), node[i], rank);
        const right = Math.floor((ends[i] - page.from) * scale);
        if (ends[i] <= page.to) layer.picture.add(Math.min(right, columns - 1), peer[i], rank);
      }
    }
    return layers;
  }

  lines(g, chosen, alpha) {
    const { page, run } = this;
    const { starts, ends } = run.spans;
    const { node, peer, lasts, lost } = run.items;
    const groups = d3.group(chosen, (i) => `${run.category[i]} ${run.items.use[i]}`);
    g.globalAlpha = alpha;
    const width = chosen.length < 400 ? 1.3 : 1;
    for (const its of groups.values()) {
      g.lineWidth = width * page.boldness(run, its[0]);
      const color = onPaper(page.categories[run.category[its[0]]].color);
      g.strokeStyle = g.fillStyle = color;
      g.globalAlpha = alpha * page.strength(run, its[0]);
      g.beginPath();
      for (const i of its) {
        g.moveTo(page.place(starts[i]), this.middle(node[i]));
        if (node[i] === peer[i]) g.lineTo(page.place(ends[i]) + 2, this.middle(peer[i]));
        else g.lineTo(page.place(ends[i]), this.middle(peer[i]));
      }
      g.stroke();
      if (chosen.length > MOST_HEADS) continue;
      const hollow = page.isRefused(run, its[0]);
      for (const i of its) {
        if (lasts[i] < 0) continue; // on its way
        const [x, y] = [page.place(ends[i]), this.middle(peer[i])];
        if (lost[i]) cross(g, x, y);
        else {
          g.beginPath();
          g.arc(x, y, 2.6, 0, 2 * Math.PI);
          if (hollow) {
            g.save();
            g.fillStyle = ink("paper");
            g.fill();
            g.restore();
            g.stroke();
          } else g.fill();
        }
      }
    }
    g.globalAlpha = alpha;
    g.lineWidth = width;
    if (run.partner && chosen.length <= MOST_TICKS) {
      g.strokeStyle = ink("accent");
      g.beginPath();
      for (const i of chosen) {
        if (run.partner[i] >= 0) continue;
        const [x, y] = [page.place(starts[i]), this.middle(node[i])];
        g.moveTo(x, y - 5);
        g.lineTo(x, y + 5);
      }
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  at(x, y) {
    const { page, run } = this;
    const { starts, ends } = run.spans;
    const { node, peer } = run.items;
    const [from, to] = [page.position(x - NEAR), page.position(x + NEAR)];
    const row = this.rowAt(y);
    const here = [];
    let [best, nearest] = [-1, NEAR];
    for (const [first, last] of run.spans.within(from, to)) {
      for (let i = first; i < last; i++) {
        if (!run.isMessage[i] || !run.visible[i] || ends[i] < from) continue;
        if (this.dense && (node[i] === row || peer[i] === row)) here.push(i);
        const faded = run.lit && !run.lit[i] ? 2 : 0;
        const away = faded + distance(
          x, y, page.place(starts[i]), this.middle(node[i]), page.place(ends[i]), this.middle(peer[i]));
        if (away < nearest) [best, nearest] = [i, away];
      }
    }
    if (this.dense && here.length > 3) return { text: several(run, here, `node ${row}`) };
    return best < 0 ? null : { item: best, text: record(run, best) };
  }

  /** Where an item is, in pixels of the canvas. */
  place(i) {
    const { starts, ends } = this.run.spans;
    const { node, peer } = this.run.items;
    return [
      (this.page.place(starts[i]) + this.page.place(ends[i])) / 2,
      (this.middle(node[i]) + this.middle(peer[i])) / 2,
    ];
  }
}
