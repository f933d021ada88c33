// The page: which runs are shown, which window, what is selected; and when what is drawn.

import { load, save } from "page/address";
import { Axis, GUTTER, differentTimes } from "page/axis";
import { $, make } from "page/elements";
import { Events } from "page/events";
import { byRarity, categoriesOf, makeLegend, markLegend, searched, usesOf } from "page/filters";
import { Gantt } from "page/gantt";
import { Spans, onPaper } from "page/lanes";
import { Memory } from "page/memory";
import { Levels } from "page/levels";
import { Live } from "page/live";
import { Moment } from "page/moment";
import { Network } from "page/network";
import { Nodes } from "page/nodes";
import { Overview } from "page/overview";
import { Panel } from "page/panel";
import { Run, pair, unpack } from "page/records";
import { Rates } from "page/rates";
import { SpaceTime } from "page/space_time";
import { Stations } from "page/stations";
import { openStory, showJob, showNextDifference, writeStory } from "page/story";

const LANES = [
  ["network", "network", Network, (run) => run.about.network !== null],
  ["space-time", "messages", SpaceTime, (run) => run.isMessage.includes(1)],
  ["gantt", "jobs", Gantt, (run) => run.jobs.job.length > 0],
  ["memory", "memory", Memory, (run) => run.memory !== null],
  ["levels", "values that roles report", Levels, (run) => run.levels.size > 0],
  ["rates", "messages a second, response times", Rates, () => true],
  ["stations", "stations", Stations, (run) => run.hops.item.length > 0 || run.windows.at.length > 0],
  ["events", "other records", Events, () => true],
];
const WHERE = ["above", "below"]; // the runs are shown
const BOLD = 2.5; // times the usual width, of decisive messages

/** Everything that lanes ask for: the window in positions of the axis and in pixels. */
class Page {
  constructor(packed, start) {
    this.packed = packed; // by design
    this.start = start;
    this.runs = new Map(); // unpacked, by design
    this.shown = [];
    this.lanes = [];
    this.hidden = new Set();
    this.selected = null; // {run, item}
    this.allStations = false;
    this.query = "";
    this.part = null; // of the job that is searched for: its burst or its life
    this.frame = 0;
    this.version = 0; // of what is to be seen
    this.overview = new Overview(this);
    this.panel = new Panel(this, $("details"));
    this.moment = new Moment(this);
    this.node = null; // that is marked in the network
    this.difference = -1; // that has been shown
    this.nodes = new Nodes(this);
    this.live = null; // the server, of a run that goes on
  }

  // -- the window ------------------------------------------------------------------------------

  get from() {
    return this.scale.domain()[0];
  }

  get to() {
    return this.scale.domain()[1];
  }

  /** The window's times; null before anything is shown. */
  get times() {
    return this.scale ? [this.from, this.to].map((at) => this.timeOf(at)) : null;
  }

  get networks() {
    return this.lanes.filter(({ name }) => name === "network");
  }

  /** The pixel of a position of the axis. */
  place(position) {
    return this.scale(position);
  }

  /** The pixel of a time. */
  x(time) {
    return this.scale(this.axis.position(time));
  }

  position(x) {
    return this.scale.invert(x);
  }

  timeOf(position) {
    return this.axis.time(position);
  }

  /** Show the window between two times, in ns. */
  show(first, last) {
    this.showPositions(this.axis.position(first), this.axis.position(last));
  }

  showPositions(from, to) {
    const wide = Math.min(this.axis.end, Math.max(this.axis.least, to - from));
    const left = Math.max(0, Math.min(this.axis.end - wide, (from + to - wide) / 2));
    const base = this.base();
    const k = this.axis.end / wide;
    const transform = d3.zoomIdentity.translate(GUTTER - base(left) * k, 0).scale(k);
    d3.select($("plots")).call(this.zoom.transform, transform);
  }

  base() {
    return d3.scaleLinear([0, this.axis.end], [GUTTER, this.width]);
  }

