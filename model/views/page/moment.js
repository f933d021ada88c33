// The moment that the network shows: a line over all lanes, the motion up to it, and what led to it.

import { GUTTER, secondsOf } from "page/axis";
import { $, make } from "page/elements";
import { entries } from "page/log";

const MOST_BEATS = 2000; // of a motion
const BEAT_MS = 120; // of a motion that nobody has set a pace for
const MOST_LINES = 60; // of the log

export class Moment {
  constructor(page) {
    this.page = page;
    this.at = 0; // ns, or what the motion passes
    this.since = 0; // where the last step began
    this.frame = 0;
    this.moves = false;
  }

  /** Stand at a time. */
  stand(at, since = at) {
    this.stop();
    Object.assign(this, { at: Math.round(at), since: Math.round(since) });
    this.draw();
    this.write();
  }

  /** Move from one time to another, with equal time for all that happens between; then `arrived`. */
  move(from, to, lasts_ms, arrived) {
    this.stop();
    const times = this.beats(from, to);
    const timeAt = d3.scaleLinear(d3.range(times.length), times);
    const began = performance.now();
    const pace = lasts_ms ?? Math.min(20_000, times.length * BEAT_MS);
    Object.assign(this, { since: from, moves: true });
    const next = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / pace));
      this.at = share < 1 ? timeAt(share * (times.length - 1)) : to;
      this.draw();
      if (share < 1) this.frame = requestAnimationFrame(next);
      else {
        this.stop();
        this.write();
        arrived();
      }
    };
    next(began);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.moves = false;
  }

  /** The times between, at which messages are sent, served or arrive: of protocols, if there are any. */
  beats(from, to) {
    const [protocol, data] = [[], []];
    for (const run of this.page.shown) {
      const { time } = run.items;
      const { at, waits, lasts } = run.hops;
      for (let i = d3.bisectLeft(time, from); i < run.count && time[i] <= to; i++) {
        if (!run.isMessage[i] || !run.visible[i]) continue;
        const its = run.isDetail(i) ? data : protocol;
        its.push(time[i], run.ends[i]);
        for (const hop of run.hopsOfItem(i)) its.push(at[hop] + waits[hop], at[hop] + waits[hop] + lasts[hop]);
      }
    }
    const between = (protocol.length ? protocol : data).filter((time) => time > from && time < to);
    const times = d3.sort(new Set([from, ...between, to]));
    const every = Math.ceil(times.length / MOST_BEATS);
    return times.filter((_, i) => i % every === 0 || i === times.length - 1);
  }

  /** The line over the lanes, and the networks. */
  draw() {
    const { page } = this;
    const x = page.x(this.at);
    $("now").textContent = secondsOf(this.at);
    $("cursor").hidden = x < GUTTER || x > page.width;
    $("cursor").style.left = `${x}px`;
    const left = Math.max(GUTTER, x);
    $("later").hidden = !page.live || left > page.width || this.at >= page.axis.last || page.axis.last <= 1;
    Object.assign($("later").style, { left: `${left}px`, width: `${Math.max(0, page.width - left)}px` });
    for (const network of page.networks) network.render();
  }

  /** What has happened, the latest first, beside each network. */
  write() {
    const { page } = this;
    page.settle();
    for (const { run, log } of page.networks) {
      const told = [run.state, run.news].filter(Boolean).map((text) => make("p", {}, text));
      const lines = entries(run, this, MOST_LINES).map(({ item, time, text, isNew }) => {
        const onclick = () => {
          page.goTo(time);
          page.select(run, item);
        };
        const button = make("button", { title: "Go to this moment", onclick }, `${(time / 1e9).toFixed(6)} ${text}`);
        return make("li", { className: isNew ? "new" : "" }, button);
      });
      log.replaceChildren(...told, make("ol", {}, ...lines));
    }
  }
}
