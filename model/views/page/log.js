// What happened up to a moment, in lines; what is alike, as the messages of one broadcast, is one.

import { line } from "page/words";

const MOST_LOOKED_AT = 4000; // items

const QUIET = ["resumed", "suspended"]; // and all about hops, pages and barriers

/** The latest lines up to a moment, the latest first: {item, time, text, isNew}. */
export function entries(run, { at, since }, most) {
  const { items } = run;
  const found = [];
  const until = Math.min(run.shownItems ?? run.count, d3.bisectRight(items.time, at));
  for (let i = until - 1, looked = 0; i >= 0 && looked < MOST_LOOKED_AT && found.length < 20 * most; i--, looked++) {
    if (!run.visible[i] || run.isDetail(i) || QUIET.includes(run.name(i))) continue;
    if (!run.isMessage[i]) found.push({ item: i, time: items.time[i], does: "" });
    else {
      if (items.lasts[i] >= 0 && run.ends[i] <= at) found.push({ item: i, time: run.ends[i], does: items.lost[i] ? " is lost" : " arrives" });
      if (items.node[i] !== items.peer[i]) found.push({ item: i, time: items.time[i], does: " is sent" });
    }
  }
  found.sort((one, other) => other.time - one.time || other.item - one.item);
  return folded(run, found).slice(0, most).map(({ item, time, does, others }) => ({
    item, time, isNew: time > since, text: others.length > 1 ? several(run, item, does, others) : line(run, item) + does,
  }));
}

/** Neighbours that are alike in kind, job and sender become one. */
function folded(run, found) {
  const lines = [];
  let key = null;
  for (const entry of found) {
    const { item, does } = entry;
    const own = [run.name(item), run.items.job[item], run.isMessage[item] ? run.items.node[item] : -1, does].join();
    if (own === key) lines[lines.length - 1].others.push(item);
    else lines.push({ ...entry, others: [item] });
    key = own;
  }
  return lines;
}

function several(run, item, does, others) {
  const { node, peer, job } = run.items;
  const nodes = [...new Set(others.map((i) => (run.isMessage[i] ? peer[i] : node[i])))].filter((its) => its >= 0);
  const where = nodes.length > 6 ? `${nodes.length} nodes` : `node${nodes.length > 1 ? "s" : ""} ${nodes.sort((a, b) => a - b).join(", ")}`;
  const from = run.isMessage[item] ? ` from node ${node[item]} to ${where}` : nodes.length ? ` on ${where}` : "";
  const about = job[item] < 0 ? "" : `, for job ${job[item]}`;
  return `${others.length} × ${run.name(item)}${from}${does.replace("is ", "are ").replace("arrives", "arrive")}${about}`;
}
