// The panel beside the lanes: an item with what led to it and what it led to, a job, or a node.

import { secondsOf, spanOf } from "page/axis";
import { make } from "page/elements";
import { onPaper } from "page/lanes";
import { DOES, line, megabytes, memoryOf, shorten, took } from "page/words";

const MOST_LISTED = 40; // causes, effects or candidates
const MOST_RECEIVED = 12;
const MOST_WHOLE = 18; // letters of a cell whose line is not broken
const MOST_CARRIED = 1500; // letters of what a message carries

export class Panel {
  constructor(page, element) {
    Object.assign(this, { page, element });
  }

  /** Show these elements below a title. */
  fill(title, ...elements) {
    const close = make("button", { className: "close", title: "Esc", onclick: () => this.page.leave() }, "✕");
    this.element.replaceChildren(close, make("h2", {}, title), ...elements);
    this.element.hidden = false;
    this.element.parentNode.scrollTop = 0;
  }

  /** The design's name before a text, if two are shown. */
  of(run, text) {
    return (this.page.shown.length > 1 ? `${run.about.design}: ` : "") + text;
  }

  /** An item, what led to it, what it led to. */
  show(run, i) {
    const { items, hops } = run;
    const isMessage = run.isMessage[i];
    const decided = isMessage ? run.decision(i) : run.name(i) === "decided" ? i : -1;
    const size = `${(items.size[i] / 1024).toLocaleString("en-US", { maximumFractionDigits: 2 })} KB`;
    const rows = [["id", run.id(i)], ["time", secondsOf(items.time[i])]];
    if (isMessage) rows.push(["travel", took(run, i)], ["phase", run.word("phase", i)], ["received by", run.word("hears", i)], ["size", size]);
    else if (items.lasts[i] >= 0) rows.push(["duration", spanOf(items.lasts[i])]);
    if (items.job[i] >= 0) rows.push(["job", items.rank[i] >= 0 ? `${items.job[i]}, rank ${items.rank[i]}` : items.job[i]]);
    if (decided >= 0 && decided !== i) rows.push(["chosen", line(run, decided)]);
    if (run.word("use", i)) rows.push(["use", run.word("use", i)]);
    if (isMessage && run.content(i)) rows.push(["content", shorten(run.content(i), MOST_CARRIED)]);
    if (run.partner) rows.push(this.partner(run, i));
    const way = Array.from(run.hopsOfItem(i), (hop) => [
      run.about.words.station[hops.station[hop]],
      hops.waits[hop] ? `queues for ${spanOf(hops.waits[hop])}` : "does not queue",
      `is served for ${spanOf(hops.lasts[hop])}`,
    ]);
    const causes = run.causes(i);
    const isCut = items.caused[causes[0]] && !items.back[causes[0]];
    const note = "The journal does not have the cause of the first of these: it lacks pages and barriers, or has only a part of the run.";
    this.fill(
      this.of(run, line(run, i)),
      tableOf(rows),
      ...(this.page.live?.harms({ run, item: i }) ?? []),
      ...(way.length ? titled("Stations on its way", way) : []),
      ...this.listed("Causes", run, causes.slice(0, -1).reverse()),
      ...(isCut ? [make("p", {}, note)] : []),
      ...this.listed("Direct effects", run, run.effects(i)),
      ...(decided >= 0 ? this.candidates(run, decided) : []),
    );
  }

  /** A row about what is like an item in the other run, with a button that leads there. */
  partner(run, i) {
    const other = this.page.shown.find((one) => one !== run);
    const partner = run.partner[i];
    const name = `in ${other.about.design}`;
    if (partner < 0) return [name, "no counterpart"];
    return [name, this.leadsTo(other, partner, `the same at ${secondsOf(other.items.time[partner])}`)];
  }

  /** What was believed of all nodes that could have been chosen, and what was true. */
  candidates(run, i) {
    const all = run.candidates(i);
    if (!all.length) return [];
    const { candidate, group, all: of, known, believed, stated, true: truth, before, ram } = run.tables.candidates;
    const load = (bytes, row) => megabytes(bytes) + (ram[row] ? ` (${Math.round((100 * bytes) / ram[row])} %)` : ""); // if shares were compared
    const rows = all.map((row) => [
      `${candidate[row] === run.items.peer[i] ? "▸ " : ""}${group[row] ? "group of node" : "node"} ${candidate[row]}`,
      known[row] ? load(believed[row], row) : "unknown",
      known[row] ? `${spanOf(run.items.time[i] - stated[row])} old` : "",
      before[row] ? "chosen before" : load(truth[row], row),
    ]);
    const most = of[all[0]] > all.length ? `, the ${all.length} with the most idle memory:` : "";
    return [heading(`Candidates of this search: ${of[all[0]]}${most}`), tableOf([["", "believed", "", "true"], ...rows])];
  }

