// Records in words.

import { secondsOf, spanOf } from "page/axis";

export const BYTES_PER_MB = 2 ** 20;

/** Bytes in MB, unless they are so few that these would be none. */
export const megabytes = (bytes) => (bytes && Math.abs(bytes) < 0.005 * BYTES_PER_MB
  ? `${bytes.toLocaleString("en-US")} bytes`
  : `${(bytes / BYTES_PER_MB).toLocaleString("en-US", { maximumFractionDigits: 2 })} MB`);

/** So many of something, to three digits: "1 message", "2.34 messages". */
export const count = (number, noun) =>
  `${number.toLocaleString("en-US", number < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 })} ${noun}${number === 1 ? "" : "s"}`;

/** One line: what an item is, without its time. */
export const line = (run, i) => run.sentence(i) + (run.items.lost[i] ? "; it was lost" : "");

/** An item, for the tip: what it is, when, what it carries, what it was good for, what led to it. */
export function record(run, i) {
  const lines = [line(run, i), secondsOf(run.items.time[i]) + (run.isMessage[i] ? `, ${took(run, i)}` : "")];
  if (run.isMessage[i] && run.content(i)) lines.push(shorten(run.content(i), 300));
  if (run.word("use", i) && !run.items.lost[i]) lines.push(`It was ${run.word("use", i)}.`);
  const decided = run.isMessage[i] ? run.decision(i) : -1;
  if (decided >= 0) lines.push(line(run, decided));
  return lines.join("\n");
}

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
  const lines = [`RAM: ${megabytes(run.about.rams[node])}`];
  lines.push(...[...IN_RAM, ...BEYOND].map(([part, text]) => `${text}: ${megabytes(parts[part])}`));
  if (parts.crashed) lines.push(`unusable, because the node is down: ${megabytes(parts.crashed)}`);
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
