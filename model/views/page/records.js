// The tables of a run, unpacked, and what follows from them: partners, chains of causes.

const AGENTS = 2 ** 24; // in the upper part of an id, above 36 bits that count; above them, its category

/** Unpack a run from what packing.py has made. */
export async function unpack(packed) {
  const bytes = await inflate(packed.body);
  const tables = {};
  let place = 0;
  for (const [table, name, count, width, least, rises] of packed.columns) {
    const column = numbers(bytes, place, count, width, least, rises);
    (tables[table] ??= {})[name] = column;
    place += count * width;
  }
  const written = bytes.subarray(place, place + packed.text_bytes);
  return new Run(packed.about, tables, new TextDecoder().decode(written).split("\n"));
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
  constructor(about, tables, payloads) {
    this.about = about;
    this.items = tables.items;
    this.hops = tables.hops;
    this.jobs = joined(tables.jobs, tables.lasting);
    this.memory = about.knows_memory ? tables.memory : null;
    this.outages = tables.outages;
    this.payloads = payloads;
    this.count = this.items.time.length;
    this.ends = this.items.time.map((time, i) => time + Math.max(0, this.items.lasts[i]));
    const sent = about.words.kind.indexOf("sent");
    this.isMessage = Uint8Array.from(this.items.kind, (kind) => kind === sent);
    this.hasRefusals = this.items.use.includes(about.words.use.indexOf("refused"));
    this.hasFaults = this.outages.node.length > 0 || this.items.lost.includes(1);
    this.partner = null; // of each item in the other run, or -1
  }

  word(name, i) {
    const code = this.items[name][i];
    return code < 0 ? null : this.about.words[name][code];
  }

  /** A message's kind, or the kind of another record. */
  name(i) {
    return this.word(this.isMessage[i] ? "what" : "kind", i);
  }

  payload(i) {
    const code = this.items.payload[i];
    return code < 0 ? null : this.payloads[code];
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

  /**
   * The candidates of a search up to a decision: [node, believed, stated, true, whether it was
   * chosen before], those with the most first; what is true of those chosen before is of then.
   */
  candidates(i) {
    const { node, peer, kind, hears } = this.items;
    const before = new Set();
    const { search } = JSON.parse(this.payload(i));
    const found = new Map();
    for (let past = i; past >= 0; past--) {
      if (kind[past] !== kind[i] || node[past] !== node[i] || hears[past] !== hears[i]) continue;
      const choice = JSON.parse(this.payload(past));
      if (JSON.stringify(choice.search) !== JSON.stringify(search)) break;
      for (const [other, word] of Object.entries(choice.candidates)) {
        if (!found.has(other)) found.set(other, [Number(other), ...word]);
      }
      if (past < i) before.add(peer[past]);
    }
    const all = Array.from(found.values(), (candidate) => [...candidate, before.has(candidate[0])]);
    return d3.sort(all, ([, , , , chosen]) => chosen, ([, , , truth]) => -truth);
  }

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

  /** 1 for each item that led to this one or that it led to, else 0; and how many these are. */
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
  return Object.fromEntries(Object.keys(first).map((name) => [name, Float64Array.of(...first[name], ...second[name])]));
}

/** Find for each item of two runs what is alike in the other one. */
export function pair(one, other) {
  for (const [run, its] of [[one, other], [other, one]]) {
    const place = new Map();
    its.items.alike.forEach((code, i) => place.set(code, i));
    run.partner = Int32Array.from(run.items.alike, (code) => place.get(code) ?? -1);
  }
}
