// The way so far in space and time: a row for each node, a column for each step, arrows for messages.

import { inColorOf, svg } from "explored/elements";
import { isThere } from "explored/story";

const GUTTER = 66; // left of the first column, for the names of nodes
const TOP = 40; // above the first row, for the steps' numbers
const TAIL = 74; // right of the last column, for what is under way
const [NARROW, WIDE] = [30, 150]; // the least and most width of a step
const LABELLED = 64; // the width of a step from which on arrows have names
const PLACES = [0.6, 0.4, 0.75, 0.25, 0.15]; // of an arrow's length, where its name may stand
const HEAD = 7; // pixels of an arrow's head

export class Picture {
  /** `leap` is called with the number of a step when its column is clicked. */
  constructor(source, leap) {
    Object.assign(this, { source, leap, element: document.getElementById("lanes"), around: document.getElementById("scroll") });
  }

  draw({ scenes, steps, messages, doomed }) {
    const { element, around, source } = this;
    this.last = steps.length;
    const rows = source.about.rams.length;
    this.high = rows <= 4 ? 62 : rows <= 8 ? 44 : 30;
    const room = around.clientWidth - GUTTER - TAIL;
    this.wide = Math.max(NARROW, Math.min(WIDE, room / Math.max(1, steps.length)));
    const width = this.width = Math.max(around.clientWidth, GUTTER + steps.length * this.wide + TAIL);
    const height = TOP + rows * this.high + 4;
    for (const [name, value] of [["width", width], ["height", height], ["viewBox", `0 0 ${width} ${height}`]]) element.setAttribute(name, value);
    this.labels = []; // boxes of names, which are not to meet
    element.replaceChildren(
      ...this.columns(steps, doomed, height),
      ...this.rows(scenes, width),
      ...messages.map((message) => this.arrow(message)),
      ...this.labels.map(({ text }) => text),
      ...steps.map((step, i) => this.mark(step, i + 1)),
    );
    around.scrollLeft = width;
  }

  x(step) {
    return GUTTER + 12 + step * this.wide;
  }

  y(node) {
    return TOP + (node + 0.5) * this.high;
  }

  /** The steps' numbers, the doomed one's column, and where the reader is. */
  columns(steps, doomed, height) {
    const drawn = [];
    if (doomed > 0) {
      const [left, wide] = [this.x(doomed) - this.wide / 2, this.wide];
      drawn.push(svg("rect", { class: "doomed", x: left, y: 16, width: wide, height: height - 18 }));
      const isRight = left > this.x(0) + 130;
      const anchor = isRight ? "end" : "start";
      drawn.push(svg("text", { class: "doomed-text", x: isRight ? left + wide : left, y: 11, "text-anchor": anchor }, `doomed from step ${doomed}`));
    }
    ["the beginning", ...steps.map((step, i) => `after step ${i + 1}: ${step.sentence}`)].forEach((text, i) => {
      const x = this.x(i);
      const target = svg("rect", { class: "target", x: x - this.wide / 2, y: 14, width: this.wide, height: TOP - 14 }, svg("title", {}, text));
      target.addEventListener("click", () => this.leap(i));
      drawn.push(svg("line", { class: "grid", x1: x, x2: x, y1: TOP - 6, y2: height }));
      drawn.push(svg("text", { class: i === this.last ? "number here" : "number", x, y: TOP - 12, "text-anchor": "middle" }, i ? String(i) : "begin"), target);
    });
    drawn.push(svg("line", { class: "here", x1: this.x(this.last), x2: this.x(this.last), y1: TOP - 8, y2: height }));
    return drawn;
  }

  /** A row for each node: its line, and below it what its processes do. */
  rows(scenes, width) {
    const { about } = this.source;
    return about.rams.flatMap((_, node) => {
      const y = this.y(node);
      const name = svg("text", { class: "name", x: 4, y: y + 4 }, `node ${node}`);
      const role = about.managers.includes(node) && about.managers.length < about.rams.length ? [svg("text", { class: "role", x: 4, y: y + 16 }, "manager")] : [];
      return [...this.stretches(scenes, node), svg("line", { class: "row", x1: this.x(0), x2: width - 8, y1: y, y2: y }), name, ...role];
    });
  }

  /** From when to when a node is down, and its processes wait or run. */
  stretches(scenes, node) {
    const drawn = [];
    const conditionOf = (scene) => (isThere(scene.nodes[node]) ? "" : scene.nodes[node].is);
    for (const [from, to, condition] of runsOf(scenes.map(conditionOf))) {
      if (condition) drawn.push(svg("rect", { class: "away", x: this.x(from), y: this.y(node) - this.high * 0.42, width: this.stretch(from, to, scenes), height: this.high * 0.84 }, svg("title", {}, `node ${node} is ${condition}`)));
    }
    const doing = (scene) => scene.nodes[node].processes.map(([job, , started]) => `job ${job} ${started ? "runs" : "waits"}`).join(", ");
    for (const [from, to, text] of runsOf(scenes.map(doing))) {
      if (!text) continue;
      const bar = { x: this.x(from), y: this.y(node) + this.high * 0.28, width: this.stretch(from, to, scenes), height: 9 };
      drawn.push(svg("rect", { class: text.includes("waits") ? "bar waits" : "bar runs", ...bar }, svg("title", {}, text)));
      if (bar.width > 50) drawn.push(svg("text", { class: "bar-text", x: bar.x + 3, y: bar.y + 7.6 }, text));
    }
    return drawn;
  }