  /** Bring an item to the middle, near enough to see it. */
  bring(run, i) {
    const [begin, end] = [run.items.time[i], run.ends[i]];
    const [from, to] = this.times;
    const wide = Math.min(to - from, Math.max(50_000, 40 * (end - begin)));
    this.show((begin + end - wide) / 2, (begin + end + wide) / 2);
  }

  /** Let an item be seen: where it is, if the window has it well inside; else by its job's start. */
  reach(run, i, job) {
    const isInside = () => {
      const x = this.x(run.items.time[i]);
      return x > GUTTER + 40 && x < this.width - 40;
    };
    if (!isInside() && job !== null) showJob(this, job, "burst");
    if (!isInside()) this.bring(run, i);
  }

  // -- runs, axis, filters -----------------------------------------------------------------------

  async choose(designs) {
    for (const design of designs) {
      if (this.runs.has(design)) continue;
      const packed = this.packed.get(design);
      this.runs.set(design, new Run(packed.about, await unpack(packed)));
    }
    this.selected = null;
    $("details").hidden = true; // it may tell of a run that is left
    this.take(designs);
  }

  /** Take up these runs, or what is new of them; nothing later than `last` is known. */
  take(designs, last = 0) {
    const window = this.times;
    const off = this.off();
    this.shown = designs.map((design) => this.runs.get(design));
    for (const run of this.runs.values()) run.partner = null;
    if (this.shown.length === 2) pair(...this.shown);
    this.categories = categoriesOf(this.shown);
    this.uses = usesOf(this.shown);
    this.hide((key) => off.includes(key));
    makeLegend(this, $("filters"));
    Object.assign(this, byRarity(this.categories));
    this.axis = new Axis(Math.max(1, last, d3.max(this.shown, (run) => run.about.last)));
    writeStory(this);
    this.describe();
    this.filter(false);
    this.build();
    if (window) this.show(...window);
  }

  /** The keys of kinds and uses that are filtered out. */
  off() {
    const all = [...(this.categories ?? []), ...(this.uses ?? [])];
    return all.filter((one) => !one.on).map((one) => one.key ?? one.name);
  }

  /** Filter out those of whose keys that holds. */
  hide(holds) {
    for (const one of [...this.categories, ...this.uses]) one.on = !holds(one.key ?? one.name, one);
  }

  /** Colors by rank, on this paper. */
  get rankColors() {
    return this.order.map((category) => onPaper(category.color));
  }

  /** Take up which kinds are on. */
  filter(redraw = true) {
    const window = redraw ? this.times : null;
    const on = this.categories.map((category) => category.on);
    const off = this.off();
    for (const run of this.shown) {
      const isOff = run.about.words.use.map((use) => off.includes(use));
      const { use } = run.items;
      run.visible = Uint8Array.from(run.category, (place, i) => on[place] && !isOff[use[i]]);
    }
    markLegend($("filters"));
    this.pace($("paced").checked, window);
    this.light();
  }

  pace(paced, window = this.times) {
    this.axis.times = paced ? differentTimes(this.shown, this.axis.last) : null;
    for (const run of this.shown) {
      run.spans = new Spans(this.axis.positions(run.items.time), this.axis.positions(run.ends));
    }
    for (const lane of this.lanes) lane.settle();
    this.mapped = false;
    this.version++;
    if (window) {
      this.fit();
      this.show(...window);
    }
  }

  /** What is lit: the selected item's chain, and its partner's; else what is searched for. */
  light() {
    const holds = searched(this.query, this.categories);
    this.matches = [];
    for (const run of this.shown) {
      if (this.selected) {
        const partner = this.selectedOf(run);
        run.light(partner >= 0 ? run.chain(partner) : new Uint8Array(run.count));
      } else if (holds) {
        run.lightThose(holds);
        run.lit.forEach((isLit, i) => isLit && this.matches.push([run, i]));
      } else run.light(null);
    }
    this.matches = d3.sort(this.matches, ([run, i]) => run.items.time[i]);
    this.match = -1;
    $("found").textContent = holds && !this.selected ? `${this.matches.length.toLocaleString("en-US")} found` : "";
    $("next").disabled = !holds;
    this.redraw();
  }

