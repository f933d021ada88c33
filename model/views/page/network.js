// The network at one moment: nodes and their memory, links by use, messages moving and waiting.

import { spanOf } from "page/axis";
import { make } from "page/elements";
import { Lane, cross, distance, head, ink, lineThrough, sample } from "page/lanes";
import { BYTES_PER_MB, count, memoryOf, record } from "page/words";

const EDGE = 1150; // of the picture in its own measure, from the middle
const DOT = 24, STACK_STEP = 48;
const SWITCH = 45;
const SQUARE = 0.84; // half a side of the square in place of a circle, times its radius
const HIGHEST_STACK = 6; // dots of messages that wait; the count beside them is how many do
const MOST_DOTS = 800;
const HEIGHT = [400, 320]; // pixels, of one run and of each of two
const NEAR = 7;

export class Network extends Lane {
  constructor(page, run) {
    super(page, run, { name: "network", title: "network", rows: [], height: HEIGHT[page.shown.length - 1] });
    this.points = run.about.network.points;
    const heights = new Set(this.points.slice(0, run.about.nodes).map(([, y]) => y));
    this.isWide = heights.size <= run.about.nodes / 8; // nodes are in rows, which may be stretched
    this.manages = new Set(run.about.managers);
    this.marks = []; // of messages, where they are drawn: [x, y, item]
    this.log = make("div", { className: "log" });
    this.element.append(this.log);
    const scale = (...colors) => sample({ background: `linear-gradient(90deg,${colors})` }, "scale");
    this.legend = [
      scale(shade(0), shade(1)), "node: RAM in use",
      sample({ border: "2px solid var(--on_disk)" }), "thick edge: it pages to its disk",
      new Set(run.about.rams).size > 1 ? " · area: its amount of RAM" : "",
      this.manages.size ? " · square: a manager" : "",
      ...(run.about.every_hop
        ? [scale(...[0, 0.5, 1].map(busy)), "link: busy, 0 to 100 % of the window below"]
        : [" · arrow: a message on its way (this journal has no hops)"]),
    ];
  }

  get width() {
    return Math.min(this.page.width / (this.page.width > 900 ? this.page.shown.length : 1), (this.isWide ? 2.4 : 1.25) * this.height);
  }

  /** From the picture's own measure to pixels. */
  pixel([x, y]) {
    return [this.width / 2 + x * (this.isWide ? this.width / (2 * EDGE) : this.scale), this.height / 2 + y * this.scale];
  }

  get scale() {
    return Math.min(this.width, this.height) / (2 * EDGE);
  }

  /** The pixel at which a node or switch is. */
  spot(vertex) {
    return this.pixel(this.points[vertex]);
  }

  draw() {
    const g = this.begin();
    const { wires, switches } = this.run.about.network;
    const used = this.used();
    for (const [one, other, stations] of wires) {
      const share = d3.max(stations, (name) => used.get(name) ?? 0);
      g.strokeStyle = share > 0 ? busy(share) : ink("wire");
      g.lineWidth = share > 0 ? 1.2 + 3 * share : 0.8;
      g.stroke(lineThrough([this.spot(one), this.spot(other)]));
    }
    for (const [place, name] of switches) {
      const [x, y] = this.spot(place);
      const size = Math.max(4, SWITCH * this.scale);
      const share = used.get(name) ?? 0;
      g.fillStyle = share > 0 ? busy(share) : ink("ink");
      g.fill(lineThrough([[x - size, y], [x, y - size], [x + size, y], [x, y + size]], true));
    }
    for (let node = 0; node < this.run.about.nodes; node++) this.drawNode(g, node);
    this.drawMessages(g);
  }

  drawNode(g, node) {
    const { run, page } = this;
    const [x, y] = this.spot(node);
    const radius = this.radiusOf(node);
    const memory = run.memoryAt(node, page.moment.at);
    const down = run.downAt(node, page.moment.at);
    const share = memory ? (memory.own + memory.lent) / run.about.rams[node] : 0;
    g.beginPath();
    const half = SQUARE * radius;
    if (this.manages.has(node)) g.rect(x - half, y - half, 2 * half, 2 * half);
    else g.arc(x, y, radius, 0, 2 * Math.PI);
    g.fillStyle = down ? ink(down) : shade(share);
    g.fill();
    g.strokeStyle = memory?.on_disk ? ink("on_disk") : ink("ink");
    g.lineWidth = memory?.on_disk ? 3.5 : 1;
    g.setLineDash(down ? [4, 3] : []);
    g.stroke();
    g.setLineDash([]);
    if (page.node === node) {
      g.strokeStyle = ink("accent");
      g.lineWidth = 2.5;
      g.strokeRect(x - radius - 4, y - radius - 4, 2 * radius + 8, 2 * radius + 8);
    }
    g.textAlign = "center";
    if (radius >= 8) {
      g.fillStyle = share > 0.5 && !down ? "#ffffff" : "#111111";
      g.font = `${Math.min(12, radius * (node > 99 ? 0.9 : 1.1))}px system-ui, sans-serif`;
      g.fillText(node, x, y);
    } else if (this.hasRoom(node)) {
      const [dx, dy] = run.about.network.outwards[node];
      g.fillStyle = ink("ink");
      g.font = "9px system-ui, sans-serif";
      g.fillText(node, x + dx * (radius + 9), y + dy * (radius + 7));
    }
  }

