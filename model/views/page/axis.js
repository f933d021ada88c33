// Time: linear, or paced by events. Positions are ns, or how many different times came before.

export const GUTTER = 92; // pixels left of the plots, for the names of rows

export class Axis {
  constructor(last) {
    this.last = last;
    this.times = null; // the different times of events, if they set the pace
  }

  /** Let these sorted times set the pace; null makes time linear. */
  pace(times) {
    this.times = times;
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
  const all = [0, last];
  for (const run of runs) {
    for (let i = 0; i < run.count; i++) {
      if (run.visible[i]) all.push(run.items.time[i], run.ends[i]);
    }
  }
  const sorted = Float64Array.from(all).sort();
  return sorted.filter((time, i) => i === 0 || time !== sorted[i - 1]);
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

/** The time that a window's ticks count from: 0, or a round one near `start` or before. */
function baseOf(first, last, start) {
  if ((last - first) * 1000 >= last) return 0;
  let unit = 1e15;
  while (unit > 1 && Math.ceil(first / unit) * unit > last) unit /= 10;
  const roundest = Math.ceil(first / unit) * unit;
  const wide = 10 ** Math.ceil(Math.log10(Math.max(1, last - first)));
  return roundest <= start ? roundest : Math.floor(first / wide) * wide;
}

/** Ticks of a window: [[x, text], …], and the time that they count from if they are too fine. */
export function ticksOf(axis, scale) {
  const [from, to] = scale.domain();
  const room = Math.max(2, Math.floor((scale.range()[1] - scale.range()[0]) / 110));
  const [first, last] = [axis.time(from), axis.time(to)];
  if (axis.times) { // far apart or close together: each as a span from a round time before the first
    const ticks = scale.ticks(room);
    const base = baseOf(first, last, axis.time(ticks[0] ?? from));
    return { places: ticks.map((at) => [scale(at), spanOf(axis.time(at) - base)]), base };
  }
  const base = baseOf(first, last, first + 0.05 * (last - first));
  const [unit, ns] = UNITS.find(([, ns]) => last - first >= 2 * ns) ?? UNITS[3];
  const places = d3.ticks((first - base) / ns, (last - base) / ns, room)
    .map((at) => [scale(at * ns + base), at.toLocaleString("en-US", { maximumFractionDigits: 9 }) + " " + unit]);
  return { places, base };
}
