// Which nodes have a row.

import { $ } from "page/elements";

/** Those that take part in a run shown: who only hears news does not. */
function takingPart(runs) {
  const found = new Set();
  for (const run of runs) {
    const { node, peer, phase } = run.items;
    const telling = run.about.words.phase.indexOf("telling");
    for (let i = 0; i < run.count; i++) {
      found.add(node[i]);
      if (telling < 0 || phase[i] !== telling) found.add(peer[i]);
    }
  }
  return d3.sort(found).filter((node) => node >= 0);
}

export class Nodes {
  constructor(page) {
    this.page = page;
    this.all = false;
  }

  /** Find out which are shown, and in which row: -1 for those that are not. */
  choose() {
    const { shown, live } = this.page;
    const count = d3.max(shown, (run) => run.about.nodes);
    const some = live ? [] : takingPart(shown);
    this.shown = this.all || !some.length ? d3.range(count) : some;
    this.rowOf = new Int32Array(count).fill(-1);
    this.shown.forEach((node, row) => (this.rowOf[node] = row));
    $("nodes").hidden = !some.length || some.length === count;
    $("nodes").querySelector("span").textContent = `only nodes that take part, ${some.length} of ${count}`;
    const box = $("nodes").querySelector("input");
    box.checked = !this.all;
    box.onchange = () => {
      this.all = !box.checked;
      this.page.rebuild();
    };
  }
}
