"use strict";
// Draws one run: its network with what is on its way, and its memory.
// Times are in ns; places are those of the network's vertices.

const SVG = "http://www.w3.org/2000/svg";
const HIGHEST_STACK = 6;       // dots of messages that wait; the count beside them is how many do
const DOT = 17, STACK_STEP = 30;
const WAITS = "waits", MOVES = "moves";
const MEMORY = [               // the parts of a node's memory, in the order of the server
  ["own processes", "#56B4E9"], ["lent to others", "#009E73"], ["idle", "var(--idle)"],
  ["of a crashed node", "#777777"],
  ["borrowed from others", "#E69F00"], ["asked for", "#CC79A7"], ["on disk", "#D55E00"],
];

function svg(name, attributes = {}, parent = null, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function html(name, attributes = {}, parent = null, text = null) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function titled(element, words) {
  let title = element.querySelector("title");
  if (!title) title = svg("title", {}, element);
  if (title.textContent !== words) title.textContent = words;
}

/** A color from white (0) to dark blue (1): how much of a node's RAM is in use. */
function filled(share) {
  const mix = (a, b) => Math.round(a + (b - a) * Math.min(1, share));
  return `rgb(${mix(255, 0)}, ${mix(255, 90)}, ${mix(255, 150)})`;
}

/** The color of a link by its utilization from 0 to 1: from pale yellow to dark red. */
function busy(share) {
  const stops = [[236, 196, 90], [230, 110, 40], [150, 10, 40]];
  const at = Math.min(1, share) * 2, low = Math.min(1, Math.floor(at)), rest = at - low;
  return `rgb(${stops[low].map((a, i) => Math.round(a + (stops[low + 1][i] - a) * rest))})`;
}

const inkFor = color => color === "#000000" ? "var(--ink)" : color;

/** Where a message is at a time: {x, y, state, foot} or null if it is not on its way. */
function placeOf(message, network, now) {
  const [, , source, target, sent, gone, , hops] = message;
  if (now < sent || (gone !== null && now >= gone)) return null;
  let hop = null;
  for (const one of hops) if (one[0] <= now) hop = one;
  if (hop === null) return {at: network.points[source], state: "just sent", foot: source};
  const [, start, end, line] = hop;
  if (now < start) return {at: network.points[line[0]], state: WAITS, foot: line[0], start, hop};
  const along = Math.min(1, (now - start) / Math.max(1, end - start)) * (line.length - 1);
  const leg = Math.min(Math.floor(along), Math.max(0, line.length - 2)), rest = along - leg;
  const a = network.points[line[leg]], b = network.points[line[Math.min(leg + 1, line.length - 1)]];
  return {at: [a[0] + (b[0] - a[0]) * rest, a[1] + (b[1] - a[1]) * rest], state: MOVES, foot: null, hop};
}

/** The angle at which there is room beside a node: across its row or circle, away from the middle. */
function outwards(points, number, middle) {
  const [x, y] = points[number], far = point => Math.hypot(point[0] - x, point[1] - y);
  const others = points.filter((_, other) => other !== number);
  if (!others.length) return 0;
  const near = others.reduce((best, one) => far(one) < far(best) ? one : best);
  const across = Math.atan2(near[1] - y, near[0] - x) + Math.PI / 2;
  const away = Math.cos(across) * (x - middle[0]) + Math.sin(across) * (y - middle[1]);
  return away >= 0 ? across : across + Math.PI;
}

/** The network of one run. */
class NetworkDrawing {
  constructor(parent, stage, which, pick) {
    this.network = stage.network;
    this.everyHop = stage.every_hop;
    this.pick = pick;
    const edge = this.network.outside ? 1180 : 1120;
    this.svg = svg("svg", {class: "network", viewBox: `${-edge} ${-edge} ${2 * edge} ${2 * edge}`,
      role: "img", "aria-label": `The network of ${stage.names[which]}`}, parent);
    const points = this.network.points;
    this.wires = this.network.wires.map(([one, other, stations]) => ({stations, line: svg("line", {
      x1: points[one][0], y1: points[one][1], x2: points[other][0], y2: points[other][1],
      class: "wire", stroke: "var(--wire)", "stroke-width": 3}, this.svg)}));
    this.wires.forEach(({line}) => svg("title", {}, line));
    this.switches = this.network.switches.map(([place, name]) => {
      const [x, y] = points[place];
      const mark = svg("path", {class: "switch", d: `M${x - 34} ${y} l34 -34 l34 34 l-34 34 Z`,
        fill: "var(--ink)", stroke: "var(--ink)", "stroke-width": 3}, this.svg);
      titled(mark, `switch or medium ${name}`);
      return {name, mark};
    });
    this.makeNodes(new Set(stage.managers[which]));
    this.moving = svg("g", {}, this.svg);
    this.marks = new Map();
    this.counts = [];
  }

  makeNodes(managers) {
    const {points, radius, outside, nodes} = this.network;
    const middle = [0, 1].map(axis => points.reduce((sum, it) => sum + it[axis], 0) / points.length);
    this.nodes = points.slice(0, nodes).map(([x, y], number) => {
      const group = svg("g", {class: "node", "data-node": number}, this.svg);
      group.addEventListener("click", () => this.pick(number));
      const box = svg("rect", {x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius,
        rx: managers.has(number) ? 0 : radius, stroke: "var(--ink)", "stroke-width": 4}, group);
      if (!outside) {
        const text = svg("text", {x, y: y + radius * .36, "text-anchor": "middle",
          "font-size": radius * (nodes > 99 ? .85 : 1.05)}, group, number);
        return {group, box, text};
      }
      const angle = outwards(points.slice(0, nodes), number, middle), away = radius + 10;
      const turned = Math.cos(angle) < -1e-9, degrees = angle * 180 / Math.PI + (turned ? 180 : 0);
      const [lx, ly] = [x + away * Math.cos(angle), y + away * Math.sin(angle)];
      svg("text", {x: lx, y: ly, "font-size": 36, "dominant-baseline": "central",
        "text-anchor": turned ? "end" : "start", transform: `rotate(${degrees} ${lx} ${ly})`},
        group, number);
      return {group, box, text: null};
    });
  }

  /** What does not move: nodes, links, losses. */
  draw(run, stage, picked) {
    run.nodes.forEach((node, number) => {
      const {group, box, text} = this.nodes[number];
      const [own, lent, , , , , disk] = node.mb, share = (own + lent) / stage.rams[number];
      box.setAttribute("fill", node.down || filled(share));
      box.setAttribute("stroke-dasharray", node.down ? "14 10" : "none");
      box.setAttribute("stroke", disk > 0 ? "#D55E00" : "var(--ink)");
      box.setAttribute("stroke-width", disk > 0 ? 12 : 4);
      group.classList.toggle("picked", number === picked);
      box.style.outline = number === picked ? "14px solid var(--blue)" : "none";
      box.style.outlineOffset = "8px";
      if (text) text.style.fill = share > .5 && !node.down ? "#fff" : "#111";
      titled(group, node.label);
    });
    const shares = run.links;
    for (const {stations, line} of this.wires) {
      const share = Math.max(0, ...stations.map(name => shares[name] || 0));
      const color = share > 0 ? busy(share) : "var(--wire)";
      if (line.getAttribute("stroke") !== color) line.setAttribute("stroke", color);
      line.setAttribute("stroke-width", share > 0 ? 4 + 8 * share : 2.5);
      line.firstChild.textContent = stations.filter(name => name in shares)
        .map(name => `${name}: busy ${(100 * shares[name]).toFixed(1)} %`).join("; ") || stations[0];
    }
    for (const {name, mark} of this.switches) {
      const share = shares[name] || 0;
      mark.setAttribute("fill", share > 0 ? busy(share) : "var(--ink)");
      titled(mark, `${name}: busy ${(100 * share).toFixed(1)} % of the span`);
    }
    this.losses?.remove();
    this.losses = svg("g", {}, this.svg);
    run.lost.forEach(([node, words], i) => {
      const [x, y] = this.network.points[node], away = 30 + 8 * (i % 5);
      const cross = svg("path", {class: "lost", stroke: "var(--ink)", "stroke-width": 12,
        d: `M${x + away - 28} ${y - 28} l56 56 m-56 0 l56 -56`}, this.losses);
      cross.addEventListener("click", () => this.pick(node));
      titled(cross, words);
    });
  }

  /** The messages where they are at a time. */
  drawMessages(messages, kinds, now) {
    const seen = new Set(), stacks = new Map();
    let moves = 0, waits = 0;
    for (const message of messages) {
      const where = placeOf(message, this.network, now);
      if (where === null) continue;
      const [id, kind, source, target] = message;
      seen.add(id);
      if (!this.everyHop) { this.arrow(id, kind, source, target, kinds); moves++; continue; }
      let [x, y] = where.at;
      if (where.foot !== null) {
        waits += where.state === WAITS;
        if (!stacks.has(where.foot)) stacks.set(where.foot, []);
        stacks.get(where.foot).push({message, where});
        continue;
      }
      moves++;
      this.dot(id, kind, x, y, `${kind} ${source} → ${target}`, kinds, source);
    }
    this.counts.forEach(it => it.remove());
    this.counts = [];
    for (const [foot, stack] of stacks) {
      stack.sort((a, b) => (a.where.start || 0) - (b.where.start || 0));
      const [x, y] = this.network.points[foot], away = Math.hypot(x, y);
      const inwards = away > 1 ? [-x / away, -y / away] : [0, -1];  // where there is room
      const first = (foot < this.network.nodes ? this.network.radius : 34) + 22;
      stack.forEach(({message, where}, height) => {
        const [id, kind, source, target] = message;
        if (height >= HIGHEST_STACK) { seen.delete(id); return; }
        const far = first + height * STACK_STEP;
        this.dot(id, kind, x + far * inwards[0], y + far * inwards[1],
          `${kind} ${source} → ${target}, ${where.state}`, kinds, source);
      });
      const waiting = stack.filter(({where}) => where.state === WAITS).length;
      if (waiting > 1) {
        const far = first + (Math.min(stack.length, HIGHEST_STACK) + 2) * STACK_STEP;
        this.counts.push(svg("text", {class: "count", x: x + far * inwards[0], y: y + far * inwards[1],
          "text-anchor": "middle", "dominant-baseline": "central", "font-size": 38,
          "font-weight": "bold"}, this.moving, `${waiting} wait`));
      }
    }
    for (const [id, mark] of this.marks) if (!seen.has(id)) { mark.remove(); this.marks.delete(id); }
    this.svg.dataset.moving = moves;
    this.svg.dataset.waiting = waits;
  }

  dot(id, kind, x, y, words, kinds, node) {
    let mark = this.marks.get(id);
    if (!mark) {
      const [color, hollow] = kinds[kind] || ["#999933", false];
      mark = svg("circle", {class: "message", r: DOT, "data-kind": kind,
        fill: hollow ? "var(--paper)" : inkFor(color), stroke: hollow ? inkFor(color) : "var(--paper)",
        "stroke-width": hollow ? 9 : 3}, this.moving);
      mark.addEventListener("click", () => this.pick(node));
      this.marks.set(id, mark);
    }
    mark.setAttribute("cx", x);
    mark.setAttribute("cy", y);
    titled(mark, words);
  }

  /** A message of which only the ends are known: the journal has no hops. */
  arrow(id, kind, source, target, kinds) {
    if (this.marks.has(id)) return;
    const [a, b] = [this.network.points[source], this.network.points[target]];
    const [color, hollow] = kinds[kind] || ["#999933", false];
    const mark = svg("g", {class: "arrow message", "data-kind": kind}, this.moving);
    const bent = [0, 1].map(axis => .6 * (a[axis] + b[axis]) / 2);  // else it hides behind a row
    svg("path", {d: `M${a} Q${bent} ${b}`, fill: "none", stroke: inkFor(color), "stroke-width": 7,
      "stroke-dasharray": hollow ? "24 14" : "none"}, mark);
    svg("circle", {cx: b[0], cy: b[1], r: DOT, fill: inkFor(color)}, mark);
    titled(mark, `${kind} ${source} → ${target}; the journal has no hops`);
    this.marks.set(id, mark);
  }
}

/** The memory of all nodes: RAM as a container above the line, what is over-allocated below. */
class MemoryDrawing {
  constructor(parent, stage, pick) {
    this.stage = stage;
    this.pick = pick;
    this.svg = svg("svg", {class: "memory", viewBox: "0 0 1000 300", preserveAspectRatio: "none",
      role: "img", "aria-label": "Memory of each node"}, parent);
    this.axis = html("p", {class: "soft"}, parent);
  }

  draw(run, picked) {
    const rams = this.stage.rams, top = Math.max(...rams);
    const below = Math.max(.35 * top, ...run.nodes.map(({mb}) => mb[4] + mb[5] + mb[6]));
    const scale = 296 / (top + below), zero = 2 + top * scale, width = 1000 / rams.length;
    this.svg.replaceChildren();
    run.nodes.forEach(({mb, label}, number) => {
      const group = svg("g", {class: "node", "data-node": number}, this.svg);
      group.addEventListener("click", () => this.pick(number));
      svg("rect", {x: number * width, y: 0, width, height: 300, fill: number === picked ?
        "var(--new)" : "transparent"}, group);
      let up = zero, down = zero;
      mb.forEach((size, part) => {
        if (size <= 0) return;
        const height = size * scale, isOver = part > 3;
        if (!isOver) up -= height;
        svg("rect", {x: (number + .08) * width, width: .84 * width, y: isOver ? down : up, height,
          style: `fill: ${MEMORY[part][1]}`}, group);
        if (isOver) down += height;
      });
      titled(group, label);
    });
    svg("line", {x1: 0, x2: 1000, y1: zero, y2: zero, stroke: "var(--ink)", "stroke-width": 2}, this.svg);
    const last = rams.length - 1;
    this.axis.textContent = `nodes 0 to ${last}; above the line: RAM (${top.toFixed(1)} MB); ` +
      `below: over-allocated, to ${below.toFixed(1)} MB`;
  }
}
