// The page in which a state graph is walked. The way, and where on it the reader is, is its address.

import { commonCard, nodeCard } from "explored/cards";
import { html, inColorOf } from "explored/elements";
import { Picture } from "explored/picture";
import { Source } from "explored/source";
import { guiltyOf, lastSavedOf, messagesOf, stepsOf, verdictOf } from "explored/story";

const $ = (id) => document.getElementById(id);
const LABELS = { broken: "to the counterexample", lost: "to", good: "to", seen: "to a state where" };
const MOST_DIGITS = 9;

export function open() {
  const page = new Page(new Source(JSON.parse($("content").textContent)));
  globalThis.page = page;
  page.begin();
}

class Page {
  constructor(source) {
    Object.assign(this, { source, live: source.isLive, tokens: [], at: 0, turn: 0 });
    this.picture = new Picture(source, (at) => this.leap(at));
  }

  begin() {
    const { about } = this.source;
    $("design").textContent = about.design;
    $("setting").textContent = about.setting.join(" · ") + (about.states === null ? "" : ` · ${about.whole ? "" : "the first "}${about.states.toLocaleString("en-US")} states`);
    $("begin").onclick = () => this.leap(0);
    $("back").onclick = () => this.leap(this.at - 1);
    $("forward").onclick = () => this.leap(this.at + 1);
    this.offerWays();
    addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("hashchange", () => this.load());
    addEventListener("resize", () => this.show());
    this.load();
  }

  /** Buttons that lead to what the search has found. */
  offerWays() {
    const { ways } = this.source;
    const counterexamples = ways.filter(([sort]) => sort === "broken").length;
    for (const [sort, name, way] of ways) {
      const text = sort === "broken" ? LABELS.broken + (counterexamples > 1 ? `: ${name}` : "") : `${LABELS[sort]} ${name}`;
      const button = html("button", sort, text);
      button.title = sort === "broken" ? name : "by a shortest way";
      button.onclick = () => this.go(way ? way.split(",") : []);
      $("ways").append(button);
    }
    const saved = html("button", "saved", "to the last state that could be saved");
    saved.id = "saved";
    saved.onclick = () => this.goToSaved();
    const worst = ways.find(([sort]) => sort === "broken" || sort === "lost");
    this.worst = worst && worst[2] ? worst[2].split(",") : null;
    $("ways").append(saved);
  }

  /** Along this way to where it was lost, or along that of the counterexample. */
  async goToSaved() {
    const isLost = lastSavedOf(this.scenes) >= 0;
    const way = isLost ? this.tokens : this.worst;
    const scenes = isLost ? this.scenes : await this.source.follow(way);
    this.go(way, Math.max(0, lastSavedOf(scenes)));
  }

  /** Take up the way and the place on it that stand in the address. */
  async load() {
    const [way, place] = location.hash.slice(1).split("@");
    let tokens = [];
    try {
      tokens = decodeURIComponent(way).split(",").filter(Boolean);
    } catch {} // an address that is cut off in the middle
    const at = /^\d+$/.test(place ?? "") ? Number(place) : tokens.length;
    await this.follow(tokens, at);
  }

  /** Go a way, up to a place on it, and have it in the address. */
  async go(tokens, at = tokens.length, isNew = true) {
    const place = at === tokens.length ? "" : `@${at}`;
    history[isNew ? "pushState" : "replaceState"](null, "", new URL(`#${tokens.join(",")}${place}`, location));
    await this.follow(tokens, at);
  }

  async follow(tokens, at) {
    const turn = ++this.turn;
    document.body.dataset.waits = "true";
    let complaint = "";
    try {
      const scenes = await this.source.follow(tokens);
      if (turn !== this.turn) return; // another way was asked for meanwhile
      if (scenes.length <= tokens.length) complaint = `Step ${scenes.length} of this address, “${tokens[scenes.length - 1]}”, is not possible here.`;
      this.scenes = scenes;
      this.tokens = tokens.slice(0, scenes.length - 1);
      this.at = Math.max(0, Math.min(at, this.tokens.length));
    } catch (error) {
      if (turn !== this.turn) return;
      complaint = error.message;
      this.scenes ??= [this.source.scene(0)];
    }
    this.show(complaint);
    document.body.dataset.waits = "false";
    document.body.dataset.ready = "true";
  }

  /** Go back or forward on the way. */
  leap(at) {
    if (at >= 0 && at <= this.tokens.length && at !== this.at) this.go(this.tokens, at, false);
  }

