// Where two runs part: through what Python has found, from outcome to cause.

const $ = (id) => document.getElementById(id);

export class Differences {
  constructor(page) {
    this.page = page;
    this.place = -1;
  }

  /** What differs between the runs shown: [sort, job, run, item, text], and how many there are. */
  get found() {
    const names = this.page.shown.map((run) => run.about.design);
    const of = (designs) => this.page.start.differences[designs.join("|")];
    const turned = of(names) ?? of(names.toReversed());
    if (!turned) return { all: 0, some: [] };
    if (of(names)) return turned;
    return { all: turned.all, some: turned.some.map(([sort, job, run, ...rest]) => [sort, job, 1 - run, ...rest]) };
  }

  /** Begin anew: the story has told of its job's end. */
  begin() {
    const [first] = this.found.some;
    this.place = first?.[0] === 0 && first[1] === this.page.start.job ? 0 : -1;
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
