// What the page opens on, and a job's start and life.

import { $, make } from "page/elements";

/** The story of the runs shown, and whether they are in another order than there. */
export function storyOf(page) {
  const names = page.shown.map((run) => run.about.design);
  const [story, turned] = [names, names.toReversed()].map((its) => page.start.stories[its.join("|")]);
  return { isTurned: !story, ...(story ?? turned ?? { job: null, sentences: [] }) };
}

/** Write the story's sentences above the lanes. */
export function writeStory(page) {
  const { sentences, job } = storyOf(page);
  $("story").hidden = !sentences.length;
  const parts = (text) => text.split(/(\bjob \d+)/i).map((part) => (/^job \d/i.test(part) ? about(page, part) : part));
  $("story").replaceChildren(...sentences.map((text) => make("p", {}, ...parts(text))));
  $("back").hidden = job === null;
  $("back").onclick = () => openStory(page);
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
  page.differences.begin();
  showJob(page, storyOf(page).job, "burst");
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
