// What the journal has beside messages: jobs, time slots, processes, loans, decisions, timers, failures.

import { GUTTER } from "page/axis";
import { Density, Lane, ink, onPaper } from "page/lanes";
import { count, record, several } from "page/words";

const HEIGHT = 17; // pixels of a row
const MOST_MARKS = 3000;
const NEAR = 5;
const MOST_IN_ONE = 40; // items at a place, of which more are counted by kind

export class Events extends Lane {
  constructor(page, run) {
    const { topics, topic_of, words } = run.about;
    const topicOf = words.kind.map((kind) => topic_of[kind] ?? topics.at(-1));
    const used = new Set(topicOf.filter((_, code) => words.kind[code] !== "sent"));
    if (run.items.lost.includes(1)) used.add(topic_of.lost);
    const rows = topics.filter((topic) => used.has(topic));
    super(page, run, { name: "events", title: "other records", rows, height: HEIGHT * Math.max(1, rows.length) });
    this.row = Int32Array.from(run.items.kind, (kind, i) =>
      run.isMessage[i] ? (run.items.lost[i] ? rows.indexOf(topic_of.lost) : -1) : rows.indexOf(topicOf[kind]));
  }

  /** Call with each visible item in a part of the axis, and its row. */
  each(from, to, call) {
    const { run } = this;
    run.spans.each(from, to, (i) => {
      const at = this.when(i);
      if (this.has(i) && run.visible[i] && at >= from && at <= to) call(i, this.row[i]);
    });
  }

  /** A message is lost at its end; all else is where it begins. */
  when(i) {
    const { starts, ends } = this.run.spans;
    return this.run.isMessage[i] ? ends[i] : starts[i];
  }

  draw() {
    const g = this.begin();
    const { page, run } = this;
    this.frame(g);
    const faded = ink("faded");
    const columns = Math.max(1, Math.floor(page.width - GUTTER));
    const scale = columns / (page.to - page.from);
    const picture = new Density(columns, this.rows.length);
    const marks = [];
    this.each(page.from, page.to, (i, row) => {
      marks.push(i);
      const column = Math.min(columns - 1, Math.floor((this.when(i) - page.from) * scale));
      picture.add(column, row, run.lit && !run.lit[i] ? page.order.length : page.ranks[run.category[i]]);
    });
    if (marks.length > MOST_MARKS) picture.paint(g, this.height, [...page.rankColors, faded]);
    else {
      const colors = page.categories.map((category) => onPaper(category.color));
      for (const i of marks) {
        g.fillStyle = run.lit && !run.lit[i] ? faded : colors[run.category[i]];
        g.fillRect(page.place(this.when(i)) - 1, this.top(this.row[i]) + 3, 2.4, this.rowHeight - 5);
      }
    }
    g.restore();
    this.title = count(marks.length, "other record");
    this.say("in this window, beside messages");
  }

  at(x, y) {
    const { page, run } = this;
    const row = this.rowAt(y);
    const here = [];
    this.each(page.position(x - NEAR), page.position(x + NEAR), (i, its) => {
      if (its === row) here.push(i);
    });
    if (!here.length) return null;
    const item = d3.least(here, (i) => Math.abs(page.place(this.when(i)) - x) + (run.lit && !run.lit[i] ? 2 : 0));
    if (here.length > MOST_IN_ONE) return { item, text: several(run, here, this.rows[row]) };
    const more = here.length > 1 ? `\n… and ${here.length - 1} more within ${NEAR} pixels` : "";
    return { item, text: record(run, item) + more };
  }

  numbers() {
    const { page, run } = this;
    const found = [];
    this.each(page.from, page.to, (i) => found.push(run.isMessage[i] ? "lost" : run.name(i)));
    return { head: ["kind of record", "records"], rows: d3.rollups(found, (its) => its.length, (name) => name) };
  }

  has(i) {
    return this.row[i] >= 0;
  }

  place(i) {
    return [this.page.place(this.run.spans.starts[i]), this.middle(this.row[i])];
  }
}