  /** Take a step, by its place in the list. */
  take(place) {
    const step = this.scenes[this.at].steps[place];
    if (!step || !this.source.leadsOn(step)) return;
    if (this.tokens[this.at] === step.token) this.leap(this.at + 1);
    else this.go([...this.tokens.slice(0, this.at), step.token]);
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowLeft") this.leap(this.at - 1);
    else if (event.key === "ArrowRight") this.leap(this.at + 1);
    else if (event.key === "Home") this.leap(0);
    else if (/^[1-9]$/.test(event.key)) this.take(Number(event.key) - 1);
    else return;
    event.preventDefault();
  }

  /** Show the scene that the reader is at, and the way there. */
  show(complaint = "") {
    const { source, scenes, tokens, at } = this;
    const steps = stepsOf(scenes, tokens);
    const messages = messagesOf(scenes, steps);
    const guilty = guiltyOf(scenes);
    const verdict = verdictOf(scenes.slice(0, at + 1), at, steps, source.about);
    $("verdict").className = complaint ? "broken" : verdict.sort;
    $("verdict").replaceChildren(html("b", "", complaint ? "Not a way" : verdict.word), ` ${complaint || verdict.text}`);
    $("begin").disabled = $("back").disabled = at === 0;
    $("forward").disabled = at === tokens.length;
    $("saved").disabled = lastSavedOf(scenes) < 0 && this.worst === null;
    this.showSteps(scenes[at], tokens[at]);
    this.showWay(scenes, steps, guilty);
    const before = at ? scenes[at - 1] : null;
    const underWay = messages.filter(({ sent, ended }) => sent <= at && (ended === null || ended > at));
    $("common").replaceChildren(commonCard(source, scenes[at], before, underWay, at));
    $("nodes").replaceChildren(...scenes[at].nodes.map((node, i) => nodeCard(source, i, node, before?.nodes[i], scenes[0].nodes[i])));
    this.picture.draw({ scenes, steps, messages, at, guilty });
    this.showLegend(messages);
  }

  showSteps(scene, next) {
    const list = scene.steps.map((step, i) => {
      const isHere = this.source.leadsOn(step);
      const button = html("button", step.token === next ? "next" : "", html("kbd", "", i < MOST_DIGITS ? String(i + 1) : ""), this.symbol(step), html("span", "", step.sentence, html("small", "", step.message?.says ?? "")));
      button.disabled = !isHere;
      button.onclick = () => this.take(i);
      const outlook = isHere && step.target >= 0 ? this.source.tables.states[step.target][4] : null;
      if (outlook === -1) button.append(html("em", "bad", "loses it"));
      else if (!isHere) button.append(html("em", "", "not in this file"));
      return html("li", step.kind, button);
    });
    const none = scene.broken !== null ? "A rule is broken; the search goes no further." : "Nothing can happen any more.";
    $("steps").replaceChildren(...(list.length ? list : [html("li", "none", none)]));
  }

  /** A dot in the color of a step's message, crossed if it is lost; else a mark. */
  symbol({ kind, message }) {
    const marks = { lose: "✕", duplicate: "⊕", crash: "✕", restart: "↻", fire: "◔", place: "▣", end: "□", join: "+", leave: "−", go: "−", deliver: "●" };
    const mark = html("i", "symbol", marks[kind]);
    return message ? inColorOf(this.source.kinds[message.kind], mark) : mark;
  }

  showWay(scenes, steps, guilty) {
    const list = [null, ...steps].map((step, i) => {
      const button = html("button", "", html("kbd", "", String(i)), step === null ? html("i", "symbol") : this.symbol(step), html("span", "", step === null ? "the servents start" : step.sentence));
      button.onclick = () => this.leap(i);
      if (i === guilty) button.append(html("em", "bad", "lost from here on"));
      const item = html("li", [i === this.at ? "here" : "", i > this.at ? "later" : "", i === guilty ? "guilty" : ""].filter(Boolean).join(" "), button);
      if (i === this.at) item.setAttribute("aria-current", "step");
      return item;
    });
    $("way").replaceChildren(...list);
    const here = list[this.at];
    const box = $("way");
    if (here.offsetTop < box.scrollTop || here.offsetTop + here.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = here.offsetTop - box.clientHeight / 2;
  }

  showLegend(messages) {
    const kinds = [...new Set(messages.map(({ kind }) => kind))];
    const parts = kinds.map((kind) => html("span", "", inColorOf(this.source.kinds[kind], html("i", "dot")), `${kind} (${this.source.kinds[kind].phase})`));
    const signs = [["bar waits", "a process waits"], ["bar runs", "a process runs"]].map(([name, text]) => html("span", "", html("i", name), text));
    $("legend").replaceChildren(...parts, ...signs, html("span", "", "✕ lost; dashed: still under way; pale: after the step that is shown"));
  }
}
