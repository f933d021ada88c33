// Time: linear, or paced by events. Positions are ns, or how many different times came before.

export const GUTTER = 92; // pixels left of the plots, for the names of rows

export class Axis {
  constructor(last) {
    this.last = last;
    this.times = null; // the different times of events, sorted, if they set the pace
  }

  /** The position of the run's end. */
  get end() {
    return this.times ? this.times.length - 1 : this.last;
  }

  /** The narrowest window. */
  get least() {
    return this.times ? 4 : 100;
  }

  position(time) {
    const { times } = this;
    if (!times) return time;
    const i = Math.min(d3.bisectRight(times, time), times.length - 1) - 1;
    return i < 0 ? 0 : i + (time - times[i]) / (times[i + 1] - times[i]);
  }

  time(position) {
    const { times } = this;
    if (!times) return position;
    const i = Math.max(0, Math.min(times.length - 2, Math.floor(position)));
    return times[i] + (position - i) * (times[i + 1] - times[i]);
  }

  /** The positions of many times; of a linear axis the times themselves. */
  positions(times) {
    return this.times ? Float64Array.from(times, (time) => this.position(time)) : times;
  }
}

/** The different times among those of the runs' visible items, with 0 and the end. */
export function differentTimes(runs, last) {
  const all = new Set([0, last]);
  for (const run of runs) {
    for (let i = 0; i < run.count; i++) {
      if (run.visible[i]) all.add(run.items.time[i]).add(run.ends[i]);
    }
  }
  return Float64Array.from(all).sort();
}

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

/** A time as text: seconds with as many decimals as it needs, at most nine. */
export function secondsOf(time, decimals = 9) {
  const [whole, part] = (Math.round(time) / 1e9).toFixed(decimals).split(".");
  const rest = (part ?? "").replace(/0+$/, "");
  return Number(whole).toLocaleString("en-US") + (rest ? "." + rest : "") + " s";
}

/** A span of time as text, in a unit that suits it. */
export function spanOf(ns) {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(ns) >= size) ?? UNITS[3];
  return `${Number((ns / size).toPrecision(5)).toLocaleString("en-US", { maximumFractionDigits: 4 })} ${unit}`;
}

/**
 * Ticks of a window, and a round time from which they count: {origin, ticks: [[x, text], …]}, in
 * ns, with as many decimals as the closest two need to differ.
 */
export function ticksOf(axis, scale) {
  const [first, last] = scale.range();
  const [from, to] = scale.domain().map((at) => axis.time(at));
  const ticks = scale.ticks(Math.max(2, Math.floor((last - first) / 110))).filter((at) => !axis.times || Number.isInteger(at));
  const span = Math.max(1, to - from);
  const round = 10 ** Math.ceil(Math.log10(span));
  const inside = Math.ceil(from / round) * round;
  const origin = span >= 1e9 ? 0 : inside <= to ? inside : inside - round;
  const [unit, size] = UNITS.find(([, size]) => span >= size) ?? UNITS[3];
  const values = ticks.map((at) => (axis.time(at) - origin) / size);
  const text = d3.format(`,.${Math.min(9, d3.precisionFixed(d3.min(d3.pairs(values, (one, next) => next - one)) || 1))}f`);
  return { origin, ticks: ticks.map((at, i) => [scale(at), `${text(values[i])} ${unit}`]) };
}
