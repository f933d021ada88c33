// What the page opens on, a job's start and life, and where two runs diverge, from outcome to cause.

import { $, make } from "page/elements";

/** The story of the runs shown, and whether they are in another order than there. */
function storyOf(page) {
  const names = page.shown.map((run) => run.about.design);
  const [story, turned] = [names, names.toReversed()].map((its) => page.start.stories[its.join("|")]);
  return { isTurned: !story, differences: { all: 0, some: [] }, ...(story ?? turned ?? { job: null, sentences: [] }) };
}

/** Write the story's sentences above the lanes. */
export function writeStory(page) {
  const { sentences, job } = storyOf(page);
  $("story").hidden = !sentences.length;
  const parts = (text) => text.split(/(\bjob \d+)/i).map((part) => (/^job \d/i.test(part) ? about(page, part) : part));
  $("story").replaceChildren(...sentences.map((text) => make("p", {}, ...parts(text))));
  $("back").hidden = job === null;
  $("back").onclick = () => openStory(page);
  beginDifferences(page);
}

/** A job's name, which tells of the job. */
function about(page, text) {
  const onclick = () => {
    const job = Number(text.slice(4));
    page.search(`job ${job}`);
    showJob(page, job, "burst");
    page.panel.showJob(job);
  };
  return make("button", { className: "plain", title: "Where its time went", onclick }, text);
}

/** Show the burst that the story is about. */
export function openStory(page) {
  beginDifferences(page);
  showJob(page, storyOf(page).job, "burst");
}

/** The first difference may be one of which the story has told: its job's end. */
function beginDifferences(page) {
  const { job, differences } = storyOf(page);
  const [sort, its] = differences.some[0] ?? [];
  page.difference = sort === 0 && its === job ? 0 : -1;
}

/** Go to the next of what differs between the runs shown, and after the last to the first. */
export function showNextDifference(page) {
  const { isTurned, differences: { all, some } } = storyOf(page);
  if (!some.length) return;
  page.difference = (page.difference + 1) % some.length;
  const [, job, turn, item, text] = some[page.difference];
  const run = page.shown[isTurned ? 1 - turn : turn];
  page.reach(run, item, job);
  page.select(run, item);
  page.panel.note(text);
  $("found").textContent = `difference ${page.difference + 1} of ${all.toLocaleString("en-US")}`;
}

/** Show the start of a job, or its life, as long as one of the runs shown has it; whether one has. */
export function showJob(page, job, part) {
  const found = page.shown.map((run) => run.about.jobs[job]?.times).filter(Boolean);
  if (!found.length) return false;
  if (part === "life") page.show(d3.min(found, ([, , from]) => from), d3.max(found, ([, , , to]) => to));
  else {
    const [from, first] = d3.least(found, ([from]) => from);
    const together = found.filter(([other]) => other <= first); // else it starts in the other run later
    const shortest = d3.min(together, ([from, to]) => to - from);
    const last = Math.min(d3.max(together, ([, to]) => to), from + 2 * shortest);
    const margin = 0.02 * (last - from);
    page.show(from - margin, last + margin);
  }
  return true;
}
