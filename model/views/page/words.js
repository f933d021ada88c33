// Records in words.

import { secondsOf, spanOf } from "page/axis";

const BYTES_PER_MB = 2 ** 20;

export const megabytes = (bytes) =>
  (bytes / BYTES_PER_MB).toLocaleString("en-US", { maximumFractionDigits: 2 }) + " MB";

const has = (run, name, i) => run.items[name][i] >= 0;

/** One line: what an item is, without its time. */
export function line(run, i) {
  const { items } = run;
  const parts = [run.name(i)];
  if (run.isMessage[i]) {
    parts.push(`from node ${items.node[i]} to ${items.node[i] === items.peer[i] ? "itself" : `node ${items.peer[i]}`}`);
  } else {
    const what = run.word("what", i);
    if (what) parts.push(what);
    if (has(run, "job", i)) parts.push(`job ${items.job[i]}`);
    if (has(run, "slot", i)) parts.push(`slot ${items.slot[i]}`);
    if (has(run, "node", i)) parts.push(`node ${items.node[i]}`);
    if (run.name(i) === "decided") parts.push(has(run, "peer", i) ? `for ${chosen(run, i)}` : "to ask nobody");
    else if (has(run, "peer", i)) parts.push(`with node ${items.peer[i]}`);
  }
  if (has(run, "amount", i)) parts.push(megabytes(items.amount[i]));
  if (items.lost[i]) parts.push("LOST");
  return parts.join(" ");
}

/** A message, for the tip at the pointer. */
export function message(run, i) {
  const { items } = run;
  const lines = [line(run, i)];
  if (has(run, "job", i)) lines.push(`about job ${items.job[i]}${has(run, "rank", i) ? `, rank ${items.rank[i]}` : ""}`);
  lines.push(`sent at ${secondsOf(items.time[i])}, ${took(run, i)}`);
  const content = run.payload(i);
  if (content) lines.push(`content: ${shorten(content, 300)}`);
  if (run.word("use", i)) lines.push(`good for: ${run.word("use", i)}`);
  lines.push(...belief(run, run.decision(i)));
  if (run.partner && run.partner[i] < 0) lines.push("the other run has no such message");
  return lines.join("\n");
}

/** Another record, for the tip. */
export function record(run, i) {
  if (run.isMessage[i]) return message(run, i);
  const lines = [line(run, i), `at ${secondsOf(run.items.time[i])}`];
  if (run.name(i) === "decided") lines.push(...belief(run, i));
  else if (run.payload(i)) lines.push(shorten(run.payload(i), 300));
  if (run.partner && run.partner[i] < 0) lines.push("the other run has no such record");
  return lines.join("\n");
}

/** What a decision rested on: belief, its age, and what was true; nothing for item -1. */
export function belief(run, i) {
  const { items } = run;
  if (i < 0 || !items.chosen[i]) return [];
  const truth = `in truth it had ${megabytes(items.true[i])}`;
  const whom = chosen(run, i);
  if (!items.has_word[i]) return [`nothing was known of ${whom}; ${truth}`];
  const error = items.believed[i] - items.true[i];
  const wrong = error ? `${megabytes(Math.abs(error))} ${error > 0 ? "too much" : "too little"} believed` : "as believed";
  return [
    `${whom} was believed to have ${megabytes(items.believed[i])} idle, stated ${spanOf(items.time[i] - items.stated[i])} before; ${truth} (${wrong})`,
  ];
}

const chosen = (run, i) => `${run.items.group[i] ? "the group of node" : "node"} ${run.items.peer[i]}`;

export function took(run, i) {
  const lasts = run.items.lasts[i];
  if (lasts < 0) return "still on its way at the end";
  return run.items.lost[i] ? `lost after ${spanOf(lasts)}` : `took ${spanOf(lasts)}`;
}

/** What a job on nodes does, by its state. */
export const DOES = ["is switched out", "runs", "waits for a grant", "waits for a grant, which never comes"];

/** The parts of a node's memory: those of its RAM, and what is beyond. */
export const IN_RAM = [["own", "own processes"], ["lent", "lent to others"], ["idle", "idle"]];
export const BEYOND = [["borrowed", "borrowed"], ["asked", "asked for"], ["on_disk", "on disk"]];

/** A node's memory at a time, and with whom it has loans: lines. */
export function memoryOf(run, node, time) {
  const parts = run.memoryAt(node, time);
  if (!parts) return [];
  const lines = [...IN_RAM, ...BEYOND].map(([part, text]) => `${text}: ${megabytes(parts[part])}`);
  if (parts.crashed) lines.push(`of no use after its crash: ${megabytes(parts.crashed)}`);
  ["borrows from", "lends to"].forEach((text, which) => {
    const loans = Array.from(run.loansAt(node, time)[which], ([other, amount]) => `${other} (${megabytes(amount)})`);
    if (loans.length) lines.push(`${text} node ${loans.join(", ")}`);
  });
  return lines;
}

/** Many items at one place, counted by kind. */
export function several(run, which, where) {
  const counts = d3.rollups(which, (its) => its.length, (i) => run.name(i)).sort((one, other) => other[1] - one[1]);
  const listed = counts.slice(0, 8).map(([kind, count]) => `${count.toLocaleString("en-US")} ${kind}`);
  return `${where}, around ${secondsOf(run.items.time[which[0]], 6)}:\n${listed.join("\n")}\nzoom in to see each`;
}

export const shorten = (text, most) => (text.length > most ? `${text.slice(0, most)} …` : text);
