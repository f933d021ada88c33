// Kinds that can be hidden, and the search.

import { make } from "page/elements";
import { sample } from "page/lanes";

const OTHERS = "other records";

/** All kinds of the runs: messages by phase, then other records; with a count for each run, and colors. */
export function categoriesOf(runs) {
  const found = new Map();
  for (const run of runs) {
    const codes = new Map();
    run.category = new Uint8Array(run.count);
    for (let i = 0; i < run.count; i++) {
      const code = run.isMessage[i] ? run.items.what[i] : 100_000 + run.items.kind[i];
      let place = codes.get(code);
      if (place === undefined) {
        const name = run.name(i);
        const phase = run.isMessage[i] ? run.word("phase", i) : OTHERS;
        const key = `${phase} ${name}`;
        const color = run.about.colors[name] ?? run.about.other_color;
        if (!found.has(key)) found.set(key, { key, name, phase, color, on: true, counts: runs.map(() => 0), place: found.size });
        place = found.get(key).place;
        codes.set(code, place);
      }
      run.category[i] = place;
    }
  }
  const categories = [...found.values()];
  runs.forEach((run, which) => {
    run.category.forEach((place, i) => (categories[place].counts[which] += !run.isMessage[i] || run.counts(i)));
  });
  return categories;
}

/** What messages were good for, with counts; empty if no run knows. */
export function usesOf(runs) {
  const known = Object.entries(runs[0].about.uses);
  const uses = new Map(known.map(([name, title]) => [name, { name, title, counts: runs.map(() => 0), on: true }]));
  runs.forEach((run, which) => {
    const names = run.about.words.use;
    for (const use of run.items.use) if (use >= 0) uses.get(names[use]).counts[which]++;
  });
  return [...uses.values()].filter(({ counts }) => d3.sum(counts));
}

/** Ranks of categories, the rarest first, and their colors by rank. */
export function byRarity(categories) {
  const order = d3.sort(categories, (category) => d3.sum(category.counts), (category) => category.place);
  const ranks = new Uint8Array(categories.length);
  order.forEach((category, rank) => (ranks[category.place] = rank));
  return { ranks, order };
}

/** Buttons that hide and show kinds; they are the legend, too. */
export function showFilters(element, categories, uses, onPaper, changed) {
  element.replaceChildren();
  const shown = categories.filter(({ counts }) => d3.sum(counts));
  for (const [phase, its] of d3.group(shown, (category) => category.phase)) add(`${phase}:`, its, categories);
  if (uses.length) add("messages were:", uses, uses);

  function add(text, its, among) {
    const all = button([text], its.some((one) => one.on), { className: "group" }, (alone) => choose(its, alone, among));
    const each = its.map((one) => {
      const color = one.color ? [sample({ background: onPaper(one.color) })] : [];
      const shown = button([...color, `${one.name} ${counted(one.counts)}`], one.on, { className: "kind", title: one.title ?? "" }, (alone) => choose([one], alone, among));
      shown.dataset.kind = one.name;
      return shown;
    });
    element.append(make("span", { className: "phase" }, all, ...each));
  }

  function choose(its, alone, among) {
    const on = alone || !its.some((one) => one.on);
    if (alone) for (const one of among) one.on = false;
    for (const one of its) one.on = on;
    changed();
  }
}

/** Counts of the run above and of the one below. */
const counted = (counts) => counts.map((count) => count.toLocaleString("en-US")).join(" | ");

const button = (children, isPressed, properties, clicked) =>
  make("button", { ...properties, ariaPressed: isPressed, onclick: (event) => clicked(event.altKey) }, ...children);

/** A function of run and item that says whether it is searched for; null without a search. */
export function searched(text, categories) {
  const terms = [];
  const words = text.trim().split(/[\s,:]+/).filter(Boolean);
  for (let place = 0; place < words.length; place++) {
    const word = words[place].toLowerCase();
    const next = /^\d+$/.test(words[place + 1] ?? "") ? Number(words[place + 1]) : null;
    if (["job", "node", "rank"].includes(word) && next !== null) {
      place++;
      if (word === "node") terms.push((run, i) => run.items.node[i] === next || run.items.peer[i] === next);
      else terms.push((run, i) => run.items[word][i] === next);
    } else if (word === "nodes") {
      const any = new Set();
      while (/^\d+$/.test(words[place + 1] ?? "")) any.add(Number(words[++place]));
      terms.push((run, i) => any.has(run.items.node[i]) || any.has(run.items.peer[i]));
    } else if (word === "id" && words[place + 1]) {
      const id = words[++place].toLowerCase();
      terms.push((run, i) => run.id(i) === id);
    } else if (word === "lost") {
      terms.push((run, i) => run.items.lost[i] === 1);
    } else if (/^[a-z]\d+\.\d+$/.test(word)) {
      terms.push((run, i) => run.id(i) === word);
    } else if (/^\d+$/.test(word)) {
      const number = Number(word);
      terms.push((run, i) => run.items.job[i] === number);
    } else {
      const named = categories.map(({ key }) => key.toLowerCase().includes(word));
      terms.push((run, i) => named[run.category[i]]);
    }
  }
  return terms.length ? (run, i) => terms.every((holds) => holds(run, i)) : null;
}