  /** A job in the runs shown, with a waterfall of where its time went. */
  showJob(job) {
    const { shown } = this.page;
    const found = shown.map((run) => run.about.jobs[job] ?? { rows: [], attempts: [], parts: [] });
    const head = shown.length > 1 ? [["", ...shown.map((run) => run.about.design)]] : [];
    const again = found.some((its) => its.attempts.length > 1); // attempts of one run are told, not compared
    const rows = compared(found.map((its) => its.rows.filter(([, , ofAttempt]) => !again || !ofAttempt)));
    const attempts = found.flatMap(({ attempts }, turn) => attempts.flatMap((told, at) => {
      const which = attempts.length > 1 ? `attempt ${at + 1} of ${attempts.length}` : "only attempt";
      return [heading(this.of(shown[turn], which)), tableOf(told)];
    }));
    this.fill(
      `job ${job}`,
      ...(found.some((its) => its.parts.length) ? [heading("Where its time went, on average over its processes"), waterfall(head, found)] : []),
      ...attempts,
      heading("Outcome"),
      tableOf([...head, ...rows]),
    );
  }

  /** A node at the moment, in the runs shown. */
  showNode(node) {
    const time = this.page.moment.at;
    const told = this.page.shown.flatMap((run) => {
      const memory = memoryOf(run, node, time).map((text) => text.split(": "));
      const jobs = run.jobsAt(node, time).map((i) =>
        [`job ${run.jobs.job[i]}`, DOES[run.jobs.state[i]], `since ${secondsOf(run.jobs.start[i], 6)}`]);
      return [
        heading(this.of(run, run.about.managers.includes(node) ? "manager" : "")),
        tableOf(memory),
        ...run.heldAt(node, time).flatMap(([role, held]) => [heading(`State of its ${role}`), tableOf(held)]),
        ...titled("Jobs here", jobs),
        ...run.decisionsOf(node, time).flatMap((decided) => [
          heading(`Beliefs of its ${run.word("hears", decided)} at its last choice, ${secondsOf(run.items.time[decided], 6)}`),
          ...this.candidates(run, decided),
        ]),
        ...this.listed("Protocol messages received last", run, run.receivedBy(node, time, MOST_RECEIVED)),
      ];
    });
    this.fill(`node ${node} at ${secondsOf(time)}`, ...told, ...(this.page.live?.harms({ node }) ?? []));
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

  listed(title, run, which) {
    const lines = which.slice(0, MOST_LISTED).map((i) => make("li", {}, this.leadsTo(run, i, `${secondsOf(run.items.time[i])} ${line(run, i)}`)));
    const list = make("ol", {}, ...lines, which.length > MOST_LISTED ? `… and ${which.length - MOST_LISTED} more` : "");
    return [heading(`${title}: ${which.length ? which.length.toLocaleString("en-US") : "nothing"}`), list];
  }
}

const heading = (text) => make("h3", {}, text);

const titled = (title, rows) => [heading(`${title}: ${rows.length || "none"}`), tableOf(rows)];

/** Rows of some lists side by side, each with its name and the list's text, or – where a list lacks it. */
function compared(lists) {
  const texts = lists.map((rows) => new Map(rows));
  const names = new Set();
  lists.forEach((rows) => rows.forEach(([name]) => names.add(name)));
  return Array.from(names, (name) => [name, ...texts.map((its) => its.get(name) ?? "–")]);
}

/** Where the time of a job went in some runs: a bar for each part, behind the one before. */
function waterfall(head, found) {
  const rows = compared(found.map((its) => its.parts));
  const table = tableOf([...head, ...rows]);
  table.className = "waterfall";
  const longest = d3.max(found, (its) => d3.sum(its.parts, ([, , lasts]) => lasts));
  found.forEach(({ parts }, turn) => {
    let before = 0;
    rows.forEach(([name], place) => {
      const [, , lasts = 0, color] = parts.find(([own]) => own === name) ?? [];
      const [left, wide] = [before, lasts].map((size) => `${(size / longest) * 100}%`);
      const bar = make("i", { className: "bar" });
      Object.assign(bar.style, { marginLeft: left, width: wide, background: color ? onPaper(color) : "none" });
      table.rows[place + head.length].cells[turn + 1].append(bar);
      before += lasts;
    });
  });
  return table;
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
