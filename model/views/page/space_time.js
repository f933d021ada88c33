// Who sends what to whom, and when: a line from the sender at the sending to the receiver at arrival.

import { GUTTER } from "page/axis";
import { Fans } from "page/fans";
import { Density, Lane, cross, distance, head, ink } from "page/lanes";
import { count, record, several } from "page/words";

const MOST_LINES = 2500; // more are drawn as density
const MOST_HEADS = 700; // up to so many lines have a mark at their end
const NEAR = 6; // pixels

export class SpaceTime extends Lane {
  constructor(page, run) {
    const { nodes, managers } = run.about;
    const some = managers.length < nodes ? managers : [];
    const rows = page.nodes.shown.map((node) => (some.includes(node) ? "■ " : "") + node);
    const room = (innerHeight - 300) / page.shown.length; // so that both runs are in sight
    const most = page.shown.length > 1 ? Math.max(200, Math.min(340, room)) : 480;
    const height = Math.max(90, rows.length * Math.max(3, Math.min(26, most / rows.length)));
    super(page, run, { name: "space-time", title: "messages", rows, height });
    this.legend = (some.length ? "; ■ is a manager" : "")
      + (run.hasFaults ? "; grey: the node, or its servent, is down or absent" : "");
  }

  draw() {
    const g = this.begin();
    const { page } = this;
    this.frame(g);
    this.outages(g);
    const layers = this.layers();
    const [pale, bright] = layers;
    this.fans = new Fans(this);
    this.dense = pale.count + bright.count > MOST_LINES;
    for (const layer of layers) {
      const faded = layer === pale ? ink("faded") : null;
      if (layer.count > MOST_LINES) layer.picture.paint(g, this.height, page.rankColors.map((color) => faded ?? color));
      else this.lines(g, this.fans.fold(layer.chosen, faded), faded);
    }
    this.fans.draw(g);
    g.restore();
    const refused = pale.refused + bright.refused;
    this.title = count(pale.counted + bright.counted, "message") + (refused ? `, ${refused.toLocaleString("en-US")} refused` : "");
    this.say("in this window, from the sender’s row to the receiver’s"
      + (layers.some(({ count }) => count > MOST_LINES) ? "; too many to draw: the darker, the more are sent or received there" : "")
      + this.legend);
  }

  /** The messages in the window: those that are faded, and the others. */
  layers() {
    const { page, run } = this;
    const { lit, category, isMessage, visible } = run;
    const { starts, ends } = run.spans;
    const { node, peer } = run.items;
    const { rowOf } = page.nodes;
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const [begin, end] = [page.from, page.to];
    const scale = columns / (end - begin);
    const layers = [Boolean(lit), true].map((isUsed) =>
      ({ count: 0, counted: 0, refused: 0, chosen: [], picture: new Density(isUsed ? columns : 0, this.rows.length) }));
    const mark = ({ picture }, at, row, rank) => {
      if (row < 0 || at < begin || at > end) return;
      picture.add(Math.min(columns - 1, Math.floor((at - begin) * scale)), row, rank);
    };
    run.spans.each(begin, end, (i) => {
      if (!isMessage[i] || !visible[i] || !this.has(i)) return;
      const layer = layers[lit ? lit[i] : 1];
      if (layer.count++ < MOST_LINES) layer.chosen.push(i);
      layer.counted += run.counts(i);
      layer.refused += page.isRefused(run, i);
      mark(layer, starts[i], rowOf[node[i]], page.ranks[category[i]]);
      mark(layer, ends[i], rowOf[peer[i]], page.ranks[category[i]]);
    });
    return layers;
  }

  /** Lines, in their own colors unless they are faded. */
  lines(g, chosen, faded) {
    const { page, run } = this;
    const { node, peer, lasts, lost } = run.items;
    const groups = d3.group(chosen, (i) => `${run.category[i]} ${run.items.use[i]}`);
    const width = faded ? 0.6 : chosen.length < 400 ? 1.3 : 1;
    for (const its of groups.values()) {
      g.lineWidth = width * page.boldness(run, its[0]);
      g.strokeStyle = g.fillStyle = faded ?? page.colorOf(run, its[0]);
      g.beginPath();
      for (const i of its) {
        const [from, [x, y]] = this.line(i);
        g.moveTo(...from);
        g.lineTo(node[i] === peer[i] ? x + 2 : x, y);
      }
      g.stroke();
      if (chosen.length > MOST_HEADS) continue;
      for (const i of its) {
        if (lasts[i] < 0) continue; // on its way
        const [from, to] = this.line(i);
        if (lost[i]) cross(g, ...to);
        else head(g, ...from, ...to, page.isRefused(run, i));
      }
    }
  }

  numbers() {
    const { page, run } = this;
    const { node, peer, lost, lasts } = run.items;
    const rows = page.nodes.shown.map((node) => [node, 0, 0, 0, 0, run.secondsDown(node, ...page.times)]);
    const add = (node, column) => page.nodes.rowOf[node] >= 0 && rows[page.nodes.rowOf[node]][column]++;
    run.spans.each(page.from, page.to, (i) => {
      if (!run.counts(i) || !run.visible[i]) return;
      add(node[i], 1);
      if (lasts[i] >= 0) add(peer[i], lost[i] ? 4 : 2);
      if (page.isRefused(run, i)) add(peer[i], 3);
    });
    return { head: ["node", "messages sent", "received", "of these refused", "lost on their way here", "down, s"], rows };
  }

  at(x, y) {
    const bar = this.fans?.at(x, y);
    if (bar) return bar;
    const { page, run } = this;
    const { node, peer } = run.items;
    const at = page.nodes.shown[this.rowAt(y)];
    const here = [];
    let [best, nearest] = [-1, NEAR];
    run.spans.each(page.position(x - NEAR), page.position(x + NEAR), (i) => {
      if (!run.isMessage[i] || !run.visible[i] || !this.has(i)) return;
      if (this.dense && run.counts(i) && (node[i] === at || peer[i] === at)) here.push(i);
      const [from, to] = this.line(i);
      const away = distance(x, y, ...from, ...to) + (run.lit && !run.lit[i] ? 2 : 0);
      if (away < nearest) [best, nearest] = [i, away];
    });
    if (this.dense && here.length > 3) return { text: several(run, here, `node ${at}`) };
    return best < 0 ? null : { item: best, text: record(run, best) };
  }

  /** The middle of a node's row; nodes without one are below the last. */
  y(node) {
    const row = this.page.nodes.rowOf[node];
    return row < 0 ? this.height : this.middle(row);
  }

  /** Where a message is sent and where it arrives, in pixels of the canvas. */
  line(i) {
    const { page, run } = this;
    const { starts, ends } = run.spans;
    const { node, peer } = run.items;
    return [[page.place(starts[i]), this.y(node[i])], [page.place(ends[i]), this.y(peer[i])]];
  }

  /** Whether a node with a row has sent or received it, or done it. */
  has(i) {
    const { rowOf } = this.page.nodes;
    const { node, peer } = this.run.items;
    return rowOf[node[i]] >= 0 || (this.run.isMessage[i] && rowOf[peer[i]] >= 0);
  }

  place(i) {
    const [[x0, y0], [x1, y1]] = this.line(i);
    return this.run.isMessage[i] ? [(x0 + x1) / 2, (y0 + y1) / 2] : [x0, y0];
  }
}
