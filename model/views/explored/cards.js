// What each node holds, what is under way, and which of it the last step has changed.

import { html, inColorOf } from "explored/elements";
import { BEYOND, IN_RAM, megabytes } from "page/words";

const CONDITIONS = { down: "its servent is down", absent: "has not joined yet", gone: "has left", leaving: "is leaving" };
const PARTS = [...IN_RAM, ["crashed", "of no use"], ...BEYOND];

/** A card for a node: its memory, its processes, and what its roles hold. */
export function nodeCard(source, number, node, before, first) {
  const { about } = source;
  const card = html("article", `card${node.is === "up" || node.is === "leaving" ? "" : " away"}`);
  const manages = about.managers.includes(number) && about.managers.length < about.rams.length;
  card.append(html("h3", "", `node ${number}`, html("small", "", [manages ? "manages" : "", CONDITIONS[node.is] ?? ""].filter(Boolean).join(", "))));
  if (node.waits) card.append(html("p", `waits${before && before.waits !== node.waits ? " new" : ""}`, `waits for: ${node.waits}`));
  card.append(memoryBar(node.memory, about.rams[number]), memoryText(node, before));
  for (const [job, rank, started, size] of node.processes) {
    const was = before?.processes.find((one) => one[0] === job);
    const isNew = before && (!was || was[2] !== started);
    card.append(html("p", isNew ? "new" : "", `rank ${rank} of job ${job}, ${megabytes(size)}: ${started ? "runs" : "waits to start"}`));
  }
  for (const process of before?.processes ?? []) {
    if (!node.processes.some(([job]) => job === process[0])) card.append(html("p", "new gone", `rank ${process[1]} of job ${process[0]}`));
  }
  for (const [role, rows] of node.roles) {
    const of = (its) => new Map(its?.roles.find(([name]) => name === role)?.[1] ?? []);
    card.append(...roleRows(role, rows, before && of(before), of(first)));
  }
  const forgotten = (before?.roles ?? []).filter(([role]) => !node.roles.some(([name]) => name === role));
  if (forgotten.length) card.append(html("p", "new gone", `all that its ${forgotten.map(([role]) => role).join(", ")} held`));
  return card;
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
  return table.rows.length ? [html("h4", "", `its ${role} holds`), table] : [];
}

function memoryBar(memory, ram) {
  const bar = html("div", "ram");
  const whole = Math.max(ram, PARTS.reduce((sum, [part]) => sum + memory[part], 0));
  for (const [part, text] of PARTS) {
    if (!memory[part]) continue;
    const piece = html("i", part);
    piece.style.width = `${(100 * memory[part]) / whole}%`;
    piece.title = `${text}: ${megabytes(memory[part])}`;
    bar.append(piece);
  }
  return bar;
}

/** The ledger in words; what the last step changed is marked. */
function memoryText(node, before) {
  const line = html("p", "ledger");
  const note = (text, isNew) => line.append(html("span", isNew ? "new" : "", text), " ");
  for (const [part, text] of PARTS) {
    const [now, was] = [node.memory[part], before?.memory[part] ?? node.memory[part]];
    if (now || was !== now) note(`${text} ${megabytes(now)}`, was !== now);
  }
  for (const [server, size] of node.borrows) note(`${megabytes(size)} from node ${server}`, before && !before.borrows.some(([its, of]) => its === server && of === size));
  for (const [request, size] of node.lends) note(`${megabytes(size)} lent${request ? ` for ${request}` : ""}`, before && !before.lends.some(([its, of]) => its === request && of === size));
  return line;
}

/** Messages under way, timers, jobs and faults. */
export function commonCard(source, scene, before, underWay, at) {
  const card = html("article", "card common");
  const column = (title, rows, none) => card.append(html("div", "", html("h3", "", title), ...(rows.length ? rows : [html("p", "none", none)])));
  const { about } = source;
  column("Under way", underWay.map((message) => messageLine(source, message, at)), "no message");
  column("Timers", scene.timers.map(({ node, role, name, left, seconds }) => {
    const was = before?.timers.find((one) => one.node === node && one.role === role && one.name === name);
    const isNew = before && !(was?.seconds >= seconds);
    return html("p", isNew ? "new" : "", `node ${node}, ${role}: “${name}” in ${left}`);
  }), "none is set");
  const was = new Map(before?.jobs);
  const jobs = scene.jobs.map(([job, text]) => html("p", before && was.get(job) !== text ? "new" : "", `job ${job} ${text}`));
  const faults = scene.faults.map(([name, count, most], i) => html("p", before && before.faults[i][1] !== count ? "new" : "", `${name}: ${count} of ${most}`));
  column("Jobs and faults", [...jobs, ...faults], `${about.rams.length} nodes, no job`);
  return card;
}

function messageLine(source, message, at) {
  const { kind, says, sent } = message;
  const whence = message.source === message.target ? `node ${message.source} to itself` : `node ${message.source} → node ${message.target}`;
  const dot = inColorOf(source.kinds[kind], html("i", "dot"));
  return html("p", sent === at && at > 0 ? "new" : "", dot, html("b", "", kind), ` ${whence}`, html("small", "", says));
}
