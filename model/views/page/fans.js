// Messages that are alike, from one node or to one: drawn as one bar with their count, until opened.

import { GUTTER, secondsOf } from "page/axis";
import { head, ink, lineThrough } from "page/lanes";

const FEWEST = 8; // messages of a fan
const NARROW = 4; // pixels from one to the next: what is wider apart is drawn as lines
const HIGH = 6; // pixels of a bar
const LINE = 13; // and of its text
const SAMPLE = 12; // pixels for its color, beside the text
const MOST_SHAPES = 24; // fans in sight of which the shape is drawn
const NEAR = 40; // pixels from each other, at which bars without width have one text

/** Find of each message that of its two fans (see `Fans` in flow.py) which is large enough: run.fan, by item. */
function findFans(run) {
  const { out, into } = run.items;
  const sizes = new Map();
  for (const fans of [out, into]) for (const fan of fans) sizes.set(fan, (sizes.get(fan) ?? 0) + 1);
  run.fan = Int32Array.from(out, (own, i) => [own, into[i]].find((fan) => sizes.get(fan) >= FEWEST) ?? -1);
  run.opened ??= new Set();
}

export class Fans {
  constructor(lane) {
    this.lane = lane;
    this.bars = [];
  }

  /** Of some messages those that are drawn as lines; the others become bars. */
  fold(chosen, faded) {
    const { page, run } = this.lane;
    if (run.fan?.length !== run.count) findFans(run);
    const lines = [];
    for (const [fan, its] of d3.group(chosen, (i) => run.fan[i])) {
      const isOut = fan === run.items.out[its[0]];
      const [first, last] = d3.extent(its, (i) => page.place((isOut ? run.spans.starts : run.spans.ends)[i]));
      const isNarrow = last - first < NARROW * its.length;
      if (fan < 0 || its.length < FEWEST || !isNarrow || run.opened.has(fan)) lines.push(...its);
      else this.bars.push({ fan, its, faded, hub: run.items[isOut ? "node" : "peer"][its[0]] });
    }
    return lines;
  }

  draw(g) {
    const { lane, bars } = this;
    const { page, run } = lane;
    const texts = new Map();
    for (const bar of bars) {
      const { its, faded, hub } = bar;
      const points = its.flatMap((i) => lane.line(i));
      const [left, right] = d3.extent(points, ([x]) => Math.max(GUTTER, Math.min(page.width, x)));
      const y = lane.y(hub);
      Object.assign(bar, { left: left - 2, right: Math.max(right, left + HIGH), y });
      g.fillStyle = g.strokeStyle = faded ?? page.colorOf(run, its[0]);
      const hull = bars.length <= MOST_SHAPES && d3.polygonHull(points);
      if (hull) {
        const shape = lineThrough(hull, true);
        g.globalAlpha = 0.12;
        g.fill(shape);
        g.globalAlpha = 1;
        g.lineWidth = 0.8;
        g.stroke(shape);
      }
      g.fillRect(bar.left, y - HIGH / 2, bar.right - bar.left, HIGH);
      if (hull) for (const i of its) if (run.items.lasts[i] >= 0 && !run.items.lost[i]) head(g, ...lane.line(i).flat(), page.isRefused(run, i));
      const [x, down] = hull ? d3.polygonCentroid(hull) : [bar.right + 4 + NEAR, y];
      const place = right - left > HIGH ? bar.fan : Math.round(x / NEAR);
      const key = `${run.name(its[0])} ${place} ${faded}`;
      const before = texts.get(key) ?? { name: run.name(its[0]), color: g.fillStyle, count: 0, x, y: down, faded };
      texts.set(key, { ...before, count: before.count + its.length });
    }
    this.write(g, texts.values());
  }

  /** Texts at their places, or below what is there. */
  write(g, texts) {
    const { lane } = this;
    const taken = [];
    g.font = "11px system-ui, sans-serif";
    g.textAlign = "center";
    for (const { name, color, count, x, y, faded } of texts) {
      const text = `${count.toLocaleString("en-US")} ${name}`;
      const half = (g.measureText(text).width + SAMPLE) / 2 + 3;
      const middle = Math.max(GUTTER + half, Math.min(lane.page.width - half, x));
      let down = Math.max(LINE / 2, y);
      while (taken.some((it) => Math.abs(it.x - middle) < it.half + half && Math.abs(it.down - down) < LINE)) down += LINE;
      if (down > lane.height) continue;
      taken.push({ x: middle, half, down });
      g.fillStyle = ink("paper");
      g.globalAlpha = 0.85;
      g.fillRect(middle - half, down - LINE / 2, 2 * half, LINE);
      g.globalAlpha = 1;
      g.fillStyle = color;
      g.fillRect(middle - half + 3, down - 3.5, 7, 7);
      g.fillStyle = faded ? ink("grey") : ink("ink");
      g.fillText(text, middle + SAMPLE / 2, down);
    }
  }

  /** The fan whose bar is at a place: its text, and how to open it; undefined if there is none. */
  at(x, y) {
    const bar = this.bars.findLast((its) => x >= its.left - 2 && x <= its.right + 2 && Math.abs(y - its.y) <= HIGH);
    if (!bar) return undefined;
    const { page, run } = this.lane;
    const { its, hub } = bar;
    const { node, peer, time } = run.items;
    const others = d3.sort(new Set(its.map((i) => (node[i] === hub ? peer[i] : node[i]))));
    const way = node[its[0]] === hub ? `from node ${hub} to` : `to node ${hub} from`;
    const uses = d3.rollups(its, (some) => some.length, (i) => run.word("use", i)).filter(([use]) => use);
    const open = () => {
      run.opened.add(bar.fan);
      page.redraw();
    };
    const lines = [
      `${its.length} ${run.name(its[0])} ${way} ${others.length > 1 ? `${others.length} nodes, ${others[0]} to ${others.at(-1)}` : `node ${others[0]}`}`,
      `${secondsOf(time[its[0]])} to ${secondsOf(d3.max(its, (i) => run.ends[i]))}`,
      ...uses.map(([use, count]) => `${count} ${use}`),
      "A click shows each.",
    ];
    return { text: lines.join("\n"), open };
  }
}