  /** Light what the legend points at; null: what was lit before. */
  point(holds) {
    if (!holds) return this.light();
    for (const run of this.shown) run.lightThose(holds);
    this.redraw();
  }

  /** The color of an item: messages that changed nothing are pale. */
  colorOf(run, i) {
    return onPaper(this.categories[run.category[i]].color, run.about.pale_uses.includes(run.word("use", i)));
  }

  /** How wide an item's line is, times the usual: decisive messages are bold. */
  boldness(run, i) {
    return run.word("use", i) === "decisive" ? BOLD : 1;
  }

  /** The selected item, or its partner, if it is of this run; else -1. */
  selectedOf(run) {
    if (!this.selected) return -1;
    return this.selected.run === run ? this.selected.item : this.selected.run.partner?.[this.selected.item] ?? -1;
  }

  isRefused(run, i) {
    return run.word("use", i) === "refused";
  }

  // -- what is selected ----------------------------------------------------------------------------

  select(run, item) {
    this.selected = { run, item };
    this.node = null;
    this.light();
    this.panel.show(run, item);
  }

  leave() {
    this.selected = this.node = null;
    $("details").hidden = true;
    this.light();
  }

  /** To the first match in the window or later, then to the next, and after the last to the first. */
  next() {
    if (!this.matches.length) return;
    if (this.match < 0) this.match = d3.bisector(([run, i]) => run.items.time[i]).left(this.matches, this.times[0]) - 1;
    this.match = (this.match + 1) % this.matches.length;
    const [run, i] = this.matches[this.match];
    this.bring(run, i);
    this.panel.show(run, i);
    $("found").textContent = `${(this.match + 1).toLocaleString("en-US")} of ${this.matches.length.toLocaleString("en-US")}`;
  }

  /** Enter: to the start of a job that is searched for, once more to its life; else to a match. */
  enter() {
    const [, job] = this.query.trim().match(/^(?:job\s*)?(\d+)$/i) ?? [];
    if (job === undefined) return this.next();
    this.part = this.part === "burst" ? "life" : "burst";
    if (showJob(this, Number(job), this.part)) this.panel.showJob(Number(job));
  }

  // -- texts ---------------------------------------------------------------------------------------

  describe() {
    const told = this.shown.map(({ about }) => [...about.caption.split(" · "), ...(about.finding ? [`in the end ${about.finding}`] : [])]);
    const common = told[0].filter((part) => told.every((its) => its.includes(part)));
    const own = told.map((its, turn) => [told.length > 1 ? [`${WHERE[turn]}: `] : [], its.filter((part) => !common.includes(part)).join(" · ")].join(""));
    $("captions").textContent = [...common, ...own.filter(Boolean)].join(" · ");
    if (this.packed.size < 2) return;
    const pickers = WHERE.map((where, turn) => {
      const names = Array.from(this.packed.keys(), (design) => new Option(`${design} ${where}`, design));
      const select = make("select", { ariaLabel: `run ${where}` }, ...(turn ? [new Option("none below", "")] : []), ...names);
      select.value = this.shown[turn]?.about.design ?? "";
      select.onchange = () => this.choose([...new Set(pickers.map((one) => one.value).filter(Boolean))]);
      return select;
    });
    $("pickers").replaceChildren(...pickers);
    $("difference").hidden = this.shown.length < 2;
  }

  // -- lanes ---------------------------------------------------------------------------------------

