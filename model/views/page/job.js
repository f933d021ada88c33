// One job in the runs shown, side by side: where its time went, and how much was sent about it.

import { spanOf } from "page/axis";
import { megabytes } from "page/words";

/** Rows of a table: a name, and a text for each run ("-" if it does not apply). */
export function jobRows(runs, job) {
  const found = runs.map((run) => measured(run, job));
  const names = [...new Set(found.flatMap((one) => [...one.keys()]))];
  return names.map((name) => [name, ...found.map((one) => one.get(name) ?? "-")]);
}

function measured(run, job) {
  const { items } = run;
  const rows = new Map();
  const first = new Map(), last = new Map(), counts = new Map(), asked = new Map();
  let [refused, borrowed, longest] = [0, 0, 0];
  for (let i = 0; i < run.count; i++) {
    if (items.job[i] !== job) continue;
    const name = run.name(i);
    const time = items.time[i];
    if (!first.has(name)) first.set(name, time);
    last.set(name, time);
    if (name === "borrowed") borrowed += items.amount[i];
    if (run.isMessage[i]) {
      if (items.node[i] !== items.peer[i]) { // over the network, as everywhere else
        counts.set(name, (counts.get(name) ?? 0) + 1);
        if (run.word("use", i) === "refused") refused++;
      }
      const [phase, hears] = [run.word("phase", i), run.word("hears", i)];
      if (phase === "start" && hears === "manager" && !asked.has(items.rank[i])) asked.set(items.rank[i], time);
      if (phase === "start" && hears === "client" && asked.has(items.rank[i]) && items.lasts[i] >= 0) {
        longest = Math.max(longest, run.ends[i] - asked.get(items.rank[i]));
      }
    } else if (["disk", "fault", "killed", "moved"].includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const between = (name, from, to) => {
    if (from !== undefined && to !== undefined) rows.set(name, spanOf(to - from));
  };
  between("response", first.get("submitted"), first.get("ended"));
  const spent = run.about.spent[job];
  for (const [part, lasts] of Object.entries(spent?.parts ?? {})) rows.set(part, spanOf(lasts));
  if (spent?.behind) rows.set("at barriers, most behind", spent.behind);
  if (job in run.about.unended) rows.set("has not ended", run.about.unended[job]);
  between("first to last start", first.get("started"), last.get("started"));
  between("first to last end", first.get("finished"), last.get("finished"));
  if (longest) rows.set("request to grant, longest", spanOf(longest));
  if (run.memory) rows.set("borrowed", megabytes(borrowed));
  if (refused) rows.set("refused messages", refused.toLocaleString("en-US"));
  for (const [name, count] of counts) rows.set(name, count.toLocaleString("en-US"));
  return rows;
}
