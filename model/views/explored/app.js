// The page in which a state graph is walked. The way so far is its address.

import { commonCard, nodeCard } from "explored/cards";
import { html, inColorOf } from "explored/elements";
import { Picture } from "explored/picture";
import { LOST, Source } from "explored/source";
import { doomedFrom, messagesOf, stepsOf, verdictOf } from "explored/story";
import { $ } from "page/elements";

const LABELS = { broken: "to the counterexample", lost: "to", good: "to", seen: "to a state where" };
const MARKS = { lose: "✕", duplicate: "⊕", crash: "✕", restart: "↻", fire: "◔", place: "▣", end: "□", join: "+", leave: "−", go: "−", deliver: "●" };
const MOST_DIGITS = 9;

export function open() {
  globalThis.page = new Page(new Source(JSON.parse($("content").textContent)));
}

class Page {
  constructor(source) {
    Object.assign(this, { source, live: source.isLive, turn: 0 });
    this.tokens = []; // of the way so far
    this.known = []; // of a way that begins so, and goes on if the reader has gone back
    this.picture = new Picture(source, (at) => this.leap(at));
    const { design, setting, states, whole } = source.about;
    $("design").textContent = design;
    $("setting").textContent = setting.join(" · ") + (states === null ? "" : ` · ${whole ? "" : "the first "}${states.toLocaleString("en-US")} states`);
    $("begin").onclick = () => this.leap(0);
    $("back").onclick = () => this.leap(this.at - 1);
    $("forward").onclick = () => this.leap(this.at + 1);
    $("ways").append(...this.ways());
    addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("hashchange", () => this.load());
    addEventListener("resize", () => this.show());
    this.load();
  }

  /** Buttons that lead to what the search has found. */
  ways() {
    const { ways } = this.source;
    const counterexamples = ways.filter(([sort]) => sort === "broken").length;
    return ways.map(([sort, name, way]) => {
      const isOnly = sort === "broken" && counterexamples === 1;
      const button = html("button", sort, LABELS[sort] + (isOnly ? "" : `${sort === "broken" ? ":" : ""} ${name}`));
      button.title = isOnly ? name : "by a shortest way";
      button.onclick = () => this.go(way ? way.split(",") : []);
      return button;
    });
  }

  get at() {
    return this.tokens.length;
  }

  /** Take up the way that stands in the address. */
  load() {
    this.follow(location.hash.slice(1).split(",").filter(Boolean));
  }

  /** Go a way, and have it in the address. */
  go(tokens) {
    history.pushState(null, "", new URL(`#${tokens.join(",")}`, location));
    this.follow(tokens);
  }

  async follow(tokens) {
    const turn = ++this.turn;
    document.body.dataset.waits = "true";
    let complaint = "";
    try {
      const scenes = await this.source.follow(tokens);
      if (turn !== this.turn) return; // another way was asked for meanwhile
      if (scenes.length <= tokens.length) complaint = `Step ${scenes.length} of this address, “${tokens[scenes.length - 1]}”, is not possible here.`;
      this.scenes = scenes;
      this.tokens = tokens.slice(0, scenes.length - 1);
      if (!this.tokens.every((token, i) => token === this.known[i])) this.known = this.tokens;
    } catch (error) {
      if (turn !== this.turn) return;
      complaint = error.message;
      this.scenes ??= [this.source.scene(0)];
    }
    this.show(complaint);
    document.body.dataset.waits = "false";
    document.body.dataset.ready = "true";
  }

  /** Go back or forward on the way that is known. */
  leap(at) {
    if (at >= 0 && at <= this.known.length && at !== this.at) this.go(this.known.slice(0, at));
  }

  /** Take a step, by its place in the list. */
  take(place) {
    const step = this.scenes.at(-1).steps[place];
    if (step && this.source.leadsOn(step)) this.go([...this.tokens, step.token]);
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0 }[event.key];
    if (at !== undefined) this.leap(at);
    else if (/^[1-9]$/.test(event.key)) this.take(Number(event.key) - 1);
    else return;
    event.preventDefault();
  }

  /** Show the scene that the reader is at, and the way there. */
  show(complaint = "") {
    const { source, scenes, at } = this;
    const scene = scenes.at(-1);
    const before = scenes.at(-2);
    const steps = stepsOf(scenes, this.tokens);
    const messages = messagesOf(scenes, steps);
    const doomed = doomedFrom(scenes);
    const verdict = complaint ? { sort: "broken", word: "Not a way", text: complaint } : verdictOf(scenes, steps, source.about);
    $("verdict").className = verdict.sort;
    $("verdict").replaceChildren(html("b", "", verdict.word), ` ${verdict.text}`);
    $("begin").disabled = $("back").disabled = at === 0;
    $("forward").disabled = at === this.known.length;
    this.showSteps(scene, this.known[at]);
    this.showWay(steps, doomed);
    const underWay = messages.filter(({ ended }) => ended === null);
    $("common").replaceChildren(commonCard(source, scene, before, underWay, at));
    $("nodes").replaceChildren(...scene.nodes.map((node, i) => nodeCard(source, i, node, before?.nodes[i], scenes[0].nodes[i])));
    this.picture.draw({ scenes, steps, messages, doomed });
    this.showLegend(messages);
  }

  showSteps(scene, next) {
    const list = scene.steps.map((step, i) => {
      const isHere = this.source.leadsOn(step);
      const button = this.button(i < MOST_DIGITS ? String(i + 1) : "", step, step.sentence, html("small", "", step.message?.says ?? ""));
      button.className = step.token === next ? "next" : "";
      button.disabled = !isHere;
      button.onclick = () => this.take(i);
      const outlook = isHere && step.target >= 0 ? this.source.tables.states[step.target][4] : null;
      if (outlook === LOST) button.append(html("em", "bad", "dooms it"));
      else if (!isHere) button.append(html("em", "", "not in this file"));
      return html("li", step.kind, button);
    });
    const none = scene.broken !== null ? "A rule is broken; the search goes no further." : "Nothing can happen any more.";
    $("steps").replaceChildren(...(list.length ? list : [html("li", "none", none)]));
  }

  /** A button for a step, with its number and symbol; null is the beginning. */
  button(number, step, ...told) {
    return html("button", "", html("kbd", "", number), step ? this.symbol(step) : html("i", "symbol"), html("span", "", ...told));
  }

  /** A step's mark, in the color of its message. */
  symbol({ kind, message }) {
    const mark = html("i", "symbol", MARKS[kind]);
    return message ? inColorOf(this.source.kinds[message.kind], mark) : mark;
  }

  showWay(steps, doomed) {
    const list = [null, ...steps].map((step, i) => {
      const button = this.button(String(i), step, step?.sentence ?? "the servents start");
      button.onclick = () => this.leap(i);
      if (i === doomed) button.append(html("em", "bad", "doomed"));
      return html("li", i === doomed ? "doomed" : "", button);
    });
    $("way").replaceChildren(...list);
    $("way").scrollTop = $("way").scrollHeight;
  }

  showLegend(messages) {
    const kinds = [...new Set(messages.map(({ kind }) => kind))];
    const parts = kinds.map((kind) => html("span", "", inColorOf(this.source.kinds[kind], html("i", "sample")), `${kind} (${this.source.kinds[kind].phase})`));
    const signs = ["waits", "runs"].map((does) => html("span", "", html("i", `sample bar ${does}`), `a process ${does}`));
    $("legend").replaceChildren(...parts, ...signs, html("span", "", "✕ lost; dashed: still under way"));
  }
}
