// Where two runs part.

/** The next item, as [run, item], that has no partner in the other run; null if there is none. */
export function nextDifference(page) {
  if (page.shown.length < 2) return null;
  const after = page.selected ? page.selected.run.items.time[page.selected.item] : page.timeOf(page.from) - 1;
  let best = null;
  page.shown.forEach((run, turn) => {
    const { time } = run.items;
    for (let i = d3.bisectLeft(time, after); i < run.count; i++) {
      if (!run.visible[i] || run.partner[i] >= 0 || !isLater(page, run, turn, i)) continue;
      if (!best || time[i] < best[0].items.time[best[1]]) best = [run, i];
      break;
    }
  });
  return best;
}

/** Whether an item comes after the selected one: by time, then run, then order. */
function isLater(page, run, turn, i) {
  if (!page.selected) return true;
  const { run: its, item } = page.selected;
  const [one, other] = [run.items.time[i], its.items.time[item]];
  const theirs = page.shown.indexOf(its);
  return one > other || (one === other && (turn > theirs || (turn === theirs && i > item)));
}
