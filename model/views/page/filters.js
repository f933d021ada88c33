// Kinds that can be hidden, and the search.

import { make } from "page/elements";
import { onPaper, sample } from "page/lanes";

const OTHERS = "other records";

/** All kinds of the runs: messages by phase, then other records; with a count for each run, and colors. */
export function categoriesOf(runs) {
  const found = new Map();
  const categoryOf = (run, i) => {
    const name = run.name(i);
    const phase = run.isMessage[i] ? run.word("phase", i) : OTHERS;
    const key = `${phase} ${name}`;
    const color = run.about.colors[name] ?? run.about.other_color;
    if (!found.has(key)) found.set(key, { key, name, phase, color, on: true, counts: runs.map(() => 0), place: found.size });
    return found.get(key);
  };
  runs.forEach((run, which) => {
    const known = new Map();
    run.category = Uint8Array.from(run.items.kind, (kind, i) => {
      const code = run.isMessage[i] ? -1 - run.items.what[i] : kind;
      if (!known.has(code)) known.set(code, categoryOf(run, i));
      const category = known.get(code);
      category.counts[which] += !run.isMessage[i] || run.counts(i);
      return category.place;
    });
  });
  return [...found.values()];
}

/** What messages were good for, with counts; empty if no run knows. */
export function usesOf(runs) {
  const uses = Object.entries(runs[0].about.uses).map(([name, title]) => ({ name, title, on: true }));
  const counts = runs.map((run) => d3.rollup(run.items.use, (its) => its.length, (use) => run.about.words.use[use]));
  for (const use of uses) use.counts = counts.map((its) => its.get(use.name) ?? 0);
  return uses.filter(({ counts }) => d3.sum(counts));
}

/** Ranks of categories, the rarest first, and their colors by rank. */
export function byRarity(categories) {
  const order = d3.sort(categories, (category) => d3.sum(category.counts), (category) => category.place);
  return { ranks: Uint8Array.from(categories, (category) => order.indexOf(category)), order };
}

/** Buttons that hide and show kinds; they are the legend, too. */
export function showFilters(element, categories, uses, changed) {
  const shown = d3.groups(categories.filter(({ counts }) => d3.sum(counts)), ({ phase }) => phase);
  const groups = [...shown.map(([phase, its]) => [`${phase}:`, its, categories]), ["messages were:", uses, uses]];
  element.replaceChildren(...groups.filter(([, its]) => its.length).map(([text, its, among]) => {
    const each = its.map((one) => {
      const color = one.color ? [sample({ background: onPaper(one.color) })] : [];
      const shown = button([...color, `${one.name} ${counted(one.counts)}`], [one], among, { className: "kind", title: one.title ?? "" });
      shown.dataset.kind = one.name;
      return shown;
    });
    return make("span", { className: "phase" }, button([text], its, among, { className: "group" }), ...each);
  }));

  /** A button for some of them; with Alt, they alone are shown. */
  function button(children, its, among, properties) {
    const ariaPressed = its.some((one) => one.on);
    const onclick = ({ altKey }) => {
      if (altKey) for (const one of among) one.on = false;
      for (const one of its) one.on = altKey || !ariaPressed;
      changed();
    };
    return make("button", { ...properties, ariaPressed, onclick }, ...children);
  }
}

/** Counts of the run above and of the one below. */
const counted = (counts) => counts.map((count) => count.toLocaleString("en-US")).join(" | ");

/** A function of run and item that says whether it is searched for; null without a search. */
export function searched(text, categories) {
  const terms = [];
  const words = text.toLowerCase().split(/[\s,:]+/).filter((word) => word && word !== "id");
  const isNumber = (word) => /^\d+$/.test(word ?? "");
  for (let place = 0; place < words.length; place++) {
    const word = words[place];
    const numbers = new Set();
    const most = word === "nodes" ? Infinity : ["job", "node", "rank"].includes(word) ? 1 : 0;
    while (numbers.size < most && isNumber(words[place + 1])) numbers.add(Number(words[++place]));
    if (word.startsWith("node") && numbers.size) {
      terms.push((run, i) => numbers.has(run.items.node[i]) || numbers.has(run.items.peer[i]));
    } else if (numbers.size) {
      terms.push((run, i) => numbers.has(run.items[word][i]));
    } else if (word === "lost") {
      terms.push((run, i) => run.items.lost[i] === 1);
    } else if (/^[a-z]\d+\.\d+$/.test(word)) {
      terms.push((run, i) => run.id(i) === word);
    } else if (isNumber(word)) {
      terms.push((run, i) => run.items.job[i] === Number(word));
    } else {
      const named = categories.map(({ key }) => key.toLowerCase().includes(word));
      terms.push((run, i) => named[run.category[i]]);
    }
  }
  return terms.length ? (run, i) => terms.every((holds) => holds(run, i)) : null;
}
