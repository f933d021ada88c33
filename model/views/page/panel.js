// The panel beside the lanes: an item with what led to it and what it led to, or a job in both runs.

import { secondsOf, spanOf } from "page/axis";
import { make } from "page/elements";
import { onPaper } from "page/lanes";
import { DOES, goodFor, line, megabytes, memoryOf, shorten, took } from "page/words";

const MOST_LISTED = 40; // causes, effects or candidates
const MOST_RECEIVED = 12;
const MOST_WHOLE = 18; // letters of a cell whose line is not broken

export class Panel {
  constructor(page, element) {
    Object.assign(this, { page, element });
  }

  /** The panel: an item, what led to it, what it led to. */
  show(run, i) {
    const { page, element } = this;
    const { items } = run;
    element.replaceChildren(...this.heading((page.shown.length > 1 ? `${run.about.design}: ` : "") + line(run, i)));
    const decided = run.isMessage[i] ? run.decision(i) : run.name(i) === "decided" ? i : -1;
    const rows = [["id", run.id(i)], ["time", secondsOf(items.time[i])]];
    if (run.isMessage[i]) {
      rows.push(["on its way", took(run, i)], ["phase", run.word("phase", i)], ["heard by", run.word("hears", i)]);
      rows.push(["size", `${(items.size[i] / 1024).toLocaleString("en-US", { maximumFractionDigits: 2 })} KB`]);
    } else if (items.lasts[i] >= 0) rows.push(["lasts", spanOf(items.lasts[i])]);
    if (items.job[i] >= 0) rows.push(["job", items.rank[i] >= 0 ? `${items.job[i]}, rank ${items.rank[i]}` : items.job[i]]);
    if (decided >= 0 && decided !== i) rows.push(["chosen", line(run, decided)]);
    if (run.word("use", i)) rows.push(["it", goodFor(run, i)]);
    if (run.isMessage[i] && run.content(i)) rows.push(["carries", shorten(run.content(i), 1500)]);
    if (run.partner) rows.push(this.partner(run, i));
    element.append(tableOf(rows), ...(page.live?.harms({ run, item: i }) ?? []));
    const { station, waits, lasts } = run.hops;
    const way = Array.from(run.hopsOfItem(i), (hop) => [
      run.about.words.station[station[hop]],
      waits[hop] ? `waits ${spanOf(waits[hop])}` : "no wait",
      `is served for ${spanOf(lasts[hop])}`,
    ]);
    if (way.length) element.append(...this.titled("Stations that it passes", way));
    const causes = run.causes(i);
    element.append(...this.listed("What led to it", run, causes.slice(0, -1).reverse()));
    if (items.caused[causes[0]] && !items.back[causes[0]]) {
      const note = "What led to the first of these is not in the journal, which leaves out pages and barriers or is of a part of the run.";
      element.append(make("p", {}, note));
    }
    element.append(...this.listed("What it led to at once", run, run.effects(i)));
    if (decided >= 0) element.append(...this.candidates(run, decided));
    element.hidden = false;
    page.resize();
  }

  /** A row about what is like an item in the other run, with a button that leads there. */
  partner(run, i) {
    const other = this.page.shown.find((one) => one !== run);
    const partner = run.partner[i];
    const name = `in ${other.about.design}`;
    if (partner < 0) return [name, "none like it"];
    return [name, this.leadsTo(other, partner, `the same at ${secondsOf(other.items.time[partner])}`)];
  }

  /** What was believed of all nodes that could have been chosen, and what was true. */
  candidates(run, i) {
    const all = run.candidates(i);
    const { candidate, group, all: of, known, believed, stated, true: truth, before, ram } = run.tables.candidates;
    const load = (bytes, row) => megabytes(bytes) + (ram[row] ? ` (${Math.round((100 * bytes) / ram[row])} %)` : ""); // if shares were compared
    const rows = all.map((row) => [
      `${candidate[row] === run.items.peer[i] ? "▸ " : ""}${group[row] ? "group of node" : "node"} ${candidate[row]}`,
      known[row] ? load(believed[row], row) : "unknown",
      known[row] ? `${spanOf(run.items.time[i] - stated[row])} old` : "",
      before[row] ? "chosen before" : load(truth[row], row),
    ]);
    const most = of[all[0]] > all.length ? `, the ${all.length} with the most idle memory:` : "";
    const table = tableOf([["", "believed", "", "in truth"], ...rows]);
    return all.length ? [heading(`Candidates of this search: ${of[all[0]]}${most}`), table] : [];
  }

