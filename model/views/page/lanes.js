// What all lanes share: a canvas with named rows, the items in a window, and density.

import { GUTTER } from "page/axis";
import { make } from "page/elements";

const HEAD = new Path2D("M0,0 L-6.5,2.7 V-2.7 Z"); // of an arrow that goes to the right
const MOST_ROWS = 128; // of a table; of more those with the most
const CROSS = new Path2D("M-4,-4 L4,4 M-4,4 L4,-4");

/** A color of the page's style sheet, as it is in light or dark. */
export const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Of a color's forms (`on_papers` in style.py) the one for this paper. */
export const onPaper = (forms, isPale = false) =>
  forms[(matchMedia("(prefers-color-scheme: dark)").matches ? 1 : 0) + (isPale ? 2 : 0)];

/** A legend's sample of a color, by its properties of style. */
export function sample(style, className = "") {
  const element = make("i", { className: `sample ${className}` });
  Object.assign(element.style, style);
  return element;
}

/** A line through points, to be drawn on a canvas. */
export const lineThrough = (points, isClosed = false) => new Path2D(d3.line()(points) + (isClosed ? "Z" : ""));

/** Make a canvas as large as this, and clear it; returns what draws on it. */
export function fitted(canvas, width, height) {
  const sharp = devicePixelRatio || 1;
  Object.assign(canvas, { width: Math.round(width * sharp), height: Math.round(height * sharp) });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const g = canvas.getContext("2d");
  g.scale(sharp, sharp);
  return g;
}

/** Where intervals are on the axis, by their starts. */
export class Spans {
  constructor(starts, ends) {
    Object.assign(this, { starts, ends });
  }

  /** Call with the number of each interval that touches the window. */
  each(from, to, call) {
    const stop = d3.bisectRight(this.starts, to);
    for (let i = 0; i < stop; i++) if (this.ends[i] >= from) call(i);
  }
}

/** A picture of counts, a cell for each column of pixels and each row. */
export class Density {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.counts = new Uint32Array(columns * rows);
    this.ranks = new Uint8Array(columns * rows).fill(255);
  }

  /** Count a mark; of the kinds in a cell that with the least rank, the rarest, gives its color. */
  add(column, row, rank) {
    const cell = row * this.columns + column;
    this.counts[cell]++;
    if (rank < this.ranks[cell]) this.ranks[cell] = rank;
  }

  /** Draw the cells right of the gutter: the darker, the more; `colors` by rank. */
  paint(g, height, colors) {
    const image = new ImageData(this.columns, this.rows);
    const pixels = new Uint32Array(image.data.buffer);
    const words = colors.map((color) => {
      const { r, g, b } = d3.rgb(color);
      return (b << 16) | (g << 8) | r;
    });
    const strengths = Array.from({ length: 9 }, (_, i) => Math.round(255 * (0.65 + 0.043 * i)));
    this.counts.forEach((count, cell) => {
      if (!count) return;
      const strength = strengths[Math.min(8, 31 - Math.clz32(count))];
      pixels[cell] = ((strength << 24) | words[this.ranks[cell]]) >>> 0;
    });
    const sheet = new OffscreenCanvas(this.columns, this.rows);
    sheet.getContext("2d").putImageData(image, 0, 0);
    g.imageSmoothingEnabled = false;
    g.drawImage(sheet, GUTTER, 0, this.columns, height);
  }
}

/** A lane: one kind of picture of one run over the common axis. */
export class Lane {
  /** `rows`: the texts of its rows, of which each `period` begin anew; `height` of all in pixels. */
  constructor(page, run, { name, title, rows, period = rows.length, height, note = [] }) {
    Object.assign(this, { page, run, name, title, rows, period, height });
    this.heading = make("h2");
    this.canvas = make("canvas");
    this.table = make("table");
    const numbers = make("div", { className: "numbers" }, this.table);
    const onclick = ({ target }) => (target.ariaExpanded = numbers.classList.toggle("seen"));
    const button = make("button", { className: "in-numbers", title: "What is drawn, as a table", ariaExpanded: false, onclick }, "in numbers");
    this.element = make("section", { className: `lane ${name}` }, this.heading, button, this.canvas, numbers);
    this.say(...note);
  }

  /** Write the heading, if it changes: what the lane is, of which run, and a note of samples and texts. */
  say(...note) {
    const said = [this.title, ...note].join();
    if (said === this.said) return;
    this.said = said;
    const several = this.page.shown.length > 1 ? `${this.run.about.design}: ` : "";
    this.heading.replaceChildren(`${several}${this.title}`, make("small", {}, ...note));
    Object.assign(this.canvas, { role: "img", ariaLabel: `${several}${this.title}; the table has its numbers` });
  }

  get width() {
    return this.page.width;
  }

  get rowHeight() {
    return this.height / this.rows.length;
  }

  top(row) {
    return row * this.rowHeight;
  }

  middle(row) {
    return (row + 0.5) * this.rowHeight;
  }

