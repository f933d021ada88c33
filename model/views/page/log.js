// What happened up to a moment, in lines; what is alike, as the messages of one broadcast, is one.

const MOST_LOOKED_AT = 4000; // items
const MOST_NAMED = 6; // nodes

const QUIET = ["resumed", "suspended"]; // and all about hops, pages and barriers

/** The latest lines up to a moment, the latest first: {item, time, text, isNew}. */
export function entries(run, { at, since }, most) {
  const { items } = run;
  const found = [];
  const until = Math.min(run.shownItems ?? run.count, d3.bisectRight(items.time, at));
  for (let i = until - 1; i >= Math.max(0, until - MOST_LOOKED_AT) && found.length < 20 * most; i--) {
    if (!run.visible[i] || run.isDetail(i) || QUIET.includes(run.name(i))) continue;
    if (run.isMessage[i] && items.lasts[i] >= 0 && run.ends[i] <= at) found.push({ item: i, time: run.ends[i], ends: true });
    if (!run.isMessage[i] || run.counts(i)) found.push({ item: i, time: items.time[i], ends: false });
  }
  const lines = folded(run, d3.sort(found, ({ time }) => -time, ({ item }) => -item));
  return lines.slice(0, most).map(({ item, time, ends, others }) => ({ item, time, isNew: time > since, text: textOf(run, item, ends, others) }));
}

/** Neighbours that are alike in kind, job and sender become one. */
function folded(run, found) {
  const lines = [];
  for (const { item, time, ends } of found) {
    const sender = run.isMessage[item] ? run.items.node[item] : -1;
    const key = [run.name(item), run.items.job[item], sender, run.items.lost[item], run.counts(item), ends].join();
    if (lines.at(-1)?.key === key) lines.at(-1).others.push(item);
    else lines.push({ key, item, time, ends, others: [item] });
  }
  return lines;
}

function textOf(run, item, ends, others) {
  const { node, peer, job, lost } = run.items;
  if (others.length === 1 && !ends) return run.sentence(item);
  const isMessage = run.isMessage[item];
  const nodes = d3.sort(new Set(others.map((i) => (isMessage ? peer[i] : node[i])))).filter((its) => its >= 0);
  const named = nodes.length > MOST_NAMED ? `${nodes.length} nodes` : `${nodes.length > 1 ? "nodes" : "node"} ${nodes.join(", ")}`;
  const about = job[item] < 0 ? "" : `, for job ${job[item]}`;
  const count = others.length > 1 ? `${others.length.toLocaleString("en-US")} ` : "";
  const name = run.name(item);
  if (!isMessage) return `${count}× ${name}${nodes.length ? ` on ${named}` : ""}${about}`;
  if (lost[item] && ends) return `${count}${name} from node ${node[item]} to ${named} ${count ? "are" : "is"} lost${about}`;
  if (!ends) return `node ${node[item]} sends ${count}${name} to ${named}${about}`;
  const whom = run.counts(item) ? `node ${node[item]}` : "itself";
  return `${named} receive${nodes.length === 1 ? "s" : ""} ${count}${name} from ${whom}${about}`;
}
