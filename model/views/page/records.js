// The tables of a run, unpacked, and what follows from them: partners, chains of causes.

import { secondsOf } from "page/axis";
import { Spans } from "page/lanes";
import { shorten } from "page/words";

const AGENTS = 2 ** 24; // in the upper part of an id, above 36 bits that count; above them, its category
const GROWING = ["items", "hops", "windows", "memory", "jobs", "candidates"]; // tables of a run that goes on
const PARTS = ["own", "lent", "idle", "crashed", "borrowed", "asked", "on_disk"]; // of memory
const MOST_HELD = 300; // letters of what a role holds

/** Unpack what packing.py has made: tables, and texts. */
export async function unpack(packed) {
  const bytes = await inflate(packed.body);
  const tables = {};
  let place = 0;
  for (const [table, name, count, width, least, rises] of packed.columns) {
    (tables[table] ??= {})[name] = numbers(bytes, place, count, width, least, rises);
    place += count * width;
  }
  const written = bytes.subarray(place, place + packed.text_bytes);
  const texts = packed.text_bytes ? new TextDecoder().decode(written).split("\n") : [];
  return { tables, texts };
}

async function inflate(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function numbers(bytes, place, count, width, least, rises) {
  const small = !rises && width < 4 && Math.abs(least) < 2 ** 30;
  const column = small ? new Int32Array(count) : new Float64Array(count);
  for (let byte = 0, unit = 1; byte < width; byte++, unit *= 256) {
    for (let i = 0; i < count; i++) column[i] += bytes[place++] * unit;
  }
  if (least) for (let i = 0; i < count; i++) column[i] += least;
  if (rises) for (let i = 1; i < count; i++) column[i] += column[i - 1];
  return column;
}

/** One run: its items (see tables.py), hops, jobs, memory and outages. */
export class Run {
  constructor(about, { tables, texts }) {
    this.about = about;
    this.texts = texts;
    this.take(tables);
  }

  /** Take in what has come since, of a run that goes on. */
  append(about, { tables, texts }) {
    const { ways, jobs } = this.about;
    const { changed } = tables;
    const before = this.tables;
    this.about = { ...this.about, ...about, ways: [...ways, ...about.ways], jobs: { ...jobs, ...about.jobs } };
    this.texts = [...this.texts, ...texts];
    changed.which.forEach((item, place) => {
      for (const name of ["lasts", "lost", "use"]) before.items[name][item] = changed[name][place];
    });
    const grown = GROWING.map((name) => [name, joined(before[name], tables[name])]);
    this.take({ ...tables, ...Object.fromEntries(grown) });
  }

  take(tables) {
    const { about } = this;
    this.tables = tables;
    this.items = tables.items;
    this.hops = tables.hops;
    this.windows = tables.windows; // in which stations have served messages
    this.jobs = joined(tables.jobs, tables.lasting);
    this.memory = about.knows_memory ? tables.memory : null;
    this.outages = tables.outages;
    this.known = {}; // what has been asked for already
    this.count = this.items.time.length;
    this.ends = this.items.time.map((time, i) => time + Math.max(0, this.items.lasts[i]));
    const sent = about.words.kind.indexOf("sent");
    this.isMessage = Uint8Array.from(this.items.kind, (kind) => kind === sent);
    this.hasRefusals = this.items.use.includes(about.words.use.indexOf("refused"));
    this.hasFaults = this.outages.node.length > 0 || this.items.lost.includes(1);
    this.partner = null; // of each item in the other run, or -1
  }

  /** Whether it is a message that counts: none of a node to itself does. */
  counts(i) {
    return this.isMessage[i] && this.items.node[i] !== this.items.peer[i];
  }

  word(name, i) {
    const code = this.items[name][i];
    return code < 0 ? null : this.about.words[name][code];
  }

  /** A message's kind, or the kind of another record. */
  name(i) {
    return this.word(this.isMessage[i] ? "what" : "kind", i);
  }

  /** Whether it is about hops, pages or barriers, which are a hundred times as many as all others. */
  isDetail(i) {
    return this.about.data_phases.includes(this.word("phase", i)) || this.about.details.includes(this.word("kind", i));
  }

  /** What it is, as a sentence without its time. */
  sentence(i) {
    return this.texts[this.items.sentence[i]] ?? this.name(i);
  }

  /** What a message carries, in words, or what a role notes, in JSON; empty if nothing. */
  content(i) {
    return this.texts[this.items.content[i]] ?? "";
  }

  /** The id of an item as stories name it, such as m6.25. */
  id(i) {
    const { id_high, id_low } = this.items;
    return `${this.about.id_letters[Math.floor(id_high[i] / AGENTS)]}${id_high[i] % AGENTS}.${id_low[i]}`;
  }

  /** The item with this id, or -1. */
  withId(text) {
    return this.items.id_low.findIndex((_, i) => this.id(i) === text);
  }

  /** The item that caused this one, or -1. */
  cause(i) {
    const back = this.items.back[i];
    return back ? i - back : -1;
  }

  /** The decision that a message carries out, or -1: of its sender, for its receiver, at once. */
  decision(i) {
    const { time, node, peer } = this.items;
    const isIt = (other) => node[other] === node[i] && peer[other] === peer[i] && this.name(other) === "decided";
    for (const step of [-1, 1]) {
      for (let other = i + step; time[other] === time[i]; other += step) if (isIt(other)) return other;
    }
    return -1;
  }

  /** Among whom a decision chose: rows of the table, those with the most in truth first. */
  candidates(i) {
    const { choice } = this.tables.candidates;
    return d3.range(d3.bisectLeft(choice, i), d3.bisectRight(choice, i));
  }

  /** What is made once of these tables. */
  once(name, make) {
    return (this.known[name] ??= make());
  }

  /** The items of a kind, beside messages. */
  ofKind(name) {
    const code = this.about.words.kind.indexOf(name);
    return this.once(`of kind ${name}`, () => d3.range(this.count).filter((i) => this.items.kind[i] === code));
  }

  // -- one moment --------------------------------------------------------------------------------

  /** The memory of each node over time: when it changes, and its parts from then on. */
  get memorySeries() {
    return this.once("memory", () => {
      const { node_of_memory, at } = this.memory;
      const lasting = (rows) => rows.filter((i, place) => at[i] !== at[rows[place + 1]]); // not for no time at all
      const series = (rows) => Object.fromEntries(["at", ...PARTS].map((name) => [name, Float64Array.from(rows, (i) => this.memory[name][i])]));
      const ofNodes = d3.group(d3.range(at.length), (i) => node_of_memory[i]);
      return d3.range(this.about.nodes).map((node) => series(lasting(ofNodes.get(node) ?? [])));
    });
  }

  /** The parts of a node's memory at a time, in bytes; null if nothing is known of memory. */
  memoryAt(node, time) {
    if (!this.memory) return null;
    const its = this.memorySeries[node];
    const i = Math.max(0, d3.bisectRight(its.at, time) - 1);
    return Object.fromEntries(PARTS.map((part) => [part, its[part][i]]));
  }

  /** How an outage's color is called. */
  colorOfOutage(i) {
    const { whole, paused } = this.outages;
    return whole[i] ? "node-down" : paused[i] ? "servent-paused" : "servent-down";
  }

  /** How a node is down at a time, as its color is called; null if it is not. */
  downAt(which, time) {
    const { node, start, end } = this.outages;
    const outage = node.findIndex((its, i) => its === which && start[i] <= time && time < end[i]);
    return outage < 0 ? null : this.colorOfOutage(outage);
  }

  /** For how many seconds between two times a node or its servent is down. */
  secondsDown(which, from, to) {
    const { node, start, end } = this.outages;
    return d3.sum(node, (its, i) => (its === which ? Math.max(0, Math.min(to, end[i]) - Math.max(from, start[i])) / 1e9 : 0));
  }

  /** Who lends to a node and who borrows from it at a time, as borrowers see it: bytes by node. */
  loansAt(node, time) {
    const { items } = this;
    const [from, to] = [new Map(), new Map()];
    for (const [kind, sign] of [["borrowed", 1], ["given back", -1]]) {
      for (const i of this.ofKind(kind)) {
        if (items.time[i] > time) break;
        const add = (map, other) => map.set(other, (map.get(other) ?? 0) + sign * items.amount[i]);
        if (items.node[i] === node) add(from, items.peer[i]);
        if (items.peer[i] === node) add(to, items.node[i]);
      }
    }
    return [from, to].map((map) => [...map].filter(([, amount]) => amount > 0));
  }

  /** The messages that are under way at a time, but for those that are hidden. */
  underWay(time) {
    const { items } = this;
    const spans = this.once("spans", () => new Spans(items.time, this.ends.map((end, i) => (items.lasts[i] < 0 ? Infinity : end))));
    const found = [];
    spans.each(time, time, (i) => {
      if (i < (this.shownItems ?? this.count) && spans.ends[i] > time && this.counts(i) && this.visible[i]) found.push(i);
    });
    return found;
  }

  /** The messages that were lost after one time and up to another. */
  lostBetween(from, to) {
    const lost = this.once("lost", () => d3.range(this.count).filter((i) => this.items.lost[i]));
    return lost.filter((i) => this.ends[i] > from && this.ends[i] <= to);
  }

  /** The hops of an item, in their order. */
  hopsOfItem(i) {
    return this.once("hops", () => d3.group(this.hops.item.keys(), (hop) => this.hops.item[hop])).get(i) ?? [];
  }

  /**
   * Where a message is that is under way: `at` a point between its vertices, or at the vertex
   * `foot`, where it waits to be served from `start` on, or has just been sent (null).
   */
  placeOf(i, time, points) {
    const { at, waits, lasts, way } = this.hops;
    const hop = this.hopsOfItem(i).findLast((hop) => at[hop] <= time);
    if (hop === undefined) return { foot: this.items.node[i], start: null };
    const start = at[hop] + waits[hop];
    const line = this.about.ways[way[hop]];
    if (time < start) return { foot: line[0], start };
    const along = Math.min(1, (time - start) / Math.max(1, lasts[hop])) * (line.length - 1);
    const leg = Math.min(Math.floor(along), Math.max(0, line.length - 2));
    const [one, other] = [points[line[leg]], points[line[Math.min(leg + 1, line.length - 1)]]];
    return { foot: null, at: [0, 1].map((axis) => one[axis] + (other[axis] - one[axis]) * (along - leg)) };
  }

  /** The jobs of the table that are on a node at a time. */
  jobsAt(node, time) {
    const { job, first, last, start, end } = this.jobs;
    return d3.range(job.length).filter((i) => start[i] <= time && time < end[i] && first[i] <= node && node <= last[i]);
  }

  /** The last decision up to a time of each role of a node. */
  decisionsOf(node, time) {
    const { items } = this;
    const made = this.ofKind("decided").filter((i) => items.time[i] <= time && items.node[i] === node);
    return [...new Map(made.map((i) => [items.hears[i], i])).values()];
  }

  /** When a node or its servent has crashed, or was gone, so that its roles have forgotten all. */
  crashesOf(which) {
    const { node, paused, start } = this.outages;
    return Array.from(start).filter((_, i) => node[i] === which && !paused[i]);
  }

  /** What each role of a node holds at a time, by what it has noted last: rows of name, value, since when. */
  heldAt(node, time) {
    const { items } = this;
    const forgot = d3.max(this.crashesOf(node).filter((at) => at <= time)) ?? -1;
    const noted = this.ofKind("note").filter((i) => items.node[i] === node && items.time[i] <= time && items.time[i] >= forgot);
    const valueOf = (i) => {
      const value = JSON.parse(this.content(i)); // a text has no quotes
      return shorten(typeof value === "string" ? value : this.content(i), MOST_HELD);
    };
    const row = (its) => [valueOf(its.at(-1)), `since ${secondsOf(items.time[its.at(-1)], 6)}`];
    const rows = d3.rollups(noted, row, (i) => this.word("hears", i), (i) => this.word("what", i));
    return rows.map(([role, its]) => [role, its.map(([name, told]) => [name, ...told])]);
  }

  /** What roles note in numbers: by role and name, the times and values of each node; NaN: forgotten. */
  get levels() {
    return this.once("levels", () => {
      const noted = this.ofKind("note").map((i) => ({ i, value: JSON.parse(this.content(i)) }));
      const series = (its, node) => {
        const steps = its.map(({ i, value }) => [this.items.time[i], value]);
        const all = d3.sort([...this.crashesOf(node).map((at) => [at, NaN]), ...steps], ([at]) => at);
        return { node, at: all.map(([at]) => at), values: all.map(([, value]) => value) };
      };
      const byNode = (its) => Array.from(d3.group(its, ({ i }) => this.items.node[i]), ([node, its]) => series(its, node));
      return d3.rollup(noted.filter(({ value }) => typeof value === "number"), byNode, ({ i }) => `${this.word("hears", i)}’s ${this.word("what", i)}`);
    });
  }

  /** The protocol messages that a node has received last, the latest first. */
  receivedBy(node, time, most) {
    const { items } = this;
    const found = [];
    for (let i = d3.bisectRight(items.time, time) - 1; i >= 0 && found.length < most; i--) {
      if (this.isMessage[i] && items.peer[i] === node && items.lasts[i] >= 0 && !items.lost[i]
        && this.ends[i] <= time && !this.isDetail(i)) found.push(i);
    }
    return found;
  }

  /** Light some items, 1 for each of them; null: nothing is lit. */
  light(lit) {
    this.lit = lit;
    this.litJobs = lit && new Set(this.items.job.filter((_, i) => lit[i]));
  }

  /** Light the visible items of which that holds. */
  lightThose(holds) {
    this.light(this.visible.map((visible, i) => visible && holds(this, i)));
  }

  // -- causes ------------------------------------------------------------------------------------

  /** From what began it all to the item itself. */
  causes(i) {
    const chain = [];
    for (; i >= 0; i = this.cause(i)) chain.push(i);
    return chain.reverse();
  }

  /** What the item led to, directly. */
  effects(i) {
    return d3.range(i + 1, this.count).filter((later) => this.items.back[later] === later - i);
  }

  /** 1 for each item that led to this one or that it led to, else 0. */
  chain(i) {
    const lit = new Uint8Array(this.count);
    const { back } = this.items;
    lit[i] = 1;
    for (let later = i + 1; later < this.count; later++) {
      if (back[later]) lit[later] = lit[later - back[later]];
    }
    for (const before of this.causes(i)) lit[before] = 1;
    return lit;
  }
}

/** The rows of one table, and behind them those of another. */
function joined(first, second) {
  return Object.fromEntries(Object.keys(first).map((name) => {
    const column = new Float64Array(first[name].length + second[name].length);
    column.set(first[name]);
    column.set(second[name], first[name].length);
    return [name, column];
  }));
}

/** Find for each item of two runs what is alike in the other one. */
export function pair(one, other) {
  for (const [run, its] of [[one, other], [other, one]]) {
    const place = new Map(Array.from(its.items.alike, (code, i) => [code, i]));
    run.partner = Int32Array.from(run.items.alike, (code) => place.get(code) ?? -1);
  }
}
