// Where two runs diverge: through what Python has found, from outcome to cause.

import { $ } from "page/elements";
import { storyOf } from "page/story";

export class Differences {
  constructor(page) {
    this.page = page;
    this.place = -1;
  }

  /** What differs between the runs shown: [sort, job, run, item, text], and how many there are. */
  get found() {
    return storyOf(this.page).differences ?? { all: 0, some: [] };
  }

  /** Begin again: the story has told of its job's end. */
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
    const run = page.shown[storyOf(page).isTurned ? 1 - turn : turn];
    page.reach(run, item, job);
    page.select(run, item);
    page.panel.note(text);
    $("found").textContent = `difference ${this.place + 1} of ${all.toLocaleString("en-US")}`;
  }
}