  /** A node's, so that its area is in proportion to its RAM. */
  radiusOf(node) {
    const { rams } = this.run.about;
    return Math.max(3, this.radius * Math.sqrt(rams[node] / d3.max(rams)));
  }

  /** As large as nodes may be without touching each other. */
  get radius() {
    if (this.fits?.width !== this.width) {
      const nodes = d3.range(this.run.about.nodes).map((node) => this.spot(node));
      const around = d3.Delaunay.from(nodes);
      const apart = d3.min(nodes, ([x, y], node) => d3.min(around.neighbors(node), (other) => Math.hypot(nodes[other][0] - x, nodes[other][1] - y)));
      this.fits = { width: this.width, around, radius: Math.max(3, Math.min(15, 0.42 * (apart ?? Infinity))) };
    }
    return this.fits.radius;
  }

  /** Whether a node has room for its number beside its mark: one of every few, away from others. */
  hasRoom(node) {
    const every = 2 ** Math.max(0, Math.ceil(Math.log2(10 / (2.4 * this.radius))));
    const [[x, y], [dx, dy]] = [this.spot(node), this.run.about.network.outwards[node]];
    return node % every === 0 && this.fits.around.find(x + 12 * dx, y + 12 * dy, node) === node;
  }

  /** The share of the window in which each station is busy, by its name. */
  used() {
    const { page, run } = this;
    const [from, to] = [page.timeOf(page.from), Math.min(page.timeOf(page.to), run.about.last)];
    if (this.usedIn?.from !== from || this.usedIn.to !== to) {
      const sums = new Map();
      const { at, waits, lasts, station } = run.hops;
      for (let i = 0; i < at.length && at[i] < to; i++) {
        const start = at[i] + waits[i];
        const took = Math.min(to, start + lasts[i]) - Math.max(from, start);
        if (took > 0) sums.set(station[i], (sums.get(station[i]) ?? 0) + took);
      }
      const names = run.about.words.station;
      this.usedIn = { from, to, shares: new Map(Array.from(sums, ([code, sum]) => [names[code], sum / (to - from)])) };
    }
    return this.usedIn.shares;
  }

  // -- messages --------------------------------------------------------------------------------

  drawMessages(g) {
    const { page, run } = this;
    const { peer } = run.items;
    const stacks = new Map();
    this.marks = [];
    let more = 0;
    const underWay = run.underWay(page.moment.at);
    for (const i of underWay) {
      const where = run.about.every_hop ? run.placeOf(i, page.moment.at, this.points) : { foot: null };
      if (where.foot !== null) {
        if (!stacks.has(where.foot)) stacks.set(where.foot, []);
        stacks.get(where.foot).push([where.start, i]);
      } else if (this.marks.length >= MOST_DOTS) more++;
      else if (where.at) this.dot(g, i, this.pixel(where.at));
      else this.arrow(g, i);
    }
    for (const [foot, stack] of stacks) this.stack(g, foot, d3.sort(stack, ([start]) => start ?? 0));
    for (const i of run.lostBetween(page.moment.since, page.moment.at)) {
      const [x, y] = this.spot(peer[i]);
      const place = [x + this.radius + 6, y - this.radius - 4];
      cross(g, ...place);
      this.marks.push([...place, i]);
    }
    this.title = `${count(underWay.length, "message")} on the way`;
    this.say(...this.legend, more ? ` · ${count(more, "message")} more on the way, not drawn` : "");
  }

  dot(g, i, [x, y]) {
    const { page, run } = this;
    const colors = [page.colorOf(run, i), ink("paper")];
    const isHollow = page.isRefused(run, i);
    g.beginPath();
    g.arc(x, y, Math.max(4.5, DOT * this.scale), 0, 2 * Math.PI);
    [g.fillStyle, g.strokeStyle] = isHollow ? colors.reverse() : colors;
    g.lineWidth = isHollow ? 2.5 : 1;
    g.fill();
    g.stroke();
    this.marks.push([x, y, i]);
  }