  rowAt(y) {
    return Math.max(0, Math.min(this.rows.length - 1, Math.floor(y / this.rowHeight)));
  }

  /** Make the canvas fit, and clear it. */
  begin() {
    const g = this.g = fitted(this.canvas, this.width, this.height + 2);
    g.font = "10px system-ui, sans-serif";
    g.textBaseline = "middle";
    return g;
  }

  /** Write the rows' names, as many as there is room for, and leave the plot clipped. */
  frame(g) {
    const every = Math.ceil(11 / this.rowHeight);
    const isNamed = (row) => {
      const place = row % this.period;
      const next = row - place + this.period; // its first name must not be touched
      return place % every === 0 && (place === 0 || row + every <= next || next === this.rows.length);
    };
    g.fillStyle = ink("grey");
    g.textAlign = "right";
    this.rows.forEach((text, row) => {
      if (isNamed(row)) g.fillText(text, GUTTER - 6, Math.max(6, this.middle(row)), GUTTER - 8);
    });
    g.fillStyle = ink("faint");
    for (let row = 0; row <= this.rows.length; row++) {
      if (this.rowHeight >= 10 || isNamed(row)) g.fillRect(GUTTER, Math.round(this.top(row)), this.page.width, 1);
    }
    g.save();
    g.beginPath();
    g.rect(GUTTER, 0, this.page.width - GUTTER, this.height + 2);
    g.clip();
  }

  /** Grey where nodes are down, if rows are nodes, after so many others. */
  outages(g, before = 0) {
    const { node, start, end } = this.run.outages;
    const { rowOf } = this.page.nodes;
    g.globalAlpha = 0.6;
    for (let i = 0; i < node.length; i++) {
      if (rowOf[node[i]] < 0) continue;
      const [left, right] = [this.page.x(start[i]), this.page.x(end[i])];
      g.fillStyle = ink(this.run.colorOfOutage(i));
      g.fillRect(left, this.top(before + rowOf[node[i]]), Math.max(1, right - left), this.rowHeight);
    }
    g.globalAlpha = 1;
  }

  /** Take up another axis. */
  settle() {}

  /** Draw what the page shows now, and remember which version that was. */
  render() {
    this.draw();
    this.ring();
    this.drawn = this.page.version;
  }

  /** Whether an item is drawn here: then `place` says where, in pixels of the canvas. */
  has() {
    return false;
  }

  /** Put a ring around what is selected, and around its partner. */
  ring() {
    const { g, page } = this;
    const i = page.selectedOf(this.run);
    if (i < 0 || !this.has(i)) return;
    const [x, y] = this.place(i);
    if (x < GUTTER || x > page.width) return;
    g.strokeStyle = ink("accent");
    g.lineWidth = 2;
    g.beginPath();
    g.arc(x, y, 7, 0, 2 * Math.PI);
    g.stroke();
  }

  /**
   * Write the lane's `numbers`, the names of columns and rows that begin with a name, as a table, if
   * they may have changed: a screen reader always finds it, and a button shows it.
   */
  tell() {
    const { page } = this;
    const state = `${page.version} ${this.name === "network" ? page.moment.at : ""}`;
    if (state === this.told) return;
    this.told = state;
    const { head, rows } = this.numbers();
    const most = d3.sort(rows, ([, ...values]) => -d3.sum(values)).slice(0, MOST_ROWS);
    const shown = rows.length > MOST_ROWS ? rows.filter((row) => most.includes(row)) : rows;
    const caption = `${this.heading.firstChild.data}${shown.length < rows.length ? ` (${shown.length} rows of ${rows.length})` : ""}`;
    const text = (value) => (typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 3 }) : value);
    const names = make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)));
    const lines = shown.map(([name, ...values]) =>
      make("tr", {}, make("th", { scope: "row" }, name), ...values.map((value) => make("td", {}, text(value)))));
    this.table.replaceChildren(make("caption", {}, caption), names, ...lines);
  }

  /** What is at a place of the canvas: {item} or {text}, or null. */
  at() {
    return null;
  }
}

/** An arrow's head at (x, y), coming from (x0, y0); hollow, or in the color that fills. */
export function head(g, x0, y0, x, y, isHollow = false) {
  g.save();
  g.translate(x, y);
  g.rotate(Math.atan2(y - y0, x - x0));
  if (isHollow) g.fillStyle = ink("paper");
  g.fill(HEAD);
  if (isHollow) g.stroke(HEAD);
  g.restore();
}

/** What goes no further: a message that is lost, a job that waits for ever. */
export function cross(g, x, y) {
  g.save();
  Object.assign(g, { lineWidth: 2, strokeStyle: ink("ink") });
  g.translate(x, y);
  g.stroke(CROSS);
  g.restore();
}

/** How far a point is from a line between two others. */
export function distance(x, y, x0, y0, x1, y1) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const share = square ? Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / square)) : 0;
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}
