// What each node holds, what is under way, and which of it the last step has changed.

import { html, inColorOf } from "explored/elements";
import { isThere } from "explored/story";
import { make } from "page/elements";
import { BEYOND, IN_RAM, megabytes } from "page/words";

const CONDITIONS = { down: "its servent is down", absent: "has not joined yet", gone: "has left", leaving: "is leaving" };
const PARTS = [...IN_RAM, ["crashed", "unusable"], ...BEYOND];

/** A card for a node: its memory, its processes, and what its roles hold. */
export function nodeCard(source, number, node, before, first) {
  const { about } = source;
  const card = html("article", `card${isThere(node) ? "" : " away"}`);
  const manages = about.managers.includes(number) && about.managers.length < about.rams.length;
  card.append(html("h3", "", `node ${number}`, html("small", "", [manages ? "manager" : "", CONDITIONS[node.is] ?? ""].filter(Boolean).join(", "))));
  if (node.waits) card.append(html("p", `waits${before && before.waits !== node.waits ? " new" : ""}`, `waits for: ${node.waits}`));
  card.append(memoryBar(node.memory, about.rams[number]), memoryText(node, before));
  const processes = (its) => its.processes.map(([job, rank, started, size]) => `rank ${rank} of job ${job}, ${megabytes(size)}: ${started ? "runs" : "waits to start"}`);
  card.append(...marked("p", node, before, processes));
  const ended = (before?.processes ?? []).filter(([job]) => !node.processes.some(([other]) => other === job));
  card.append(...ended.map(([job, rank]) => html("p", "new gone", `rank ${rank} of job ${job}`)));
  for (const [role, rows] of node.roles) {
    const of = (its) => new Map(its?.roles.find(([name]) => name === role)?.[1] ?? []);
    card.append(...roleRows(role, rows, before && of(before), of(first)));
  }
  const forgotten = (before?.roles ?? []).filter(([role]) => !node.roles.some(([name]) => name === role));
  if (forgotten.length) card.append(html("p", "new gone", `state of its ${forgotten.map(([role]) => role).join(", ")}`));
  return card;
}

/** What something is in lines, of which those that it was not before are marked. */
function marked(tag, now, before, tell) {
  const known = before && tell(before);
  return tell(now).map((text) => html(tag, known && !known.includes(text) ? "new" : "", text));
}

/** What a role holds that differs from the beginning, and what the last step has changed. */
function roleRows(role, rows, before, first) {
  const table = html("table");
  const now = new Map(rows);
  const add = (name, text, sort) => table.append(html("tr", sort, html("th", "", name), html("td", "", text)));
  for (const [name, text] of rows) {
    const isNew = before && before.get(name) !== text;
    if (isNew || first.get(name) !== text) add(name, text, isNew ? "new" : "");
  }
  for (const [name, text] of before ?? []) if (!now.has(name)) add(name, text, "new gone");
  return table.rows.length ? [html("h4", "", `state of its ${role}`), table] : [];
}

function memoryBar(memory, ram) {
  const bar = html("div", "ram");
  const whole = Math.max(ram, PARTS.reduce((sum, [part]) => sum + memory[part], 0));
  for (const [part, text] of PARTS) {
    if (!memory[part]) continue;
    const piece = make("i", { title: `${text}: ${megabytes(memory[part])}` });
    Object.assign(piece.style, { width: `${(100 * memory[part]) / whole}%`, background: `var(--${part})` });
    bar.append(piece);
  }
  return bar;
}

/** The ledger in words; what the last step changed is marked. */
function memoryText(node, before) {
  const parts = PARTS.filter(([part]) => node.memory[part] || before?.memory[part]);
  return html("p", "ledger", ...marked("span", node, before, ({ memory, borrows, lends }) => [
    ...parts.map(([part, text]) => `${text} ${megabytes(memory[part])}`),
    ...borrows.map(([server, size]) => `${megabytes(size)} from node ${server}`),
    ...lends.map(([request, size]) => `${megabytes(size)} lent${request ? ` for ${request}` : ""}`),
  ]));
}

/** Messages under way, timers, jobs and faults. */
export function commonCard(source, scene, before, underWay, at) {
  const card = html("article", "card common");
  const column = (title, rows, none) => card.append(html("div", "", html("h3", "", title), ...(rows.length ? rows : [html("p", "none", none)])));
  column("Under way", underWay.map((message) => messageLine(source, message, at)), "no message");
  column("Timers", scene.timers.map(({ node, role, name, left, seconds }) => {
    const was = before?.timers.find((one) => one.node === node && one.role === role && one.name === name);
    const isNew = before && !(was?.seconds >= seconds);
    return html("p", isNew ? "new" : "", `node ${node}, ${role}: “${name}” in ${left}`);
  }), "none is set");
  column("Jobs and faults", marked("p", scene, before, ({ jobs, faults }) => [
    ...jobs.map(([job, text]) => `job ${job} ${text}`),
    ...faults.map(([name, count, most]) => `${name}: ${count} of ${most}`),
  ]), `${source.about.rams.length} nodes, no job`);
  return card;
}

function messageLine(source, message, at) {
  const { kind, says, sent } = message;
  const whence = message.source === message.target ? `node ${message.source} to itself` : `node ${message.source} → node ${message.target}`;
  const dot = inColorOf(source.kinds[kind], html("i", "sample"));
  return html("p", sent === at && at > 0 ? "new" : "", dot, html("b", "", kind), ` ${whence}`, html("small", "", says));
}