  /** Messages at a vertex: those that wait there, and those that begin there. */
  stack(g, foot, its) {
    const [x, y] = this.points[foot];
    const away = Math.hypot(x, y);
    const inwards = away > 1 ? [-x / away, -y / away] : [0, -1]; // where there is room
    const first = (foot < this.run.about.nodes ? this.radius / this.scale : SWITCH) + 22;
    const at = (place) => this.pixel(inwards.map((part, axis) => this.points[foot][axis] + part * (first + place * STACK_STEP)));
    its.slice(0, HIGHEST_STACK).forEach(([, i], place) => this.dot(g, i, at(place)));
    const wait = its.filter(([start]) => start !== null).length;
    if (wait < 2) return;
    g.font = "bold 11px system-ui, sans-serif";
    g.textAlign = "center";
    g.lineWidth = 3;
    g.strokeStyle = ink("paper");
    g.fillStyle = ink("ink");
    const place = at(Math.min(its.length, HIGHEST_STACK) + 0.8);
    g.strokeText(`${wait} wait`, ...place);
    g.fillText(`${wait} wait`, ...place);
  }

  /** A message of which only the ends are known. */
  arrow(g, i) {
    const { page, run } = this;
    const ends = [run.items.node[i], run.items.peer[i]].map((node) => this.points[node]);
    const bend = [0, 1].map((axis) => 0.6 * d3.mean(ends, (point) => point[axis])); // else it hides behind a row
    const [from, bent, to] = [ends[0], bend, ends[1]].map((point) => this.pixel(point));
    g.strokeStyle = g.fillStyle = page.colorOf(run, i);
    g.lineWidth = 1.5;
    g.stroke(new Path2D(`M${from} Q${bent} ${to}`));
    head(g, ...bent, ...to, page.isRefused(run, i));
    this.marks.push([...to, i]);
  }

  // -- what is under the pointer ---------------------------------------------------------------

  at(x, y) {
    const { run, page } = this;
    const [mx, my, item] = d3.least(this.marks, ([mx, my]) => Math.hypot(mx - x, my - y)) ?? [Infinity, Infinity, -1];
    if (Math.hypot(mx - x, my - y) < NEAR) return { item, text: record(run, item) };
    const away = (vertex) => d3.max(this.spot(vertex), (at, axis) => Math.abs(at - [x, y][axis]));
    const node = d3.range(run.about.nodes).find((node) => away(node) <= this.radius + 2);
    if (node !== undefined) return { node, text: [`node ${node}`, ...memoryOf(run, node, page.moment.at)].join("\n") };
    const { switches, wires } = run.about.network;
    const vertex = switches.find(([place]) => away(place) < NEAR + 3);
    if (vertex) return { text: this.load(vertex[1]) };
    const wire = wires.find(([one, other]) => distance(x, y, ...this.spot(one), ...this.spot(other)) < 4);
    return wire ? { text: this.load(...wire[2]) } : null;
  }

  numbers() {
    const { run, page } = this;
    const { at } = page.moment;
    const from = d3.rollup(run.underWay(at), (its) => its.length, (i) => run.items.node[i]);
    const to = d3.rollup(run.underWay(at), (its) => its.length, (i) => run.items.peer[i]);
    const rows = d3.range(run.about.nodes).map((node) => {
      const memory = run.memoryAt(node, at) ?? {};
      const [own, lent, onDisk] = ["own", "lent", "on_disk"].map((part) => (memory[part] ?? 0) / BYTES_PER_MB);
      return [node, own, lent, onDisk, from.get(node) ?? 0, to.get(node) ?? 0, run.downAt(node, at) ? "yes" : "no"];
    });
    return { head: ["node", "own processes, MB", "lent to others, MB", "on disk, MB", "messages under way from it", "to it", "is down"], rows };
  }

  load(...names) {
    const window = spanOf(this.usedIn.to - this.usedIn.from);
    return names.map((name) => `${name}: busy ${(100 * (this.used().get(name) ?? 0)).toFixed(1)} % of ${window}`).join("\n");
  }
}

/** From white (0) to dark blue (1): how much of a node's RAM is in use. */
const shade = (share) => d3.interpolateRgb("#ffffff", "#005a96")(Math.min(1, share));

/** A link's color by its use, from pale yellow to dark red. */
const busy = (share) => d3.piecewise(d3.interpolateRgb, ["#ecc45a", "#e66e28", "#960a28"])(Math.min(1, share));
