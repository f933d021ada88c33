// Where two runs part: through what Python has found, from outcome to cause.

import { storyOf } from "page/story";

const $ = (id) => document.getElementById(id);

export class Differences {
  constructor(page) {
    this.page = page;
    this.place = -1;
  }

  /** What differs between the runs shown: [sort, job, run, item, text], and how many there are. */
  get found() {
    const { differences, isTurned } = storyOf(this.page);
    if (!differences) return { all: 0, some: [] };
    const { all, some } = differences;
    return { all, some: some.map(([sort, job, run, ...rest]) => [sort, job, isTurned ? 1 - run : run, ...rest]) };
  }

  /** Begin anew: the story has told of its job's end. */
  begin() {
    const [first] = this.found.some;
    this.place = first?.[0] === 0 && first[1] === storyOf(this.page).job ? 0 : -1;
  }

  /** Go to the next one, and after the last to the first. */
  next() {
    const { all, some } = this.found;
    if (!some.length) return;
    this.place = (this.place + 1) % some.length;
    const [, job, turn, item, text] = some[this.place];
    const { page } = this;
    const run = page.shown[turn];
    page.reach(run, item, job);
    page.select(run, item);
    page.panel.note(text);
    $("found").textContent = `difference ${this.place + 1} of ${all.toLocaleString("en-US")}`;
  }
}