  /** The panel: a job in the runs shown, with a waterfall of where its time went. */
  showJob(job) {
    const { page, element } = this;
    const found = page.shown.map((run) => run.about.jobs[job] ?? { rows: [], attempts: [], parts: [] });
    const [names, parts] = ["rows", "parts"].map((which) => merged(found.map((its) => its[which].map(([name]) => name))));
    const of = (its, name) => its.find(([own]) => own === name);
    const head = page.shown.length > 1 ? [["", ...page.shown.map((run) => run.about.design)]] : [];
    const bars = tableOf([...head, ...parts.map((name) => [name, ...found.map((its) => of(its.parts, name)?.[1] ?? "–")])]);
    bars.className = "waterfall";
    const longest = d3.max(found, (its) => d3.sum(its.parts, ([, , lasts]) => lasts));
    const before = found.map(() => 0);
    parts.forEach((name, place) => found.forEach((its, turn) => {
      const [, , lasts = 0, color] = of(its.parts, name) ?? [];
      const [left, wide] = [before[turn], lasts].map((size) => `${(size / longest) * 100}%`);
      const bar = make("i", { className: "bar" });
      Object.assign(bar.style, { marginLeft: left, width: wide, background: color ? onPaper(color) : "none" });
      bars.rows[place + head.length].cells[turn + 1].append(bar);
      before[turn] += lasts;
    }));
    const again = found.some((its) => its.attempts.length > 1); // attempts of one run are told, not compared
    const ofAttempts = new Set(found.flatMap((its) => its.rows.filter(([, , attempt]) => attempt).map(([name]) => name)));
    const rows = names
      .filter((name) => !again || !ofAttempts.has(name))
      .map((name) => [name, ...found.map((its) => of(its.rows, name)?.[1] ?? "–")]);
    element.replaceChildren(...this.heading(`job ${job}`));
    if (parts.length) element.append(heading("Where its time went, in the mean of its processes"), bars);
    page.shown.forEach((run, turn) => {
      const { attempts } = found[turn];
      const whose = page.shown.length > 1 ? `${run.about.design}: ` : "";
      attempts.forEach((told, at) => {
        const which = attempts.length > 1 ? `attempt ${at + 1} of ${attempts.length}` : "its only attempt";
        element.append(heading(whose + which), tableOf(told));
      });
    });
    element.append(heading("What became of it"), tableOf([...head, ...rows]));
    element.hidden = false;
    page.resize();
  }

  /** The panel: a node at the moment, in the runs shown. */
  showNode(node) {
    const { page, element } = this;
    const time = page.moment.at;
    element.replaceChildren(...this.heading(`node ${node} at ${secondsOf(time)}`));
    for (const run of page.shown) {
      const title = (page.shown.length > 1 ? `${run.about.design}: ` : "") + (run.about.managers.includes(node) ? "manages" : "");
      element.append(heading(title));
      const memory = memoryOf(run, node, time).map((text) => text.split(": "));
      if (memory.length) element.append(tableOf(memory));
      for (const [role, held] of run.heldAt(node, time)) element.append(heading(`What its ${role} holds`), tableOf(held));
      const jobs = d3.range(run.jobs.job.length).filter((i) => run.isHere(i, node, time));
      element.append(...this.titled("Jobs here", jobs.map((i) =>
        [`job ${run.jobs.job[i]}`, DOES[run.jobs.state[i]], `since ${secondsOf(run.jobs.start[i], 6)}`])));
      for (const decided of run.decisionsOf(node, time)) {
        const head = `What its ${run.word("hears", decided)} believed at its last choice, ${secondsOf(run.items.time[decided], 6)}`;
        element.append(heading(head), ...this.candidates(run, decided));
      }
      element.append(...this.listed("Protocol messages received last", run, run.receivedBy(node, time, MOST_RECEIVED)));
    }
    element.append(...(page.live?.harms({ node }) ?? []));
    element.hidden = false;
    page.resize();
  }

  titled(title, rows) {
    const head = heading(`${title}: ${rows.length || "none"}`);
    return rows.length ? [head, tableOf(rows)] : [head];
  }

  /** A sentence above what is told of an item. */
  note(text) {
    this.element.querySelector("h2").after(make("p", {}, text));
  }

  /** A button that brings an item to the middle, and tells of it. */
  leadsTo(run, i, text) {
    const onclick = () => {
      this.page.bring(run, i);
      this.page.select(run, i);
    };
    return make("button", { onclick }, text);
  }

  heading(text) {
    const onclick = () => this.page.leave();
    return [make("button", { className: "close", title: "Esc", onclick }, "✕"), make("h2", {}, text)];
  }

  listed(title, run, which) {
    const lines = which.slice(0, MOST_LISTED).map((i) => make("li", {}, this.leadsTo(run, i, `${secondsOf(run.items.time[i])} ${line(run, i)}`)));
    const list = make("ol", {}, ...lines, which.length > MOST_LISTED ? `… and ${which.length - MOST_LISTED} more` : "");
    return [heading(`${title}: ${which.length ? which.length.toLocaleString("en-US") : "nothing"}`), list];
  }
}

const heading = (text) => make("h3", {}, text);

/** All names of some lists, each where the first list that has it does. */
function merged(lists) {
  const found = [];
  for (const names of lists) {
    let place = 0;
    for (const name of names) {
      if (!found.includes(name)) found.splice(place, 0, name);
      place = found.indexOf(name) + 1;
    }
  }
  return found;
}

/** A table of rows, of which each begins with its name. */
function tableOf(rows) {
  const table = make("table");
  for (const [name, ...values] of rows) {
    const row = table.insertRow();
    row.append(make("th", {}, name));
    for (const value of values) {
      const cell = row.insertCell();
      cell.append(value);
      if (String(value).length <= MOST_WHOLE) cell.className = "whole";
    }
  }
  return table;
}
