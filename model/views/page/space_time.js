// Who sends what to whom, and when: a line from the sender at the sending to the receiver at arrival.

import { GUTTER } from "page/axis";
import { Fans } from "page/fans";
import { Density, Lane, cross, distance, head, ink } from "page/lanes";
import { record, several } from "page/words";

const MOST_LINES = 2500; // more are drawn as density
const MOST_HEADS = 700; // up to so many lines have a mark at their end
const NEAR = 6; // pixels
const SKIP = -2; // a row of nothing that is drawn

export class SpaceTime extends Lane {
  constructor(page, run) {
    const { nodes, managers } = run.about;
    const some = managers.length < nodes ? managers : [];
    const rows = page.nodes.shown.map((node) => (some.includes(node) ? "■ " : "") + node);
    const most = page.shown.length > 1 ? 340 : 480;
    const height = Math.max(90, rows.length * Math.max(3, Math.min(26, most / rows.length)));
    const title = "messages from node to node";
    super(page, run, { name: "space-time", title, rows, height });
    this.some = some;
  }

  draw() {
    const g = this.begin();
    const { page, run } = this;
    this.frame(g);
    this.outages(g);
    const layers = this.layers();
    const [pale, bright] = layers;
    this.fans = new Fans(this);
    this.dense = pale.count + bright.count > MOST_LINES;
    for (const layer of layers) {
      const faded = layer === pale ? ink("faded") : null;
      const colors = page.rankColors.map((color) => faded ?? color);
      if (layer.count > MOST_LINES) layer.picture.paint(g, GUTTER, 0, this.height, colors);
      else this.lines(g, this.fans.fold(layer.chosen, faded), faded);
    }
    this.fans.draw(g);
    g.restore();
    const shown = pale.counted + bright.counted;
    const note = `${shown.toLocaleString("en-US")} message${shown === 1 ? "" : "s"} in this window`
      + (layers.some(({ count }) => count > MOST_LINES) ? ", so many that their density is shown at sender and receiver" : "")
      + (this.some.length ? "; ■ manages" : "")
      + (run.hasRefusals ? "; △ refused" : "")
      + (run.hasFaults ? "; ✕ lost; grey: a node, or its servent, is down or not there" : "");
    if (note !== this.note) {
      this.note = note;
      this.say();
    }
  }

  /** Find of each item the row of its sender (SKIP: it is not here) and receiver, and its kind's rank. */
  placed() {
    const { page, run } = this;
    if (this.of !== run.visible) {
      const { rowOf } = page.nodes;
      const { node, peer } = run.items;
      this.of = run.visible;
      this.senders = Int16Array.from(node, (its, i) => (run.isMessage[i] && run.visible[i] && this.has(i) ? rowOf[its] : SKIP));
      this.receivers = Int16Array.from(peer, (its) => (its < 0 ? -1 : rowOf[its]));
      this.kinds = Uint8Array.from(run.category, (category) => page.ranks[category]);
    }
    return this;
  }

  /** The messages in the window: those that are faded, and the others. */
  layers() {
    const { page, run } = this;
    const { lit } = run;
    const { senders, receivers, kinds } = this.placed();
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const [begin, end] = [page.from, page.to];
    const scale = columns / (end - begin);
    const { starts, ends } = run.spans;
    const layers = [Boolean(lit), true].map((isUsed) =>
      ({ count: 0, counted: 0, chosen: [], picture: new Density(isUsed ? columns : 0, this.rows.length) }));
    for (const [first, last] of run.spans.within(begin, end)) {
      for (let i = first; i < last; i++) {
        const sender = senders[i];
        const receiver = receivers[i];
        if (sender === SKIP || ends[i] < begin) continue;
        const layer = layers[lit ? lit[i] : 1];
        if (layer.count++ < MOST_LINES) layer.chosen.push(i);
        layer.counted += run.counts(i);
        const left = Math.floor((starts[i] - begin) * scale);
        if (left >= 0 && sender >= 0) layer.picture.add(Math.min(left, columns - 1), sender, kinds[i]);
        const right = Math.floor((ends[i] - begin) * scale);
        if (ends[i] <= end && receiver >= 0) layer.picture.add(Math.min(right, columns - 1), receiver, kinds[i]);
      }
    }
    return layers;
  }

  /** Lines, in their own colors unless they are faded. */
  lines(g, chosen, faded) {
    const { page, run } = this;
    const { starts, ends } = run.spans;
    const { node, peer, lasts, lost } = run.items;
    const groups = d3.group(chosen, (i) => `${run.category[i]} ${run.items.use[i]}`);
    const width = faded ? 0.6 : chosen.length < 400 ? 1.3 : 1;
    for (const its of groups.values()) {
      g.lineWidth = width * page.boldness(run, its[0]);
      g.strokeStyle = g.fillStyle = faded ?? page.colorOf(run, its[0]);
      g.beginPath();
      for (const i of its) {
        g.moveTo(page.place(starts[i]), this.y(node[i]));
        if (node[i] === peer[i]) g.lineTo(page.place(ends[i]) + 2, this.y(peer[i]));
        else g.lineTo(page.place(ends[i]), this.y(peer[i]));
      }
      g.stroke();
      if (chosen.length > MOST_HEADS) continue;
      const hollow = page.isRefused(run, its[0]);
      for (const i of its) {
        if (lasts[i] < 0) continue; // on its way
        const [x, y] = [page.place(ends[i]), this.y(peer[i])];
        if (lost[i]) cross(g, x, y);
        else head(g, page.place(starts[i]), this.y(node[i]), x, y, hollow);
      }
    }
  }

  at(x, y) {
    const bar = this.fans?.at(x, y);
    if (bar) return bar;
    const { page, run } = this;
    const { starts, ends } = run.spans;
    const { node, peer } = run.items;
    const [from, to] = [page.position(x - NEAR), page.position(x + NEAR)];
    const at = page.nodes.shown[this.rowAt(y)];
    const here = [];
    let [best, nearest] = [-1, NEAR];
    for (const [first, last] of run.spans.within(from, to)) {
      for (let i = first; i < last; i++) {
        if (!run.isMessage[i] || !run.visible[i] || ends[i] < from || !this.has(i)) continue;
        if (this.dense && run.counts(i) && (node[i] === at || peer[i] === at)) here.push(i);
        const faded = run.lit && !run.lit[i] ? 2 : 0;
        const away = faded + distance(
          x, y, page.place(starts[i]), this.y(node[i]), page.place(ends[i]), this.y(peer[i]));
        if (away < nearest) [best, nearest] = [i, away];
      }
    }
    if (this.dense && here.length > 3) return { text: several(run, here, `node ${at}`) };
    return best < 0 ? null : { item: best, text: record(run, best) };
  }

  /** The middle of a node's row; nodes without one are below the last. */
  y(node) {
    const row = this.page.nodes.rowOf[node];
    return row < 0 ? this.height : this.middle(row);
  }

  /** Whether a node with a row has sent or received it, or done it. */
  has(i) {
    const { rowOf } = this.page.nodes;
    const { node, peer } = this.run.items;
    return rowOf[node[i]] >= 0 || (this.run.isMessage[i] && rowOf[peer[i]] >= 0);
  }

  /** Where an item is, in pixels of the canvas. */
  place(i) {
    const { starts, ends } = this.run.spans;
    const { node, peer } = this.run.items;
    if (!this.run.isMessage[i]) return [this.page.place(starts[i]), this.y(node[i])];
    return [
      (this.page.place(starts[i]) + this.page.place(ends[i])) / 2,
      (this.y(node[i]) + this.y(peer[i])) / 2,
    ];
  }
}
