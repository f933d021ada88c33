// The tables of a run, unpacked, and what follows from them: partners, chains of causes.

import { secondsOf } from "page/axis";
import { Spans } from "page/lanes";
import { shorten } from "page/words";

const AGENTS = 2 ** 24; // in the upper part of an id, above 36 bits that count; above them, its category

/** Unpack a run from what packing.py has made. */
export async function unpack(packed) {
  const { tables, texts } = await unpackTables(packed);
  return new Run(packed.about, tables, texts);
}

/** Unpack tables, and the texts. */
export async function unpackTables(packed) {
  const bytes = await inflate(packed.body);
  const tables = {};
  let place = 0;
  for (const [table, name, count, width, least, rises] of packed.columns) {
    const column = numbers(bytes, place, count, width, least, rises);
    (tables[table] ??= {})[name] = column;
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
  constructor(about, tables, texts) {
    this.about = about;
    this.texts = texts;
    this.take(tables);
  }

  /** Take in what has come since, of a run that goes on. */
  append(about, { items, hops, memory, jobs, candidates, lasting, outages, changed }, texts) {
    const { ways } = this.about;
    this.about = { ...this.about, ...about, ways: [...ways, ...about.ways], jobs: { ...this.about.jobs, ...about.jobs } };
    this.texts = this.texts.length ? [...this.texts, ...texts] : texts;
    changed.which.forEach((item, place) => {
      for (const name of ["lasts", "lost", "use"]) this.tables.items[name][item] = changed[name][place];
    });
    const before = this.tables;
    this.take({
      items: joined(before.items, items),
      hops: joined(before.hops, hops),
      memory: joined(before.memory, memory),
      jobs: joined(before.jobs, jobs),
      candidates: joined(before.candidates, candidates),
      lasting,
      outages,
    });
  }

  take(tables) {
    this.tables = tables;
    const { about } = this;
    this.items = tables.items;
    this.hops = tables.hops;
    this.jobs = joined(tables.jobs, tables.lasting);
    this.memory = about.knows_memory ? tables.memory : null;
    this.outages = tables.outages;
    this.series = null;
    this.hopsOf = null;
    this.gone = null;
    this.noted = null;
    this.leveled = null;
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
    for (let i = 0; i < this.count; i++) if (this.id(i) === text) return i;
    return -1;
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

  // -- one moment --------------------------------------------------------------------------------

  /** The memory of each node over time. */
  memorySeries() {
    if (!this.series) {
      const rows = d3.range(this.about.nodes).map(() => []);
      const { node_of_memory, at } = this.memory;
      at.forEach((time, i) => {
        const its = rows[node_of_memory[i]];
        if (its.length && at[its[its.length - 1]] === time) its.pop(); // what it was for no time at all
        its.push(i);
      });
      this.series = rows.map((its) => seriesOf(this.memory, its));
    }
    return this.series;
  }

  /** The parts of a node's memory at a time, in bytes; null if nothing is known of memory. */
  memoryAt(node, time) {
    if (!this.memory) return null;
    const its = this.memorySeries()[node];
    const i = Math.max(0, d3.bisectRight(its.at, time) - 1);
    return Object.fromEntries(PARTS.map((part) => [part, its[part][i]]));
  }

  /** How a node is down at a time, as its color is called; null if it is not. */
  downAt(which, time) {
    const { node, whole, paused, start, end } = this.outages;
    for (let i = 0; i < node.length; i++) {
      if (node[i] !== which || start[i] > time || end[i] <= time) continue;
      return whole[i] ? "node-down" : paused[i] ? "servent-paused" : "servent-down";
    }
    return null;
  }

  /** Who lends to a node and who borrows from it at a time, as borrowers see it: bytes by node. */
  loansAt(node, time) {
    const { items } = this;
    const [from, to] = [new Map(), new Map()];
    const codes = ["borrowed", "given back"].map((name) => this.about.words.kind.indexOf(name));
    for (let i = 0; i < this.count && items.time[i] <= time; i++) {
      const sign = [1, -1][codes.indexOf(items.kind[i])];
      if (!sign) continue;
      const add = (map, other) => map.set(other, (map.get(other) ?? 0) + sign * items.amount[i]);
      if (items.node[i] === node) add(from, items.peer[i]);
      if (items.peer[i] === node) add(to, items.node[i]);
    }
    const real = (map) => new Map([...map].filter(([, amount]) => amount > 0));
    return [real(from), real(to)];
  }

  /** The messages that are under way at a time, but for those that are hidden. */
  *underWay(time) {
    const { items } = this;
    this.gone ??= new Spans(items.time, this.ends.map((end, i) => (items.lasts[i] < 0 ? Infinity : end)));
    for (const [first, last] of this.gone.within(time, time)) {
      for (let i = first; i < Math.min(last, this.shownItems ?? last); i++) {
        if (items.time[i] <= time && this.gone.ends[i] > time && this.counts(i) && this.visible[i]) yield i;
      }
    }
  }

  /** The messages that were lost after one time and up to another. */
  lostBetween(from, to) {
    const { lost } = this.items;
    const found = [];
    for (let i = 0; i < this.count && this.items.time[i] <= to; i++) {
      if (lost[i] && this.ends[i] > from && this.ends[i] <= to) found.push(i);
    }
    return found;
  }

  /** The hops of an item, in their order. */
  hopsOfItem(i) {
    if (!this.hopsOf) {
      const offsets = new Int32Array(this.count + 1);
      for (const item of this.hops.item) offsets[item + 1]++;
      for (let item = 0; item < this.count; item++) offsets[item + 1] += offsets[item];
      const [order, next] = [new Int32Array(this.hops.item.length), offsets.slice()];
      this.hops.item.forEach((item, hop) => (order[next[item]++] = hop));
      this.hopsOf = { offsets, order };
    }
    const { offsets, order } = this.hopsOf;
    return order.subarray(offsets[i], offsets[i + 1]);
  }

  /**
   * Where a message is that is under way: `at` a point between its vertices, or at the vertex
   * `foot`, where it waits to be served from `start` on, or has just been sent (null).
   */
  placeOf(i, time, points) {
    const { at, waits, lasts, way } = this.hops;
    const hop = d3.greatest(this.hopsOfItem(i), (hop) => (at[hop] <= time ? at[hop] : -1));
    if (hop === undefined || at[hop] > time) return { foot: this.items.node[i], start: null };
    const start = at[hop] + waits[hop];
    const line = this.about.ways[way[hop]];
    if (time < start) return { foot: line[0], start };
    const along = Math.min(1, (time - start) / Math.max(1, lasts[hop])) * (line.length - 1);
    const leg = Math.min(Math.floor(along), Math.max(0, line.length - 2));
    const [one, other] = [points[line[leg]], points[line[Math.min(leg + 1, line.length - 1)]]];
    return { foot: null, at: [0, 1].map((axis) => one[axis] + (other[axis] - one[axis]) * (along - leg)) };
  }

  /** Whether a job of the table is on a node at a time. */
  isHere(i, node, time) {
    const { first, last, start, end } = this.jobs;
    return start[i] <= time && time < end[i] && first[i] <= node && node <= last[i];
  }

  /** The last decision up to a time of each role of a node. */
  decisionsOf(node, time) {
    const { items } = this;
    const decided = this.about.words.kind.indexOf("decided");
    const found = new Map();
    for (let i = 0; i < this.count && items.time[i] <= time; i++) {
      if (items.kind[i] === decided && items.node[i] === node) found.set(items.hears[i], i);
    }
    return [...found.values()];
  }

  /** The items in which roles of each node note something of themselves, in order. */
  get notes() {
    if (!this.noted) {
      const { kind, node } = this.items;
      const note = this.about.words.kind.indexOf("note");
      this.noted = d3.range(this.about.nodes).map(() => []);
      for (let i = 0; note >= 0 && i < this.count; i++) if (kind[i] === note) this.noted[node[i]].push(i);
    }
    return this.noted;
  }

  /** When a node or its servent has crashed, or was gone, so that its roles have forgotten all. */
  crashesOf(which) {
    const { node, paused, start } = this.outages;
    return d3.range(node.length).filter((i) => node[i] === which && !paused[i]).map((i) => start[i]);
  }

  /** What each role of a node holds at a time, by what it has noted last: rows of name, value, since when. */
  heldAt(node, time) {
    const forgot = d3.max(this.crashesOf(node).filter((at) => at <= time)) ?? -1;
    const held = new Map();
    for (const i of this.notes[node]) {
      if (this.items.time[i] > time) break;
      if (this.items.time[i] < forgot) continue;
      const role = this.word("hears", i);
      if (!held.has(role)) held.set(role, new Map());
      held.get(role).set(this.word("what", i), [shorten(textOf(this.content(i)), 300), `since ${secondsOf(this.items.time[i], 6)}`]);
    }
    return Array.from(held, ([role, its]) => [role, Array.from(its, ([name, row]) => [name, ...row])]);
  }

  /** What roles note in numbers: by role and name, the times and values of each node; NaN: forgotten. */
  get levels() {
    if (this.leveled) return this.leveled;
    const levels = this.leveled = new Map();
    this.notes.forEach((its, node) => {
      const own = new Map();
      for (const i of its) {
        const value = JSON.parse(this.content(i));
        if (typeof value !== "number") continue;
        const name = `${this.word("hears", i)}’s ${this.word("what", i)}`;
        if (!own.has(name)) own.set(name, []);
        own.get(name).push([this.items.time[i], value]);
      }
      const crashes = this.crashesOf(node).map((at) => [at, NaN]);
      for (const [name, steps] of own) {
        const all = [...crashes, ...steps].sort((one, other) => one[0] - other[0]);
        if (!levels.has(name)) levels.set(name, []);
        levels.get(name).push({ node, at: all.map(([at]) => at), values: all.map(([, value]) => value) });
      }
    });
    return levels;
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

  // -- causes ------------------------------------------------------------------------------------

  /** From what began it all to the item itself. */
  causes(i) {
    const chain = [];
    for (; i >= 0; i = this.cause(i)) chain.push(i);
    return chain.reverse();
  }

  /** What the item led to, directly. */
  effects(i) {
    const found = [];
    for (let later = i + 1; later < this.count; later++) {
      if (this.items.back[later] === later - i) found.push(later);
    }
    return found;
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

/** A value in JSON as people read it: a text without its quotes. */
function textOf(json) {
  const value = JSON.parse(json);
  return typeof value === "string" ? value : json;
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

const PARTS = ["own", "lent", "idle", "crashed", "borrowed", "asked", "on_disk"];

/** The memory of one node: the times at which it changes, and its parts from then on. */
function seriesOf(memory, rows) {
  const its = { at: Float64Array.from(rows, (i) => memory.at[i]) };
  for (const part of PARTS) its[part] = Float64Array.from(rows, (i) => memory[part][i]);
  return its;
}

/** Find for each item of two runs what is alike in the other one. */
export function pair(one, other) {
  for (const [run, its] of [[one, other], [other, one]]) {
    const place = new Map();
    its.items.alike.forEach((code, i) => place.set(code, i));
    run.partner = Int32Array.from(run.items.alike, (code) => place.get(code) ?? -1);
  }
}
