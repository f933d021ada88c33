// The address of the page: the window, the selection and the filters.

import { showJob, storyOf } from "page/story";

const $ = (id) => document.getElementById(id);

/** Write the window, the selection and the filters into the address. */
export function save(page) {
  const options = new URLSearchParams();
  options.set("runs", page.shown.map((run) => run.about.design).join("|"));
  options.set("from", page.timeOf(page.from) / 1e9);
  options.set("to", page.timeOf(page.to) / 1e9);
  if (page.axis.times) options.set("paced", 1);
  if (page.query) options.set("find", page.query);
  const off = page.off();
  if (off.length) options.set("off", off.join("|"));
  options.set("hidden", [...page.hidden].join("|"));
  if (page.selected) options.set("item", `${page.shown.indexOf(page.selected.run)} ${page.selected.run.id(page.selected.item)}`);
  page.address = `#${options}`;
  history.replaceState(null, "", new URL(page.address, location)); // in a notebook the base is another page
}

/** Take up what stands in the address; without one, what the page was made to start with. */
export async function load(page) {
  const options = new URLSearchParams(location.hash.slice(1));
  const runs = (options.get("runs") ?? "").split("|").filter((design) => page.packed.has(design));
  page.hidden = new Set((options.get("hidden") ?? (page.live ? "" : "network")).split("|").filter(Boolean));
  if (!page.live || options.has("from")) $("paced").checked = options.has("paced");
  if (!page.live) await page.choose(runs.length ? runs : page.start.runs);
  const off = new Set((options.get("off") ?? "").split("|"));
  const { messages, job, nodes } = page.start;
  const fresh = !options.has("from");
  const isUnwanted = ({ name, phase = null }) =>
    fresh && messages.length && phase !== null && phase !== "other records" && !messages.includes(name);
  page.hide((key, one) => off.has(key) || isUnwanted(one));
  const begun = [...(job === null ? [] : [`job ${job}`]), ...(nodes.length ? [`nodes ${nodes.join(" ")}`] : [])];
  page.query = options.get("find") ?? (fresh ? begun.join(" ") : "");
  $("query").value = page.query;
  page.filter(false);
  const at = (name, otherwise) => {
    const time = options.has(name) ? Number(options.get(name)) * 1e9 : NaN;
    return Number.isFinite(time) ? time : otherwise;
  };
  const { from_s, to_s } = page.start;
  const first = at("from", (from_s ?? 0) * 1e9);
  const last = at("to", to_s === null ? page.axis.last : to_s * 1e9);
  page.show(first, Math.max(first, last));
  if (fresh && from_s === null && to_s === null) showJob(page, storyOf(page).job, "burst");
  const item = (options.get("item") ?? "").match(/^(\d) (\w+\.\d+)$/);
  const run = item && page.shown[item[1]];
  const found = run ? run.withId(item[2]) : -1;
  if (found >= 0) page.select(run, found);
}