  /** How wide a stretch is from a state to before another; the last one goes on. */
  stretch(from, to, scenes) {
    return (to - from) * this.wide + (to === scenes.length ? Math.min(0, 40 - this.wide) : 0);
  }

  /** A message from its sending to its end. */
  arrow(message) {
    const { last } = this;
    const { source, target, sent, ended, how, kind, says, isAgain } = message;
    const isOpen = ended === null;
    const [x0, y0] = [this.x(sent), this.y(source)];
    const share = isOpen && source !== target ? 0.62 : 1;
    const x1 = isOpen ? this.x(last) + (sent === last ? 44 : 34) : this.x(ended);
    const y1 = y0 + (this.y(target) - y0) * share;
    const names = ["arrow", how === "lost" ? "lost" : "", isOpen ? "open" : "", last > 0 && [sent, ended].includes(last) ? "now" : ""];
    const group = inColorOf(this.source.kinds[kind], svg("g", { class: names.filter(Boolean).join(" ") }));
    const rise = source === target ? Math.min(20, 0.36 * this.high) : 0;
    const path = rise ? `M${x0} ${y0} C${x0 + 6} ${y0 - rise * 1.4} ${x1 - 6} ${y0 - rise * 1.4} ${x1} ${y1}` : `M${x0} ${y0} L${x1} ${y1}`;
    const story = `${kind} from node ${source} to node ${target}, sent ${sent ? `in step ${sent}` : "at the start"}, ${isOpen ? "still under way" : `${how} in step ${ended}`}${isAgain ? " (a repetition)" : ""}\n${says}`;
    group.append(svg("title", {}, story), svg("path", { class: "wire", d: path }), svg("path", { class: "line", d: path }));
    if (how === "lost") group.append(svg("path", { class: "cross", d: `M${x1 - 5} ${y1 - 5} l10 10 M${x1 - 5} ${y1 + 5} l10 -10` }));
    else group.append(headOf(x1, y1, rise ? Math.atan2(rise, 6) : Math.atan2(y1 - y0, x1 - x0)));
    const isWanted = names.includes("now") || how === "lost";
    if (isWanted || this.wide >= LABELLED) this.name(isAgain ? `${kind} (again)` : kind, group, isWanted, (share) => [x0 + (x1 - x0) * share, rise ? y0 - rise - 1 : y0 + (y1 - y0) * share]);
    return group;
  }

  /** Name an arrow where its name meets no other; without such a place, only if that is a must. */
  name(kind, arrow, isMust, along) {
    const half = kind.length * 3.1;
    const within = (x) => Math.min(x, this.width - half - 2);
    const boxes = PLACES.map(along).map(([x, y]) => ({ x: within(x), y: y - 3, left: within(x) - half, right: within(x) + half }));
    const meets = (one) => this.labels.some((other) => Math.abs(one.y - other.y) < 11 && one.left < other.right && other.left < one.right);
    const box = boxes.find((one) => !meets(one)) ?? (isMust ? boxes[0] : null);
    if (box === null) return;
    box.text = svg("text", { class: `label ${arrow.getAttribute("class")}`, x: box.x, y: box.y, "text-anchor": "middle" }, kind);
    for (const name of ["--light", "--dark"]) box.text.style.setProperty(name, arrow.style.getPropertyValue(name));
    this.labels.push(box);
  }

  /** A step on the row of its node: a filled dot where a node acts, a ring where faults do. */
  mark({ kind, node, sentence }, number) {
    const [x, y] = [this.x(number), this.y(node)];
    const title = svg("title", {}, `${number}: ${sentence}`);
    if (kind === "lose") return svg("g", {}, title);
    if (kind === "fire") return svg("g", { class: "mark fire" }, title, svg("circle", { cx: x, cy: y, r: 5.5 }), svg("path", { d: `M${x} ${y - 3.5} V${y} H${x + 3}` }));
    if (kind === "place" || kind === "end") return svg("rect", { class: `mark ${kind}`, x: x - 4, y: y - 4, width: 8, height: 8 }, title);
    return svg("circle", { class: `mark ${kind}`, cx: x, cy: y, r: kind === "deliver" ? 3 : 5 }, title);
  }
}

/** Runs of equal values: from, to (exclusive), value. */
function runsOf(values) {
  const runs = [];
  values.forEach((value, i) => {
    if (i && runs.at(-1)[2] === value) runs.at(-1)[1] = i + 1;
    else runs.push([i, i + 1, value]);
  });
  return runs;
}

/** An arrow's head at a place, in a direction. */
function headOf(x, y, angle) {
  const corner = (turn) => `${x - HEAD * Math.cos(angle + turn)} ${y - HEAD * Math.sin(angle + turn)}`;
  return svg("path", { class: "head", d: `M${x} ${y} L${corner(0.42)} L${corner(-0.42)} Z` });
}
