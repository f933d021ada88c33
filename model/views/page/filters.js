// The legend: kinds that can be pointed out, hidden and shown; and the search.

import { make } from "page/elements";
import { onPaper, sample } from "page/lanes";

const OTHERS = "other records";
const SIGNS = { refused: "▷", decisive: "━", lost: "✕" }; // how messages of a use are drawn

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
  const { uses: titles, pale_uses, words } = runs[0].about;
  const uses = words.use.map((name, place) => ({ name, title: titles[name], isPale: pale_uses.includes(name), place, on: true }));
  const counts = runs.map((run) => d3.rollup(run.items.use, (its) => its.length, (use) => run.about.words.use[use]));
  for (const use of uses) use.counts = counts.map((its) => its.get(use.name) ?? 0);
  return uses.filter(({ counts }) => d3.sum(counts));
}

/** Ranks of categories, the rarest first, and their colors by rank. */
export function byRarity(categories) {
  const order = d3.sort(categories, (category) => d3.sum(category.counts), (category) => category.place);
  return { ranks: Uint8Array.from(categories, (category) => order.indexOf(category)), order };
}

/** Panels of buttons, each panel with its counts as a title; `page` points out, hides and shows. */
export function makeLegend(page, element) {
  const { shown, categories, uses } = page;
  const phases = d3.groups(categories.filter(({ counts }) => d3.sum(counts)), ({ phase }) => phase);
  const panels = d3.sort(phases, ([phase]) => phase === OTHERS).map(([phase, its]) =>
    panel(`${totals(its)} ${phase === OTHERS ? OTHERS : `${phase} message${totals(its) === "1" ? "" : "s"}`}`, its, categories, (run, i, all) => all[run.category[i]]));
  const isOfUse = (run, i, all) => all[run.items.use[i]];
  const told = uses.length ? [panel(`${totals(uses)} messages by use`, uses, uses, isOfUse)] : [];
  const names = shown.map((run) => make("b", { className: "count", title: run.about.design }, run.about.design));
  const runs = shown.length > 1 ? [make("p", { className: "runs" }, make("span", { className: "name" }), ...names)] : [];
  const others = phases.some(([phase]) => phase === OTHERS) ? [panels.pop()] : [];
  element.replaceChildren(...runs, ...panels, ...told, ...others);

  function panel(title, its, among, isOne) {
    const each = its.map((one) => {
      const shown = button([signOf(one), make("span", { className: "name" }, one.name), ...one.counts.map(counted)], [one], among, isOne, { className: "kind", title: one.title ?? "" });
      shown.dataset.kind = one.name;
      return shown;
    });
    return make("div", {}, button([title], its, among, isOne, { className: "group" }), ...each);
  }

  /** A button for some of them; with Alt, they alone are shown. */
  function button(children, its, among, isOne, properties) {
    const all = []; // whether it is one of these, by its place
    for (const one of its) all[one.place] = true;
    const point = () => page.point(its.some((one) => one.on) ? (run, i) => isOne(run, i, all) : null);
    const leave = () => page.point(null);
    const onclick = ({ altKey }) => {
      const isOn = its.some((one) => one.on);
      if (altKey) for (const one of among) one.on = false;
      for (const one of its) one.on = altKey || !isOn;
      page.filter();
    };
    const made = make("button", { ...properties, onclick, onpointerenter: point, onfocus: point, onpointerleave: leave, onblur: leave }, ...children);
    made.isOn = () => its.some((one) => one.on);
    return made;
  }
}

/** Say of each button whether what it stands for is shown. */
export function markLegend(element) {
  for (const button of element.querySelectorAll("button")) button.ariaPressed = button.isOn();
}

const counted = (count) => make("span", { className: "count" }, count.toLocaleString("en-US"));

/** How many there are of some kinds, in the run above and in the one below. */
const totals = (its) => d3.transpose(its.map(({ counts }) => counts)).map((of) => d3.sum(of).toLocaleString("en-US")).join(" | ");

/** How something is drawn: its color, or what its use makes of a message. */
function signOf({ name, color, isPale }) {
  return color ? sample({ background: onPaper(color) }) : make("i", { className: isPale ? "pale" : "" }, SIGNS[name] ?? "─");
}

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