  build() {
    this.fit();
    this.zoom.scaleExtent([1, Math.max(1, this.axis.end / this.axis.least)]);
    this.nodes.choose();
    this.lanes = [];
    for (const [name, , Kind, fits] of LANES) {
      for (const run of this.shown) {
        if (!this.hidden.has(name) && fits(run)) this.lanes.push(new Kind(this, run));
      }
    }
    $("networks").replaceChildren();
    $("lanes").replaceChildren();
    $("clock").hidden = !this.networks.length;
    for (const lane of this.lanes) {
      $(lane.name === "network" ? "networks" : "lanes").append(lane.element);
      lane.canvas.onpointermove = (event) => this.hover(lane, event);
      lane.canvas.onpointerleave = () => ($("tip").hidden = true);
      lane.canvas.onclick = (event) => this.click(lane, event);
    }
    const menu = $("lanes-menu").querySelector("div");
    menu.replaceChildren(...LANES.map(([name, text, , fits]) => {
      const disabled = !this.shown.some(fits);
      const box = make("input", { type: "checkbox", checked: !disabled && !this.hidden.has(name), disabled });
      box.onchange = () => {
        if (box.checked) this.hidden.delete(name);
        else this.hidden.add(name);
        this.rebuild();
      };
      return make("label", {}, box, ` ${text}${disabled ? `: not in this journal` : ""}`);
    }));
    this.redraw();
  }

  rebuild() {
    const window = this.times;
    this.build();
    this.show(...window);
  }

