// The address of the page: the window, the selection and the filters.

import { $ } from "page/elements";
import { openStory } from "page/story";

/** Write the window, the selection and the filters into the address. */
export function save(page) {
  const { selected, times } = page;
  const options = new URLSearchParams();
  options.set("runs", page.shown.map((run) => run.about.design).join("|"));
  options.set("from", times[0] / 1e9);
  options.set("to", times[1] / 1e9);
  if (page.axis.times) options.set("paced", 1);
  if (page.query) options.set("find", page.query);
  if (page.off().length) options.set("off", page.off().join("|"));
  options.set("hidden", [...page.hidden].join("|"));
  if (selected) options.set("item", `${page.shown.indexOf(selected.run)} ${selected.run.id(selected.item)}`);
  page.address = `#${options}`;
  history.replaceState(null, "", new URL(page.address, location)); // in a notebook the base is another page
}

/** Take up what stands in the address; without one, what the page was made to start with. */
export async function load(page) {
  const options = new URLSearchParams(location.hash.slice(1));
  const listed = (name, otherwise = "") => (options.get(name) ?? otherwise).split("|").filter(Boolean);
  const runs = listed("runs").filter((design) => page.packed.has(design));
  page.hidden = new Set(listed("hidden", page.live ? "" : "network"));
  const isFresh = !options.has("from");
  if (!page.live || !isFresh) $("paced").checked = options.has("paced");
  if (!page.live) await page.choose(runs.length ? runs : page.start.runs);
  const { messages, job, nodes, from_s, to_s } = page.start;
  const off = listed("off");
  const isUnwanted = ({ name, phase = null }) =>
    isFresh && messages.length && phase !== null && phase !== "other records" && !messages.includes(name);
  page.hide((key, one) => off.includes(key) || isUnwanted(one));
  const begun = [...(job === null ? [] : [`job ${job}`]), ...(nodes.length ? [`nodes ${nodes.join(" ")}`] : [])];
  page.query = options.get("find") ?? (isFresh ? begun.join(" ") : "");
  $("query").value = page.query;
  page.filter(false);
  const at = (name, otherwise) => {
    const time = parseFloat(options.get(name)) * 1e9;
    return Number.isFinite(time) ? time : otherwise;
  };
  const first = at("from", (from_s ?? 0) * 1e9);
  page.show(first, Math.max(first, at("to", to_s === null ? page.axis.last : to_s * 1e9)));
  if (isFresh && from_s === null && to_s === null) openStory(page);
  const [, which, id] = (options.get("item") ?? "").match(/^(\d) (\w+\.\d+)$/) ?? [];
  const run = page.shown[which];
  const found = run?.withId(id) ?? -1;
  if (found >= 0) page.select(run, found);
}