  hover(lane, event) {
    const hit = event.buttons ? null : lane.at(event.offsetX, event.offsetY);
    const tip = $("tip");
    tip.hidden = !hit;
    if (!hit) return;
    tip.textContent = hit.text;
    const [right, down] = [event.clientX + 14, event.clientY + 14];
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(2, Math.min(innerWidth - width - 4, right))}px`;
    tip.style.top = `${down + height > innerHeight ? Math.max(2, event.clientY - height - 10) : down}px`;
  }

  click(lane, event) {
    const hit = lane.at(event.offsetX, event.offsetY);
    if (hit?.open) hit.open();
    else if (hit?.item >= 0) this.select(lane.run, hit.item);
    else if (hit?.node !== undefined) this.pick(hit.node);
    else if (hit?.job !== undefined) {
      this.search(`job ${hit.job}`);
      this.panel.showJob(hit.job);
    }
  }

  /** Mark a node, and tell of it. */
  pick(node) {
    this.selected = null;
    this.node = node;
    this.light();
    this.panel.showNode(node);
  }

  /** Let the moment go from where it is through the window, or stop it. */
  play() {
    const { moment } = this;
    const [from, to] = this.times.map(Math.round);
    if (moment.moves) moment.stand(moment.at);
    else moment.move(moment.at >= from && moment.at < to ? moment.at : from, to, null, () => this.showPlaying());
    this.showPlaying();
  }

  showPlaying() {
    $("play").textContent = this.moment.moves ? "❚❚ pause" : "▶ play";
  }

  /** Let the network show a time. */
  goTo(time) {
    if (this.live) return this.live.seek(time);
    const [from, to] = this.times;
    if (time < from || time > to) this.show(time - (to - from) / 2, time + (to - from) / 2);
    this.moment.stand(time, Math.min(time, this.moment.at));
  }

  search(text) {
    this.query = text;
    this.part = null;
    $("query").value = text;
    this.selected = null;
    this.light();
  }

  // -- drawing -------------------------------------------------------------------------------------

  /** Take up the width that there is. */
  fit() {
    this.width = Math.max(GUTTER + 100, Math.floor($("plots").clientWidth));
    this.zoom
      .extent([[GUTTER, 0], [this.width, 1]])
      .translateExtent([[GUTTER, 0], [this.width, 1]]);
    const transform = d3.zoomTransform($("plots"));
    this.scale = transform.rescaleX(this.base());
    this.mapped = false;
  }

  resize() {
    if (Math.floor($("plots").clientWidth) === this.width) return;
    const window = this.times;
    this.fit();
    this.show(...window);
  }

  /** Draw anew what has changed, with the next frame. */
  redraw() {
    this.version++;
    this.request();
  }

  request() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** Draw what has changed: of the lanes those in sight. */
  draw() {
    if (!this.mapped) this.overview.map();
    this.mapped = true;
    this.overview.ruler();
    for (const lane of this.lanes) {
      const { top, bottom } = lane.canvas.getBoundingClientRect();
      const isSeen = bottom > -100 && top < innerHeight + 100;
      if (lane.drawn !== this.version && (isSeen || lane.drawn === undefined)) lane.render();
    }
    this.overview.mark();
    const { moment } = this;
    const [from, to] = this.times;
    const isOutside = moment.at < from - 1 || moment.at > to + 1;
    if (!this.live && !moment.moves && isOutside && this.networks.length) moment.stand((from + to) / 2);
    moment.draw();
    this.settle();
  }

  /** As soon as all is at rest, keep the state in the address, and tell in numbers what is drawn. */
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      save(this);
      for (const lane of this.lanes) setTimeout(() => lane.tell());
    }, 150);
  }

  // -- what a person does --------------------------------------------------------------------------

  listen() {
    this.zoom = d3.zoom()
      .filter((event) => {
        const [x] = d3.pointer(event, $("plots"));
        if (event.target.closest("#time, #networks, button")) return false;
        return !event.button && (event.type !== "wheel" || x > GUTTER);
      })
      .clickDistance(4)
      .on("zoom", ({ transform }) => {
        this.scale = transform.rescaleX(this.base());
        this.redraw();
      });
    d3.select($("plots")).call(this.zoom);
    $("paced").onchange = (event) => this.pace(event.target.checked) ?? this.redraw();
    $("play").onclick = () => (this.live ?? this).play();
    $("ruler").onpointerdown = $("ruler").onpointermove = ({ buttons, offsetX }) => {
      if (buttons && offsetX > GUTTER) this.goTo(Math.max(0, this.timeOf(this.position(offsetX))));
    };
    $("whole").onclick = () => this.show(0, this.axis.last);
    $("query").oninput = (event) => this.search(event.target.value);
    $("search").onsubmit = (event) => {
      event.preventDefault();
      this.enter();
    };
    $("difference").onclick = () => showNextDifference(this);
    addEventListener("resize", () => this.resize());
    addEventListener("scroll", () => this.request());
    addEventListener("hashchange", () => location.hash !== this.address && load(this));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      makeLegend(this, $("filters")); // in the other colors
      this.filter();
    });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        if (this.query && !this.selected) this.search("");
        for (const run of this.shown) run.opened?.clear();
        this.leave();
        return;
      }
      if (event.target.closest("input, select") || event.ctrlKey || event.metaKey) return;
      const wide = this.to - this.from;
      const moved = { ArrowLeft: [-0.2, -0.2], ArrowRight: [0.2, 0.2], "+": [0.25, -0.25], "-": [-0.5, 0.5] }[event.key];
      if (moved) this.showPositions(this.from + moved[0] * wide, this.to + moved[1] * wide);
      else if (event.key === "0") this.show(0, this.axis.last);
      else if (event.key === "d") showNextDifference(this);
      else if (event.key === "s") openStory(this);
      else return;
      event.preventDefault();
    });
  }
}

/** Unpack what is in the document, and show it. */
export async function open() {
  try {
    const packed = new Map();
    for (const script of document.querySelectorAll("script.run")) {
      const run = JSON.parse(script.textContent);
      packed.set(run.about.design, run);
      script.remove();
    }
    const page = new Page(packed, JSON.parse($("start").textContent));
    globalThis.page = page; // for the console, and for tests
    page.listen();
    if (page.start.live) page.live = new Live(page);
    else {
      await load(page);
      document.body.dataset.ready = "yes";
    }
  } catch (error) {
    $("captions").textContent = `This page cannot be shown (${error.message}); a browser of 2023 or later is needed.`;
    throw error;
  }
}
