// A run that goes on: the server sends the rows that come, and is asked for steps, times and faults.

import { load } from "page/address";
import { secondsOf } from "page/axis";
import { $, make } from "page/elements";
import { Run, unpack } from "page/records";

const EVENTS = 60; // in the window, as long as nobody zooms
const AHEAD = 0.15; // of the window, right of the moment
const PROTOCOL = "a protocol message arrives";
const UNITS = { mb_per_s: "MB/s", mbps: "Mbps", mhz: "MHz", bytes: "bytes", kb: "KB", mb: "MB", ns: "ns", us: "µs", ms: "ms", s: "s" };
const UNIT = new RegExp(`^(.*?)_(${Object.keys(UNITS).join("|")})$`);
const KEYS = { ".": "step", ",": "step-back", " ": "play" };

export class Live {
  constructor(page) {
    this.page = page;
    this.waits = false; // for an answer
    this.plays = false;
    this.wanted = null; // a time to go to as soon as the server has answered
    this.stage = null;
    this.answer = null; // the last
    this.done = Promise.resolve();
    $("live").hidden = false;
    this.listen();
    this.connect();
  }

  connect() {
    let leaves = false;
    addEventListener("pagehide", () => (leaves = true));
    this.socket = new WebSocket(new URL("session", location.href.replace(/^http/, "ws").split(/[?#]/)[0]));
    this.socket.onmessage = ({ data }) => {
      this.done = this.done.then(() => this.take(JSON.parse(data)));
    };
    this.socket.onclose = () => {
      if (leaves) return;
      this.complain("The server is gone. Start `run.py watch` again, and open the address that it prints.");
      this.setPlaying(false);
    };
  }

  send(request) {
    this.socket.send(JSON.stringify(request));
  }

  ask(request) {
    this.waits = true;
    this.complain("");
    this.send(request);
    this.showControls();
  }

  complain(text) {
    $("complaint").textContent = text;
    $("complaint").hidden = !text;
  }

  // -- what the server sends -----------------------------------------------------------------------

  async take(message) {
    if (message.kind === "progress") {
      $("end").textContent = `… ${secondsOf(message.known_ns, 3)}`;
      return;
    }
    if (message.kind === "complaint") {
      this.waits = false;
      this.complain(message.text);
      this.setPlaying(false);
      return;
    }
    if (message.stage) this.setStage(message.stage);
    await this.takeRuns(message);
    this.waits = message.busy === true; // only now: what has come is not shown before
    this.answer = message;
    $("end").textContent = this.stage.replay ? `of ${secondsOf(message.known_ns)}`
      : message.known_ns ? `of ${secondsOf(message.known_ns)} so far` : "the run has not started";
    this.setGoals(message.goals);
    const { moment } = this.page;
    const pace = Number($("pace").value);
    if (message.stage || message.from_ns === message.at_ns || !pace) {
      moment.stand(message.at_ns, message.from_ns);
      this.arrived();
    } else moment.move(message.from_ns, message.at_ns, pace, () => this.arrived());
    document.body.dataset.ready = "yes";
  }

  setStage(stage) {
    const { page } = this;
    if (this.stage) page.leave();
    this.stage = stage;
    page.runs.clear();
    document.title = `${stage.names.join(" and ")}: Parallel Network RAM`;
    this.makeForm();
    this.showFaults();
  }

  /** Take in the rows that have come. */
  async takeRuns({ runs, at_ns, stage }) {
    const { page } = this;
    for (const [which, sent] of runs.entries()) {
      const name = this.stage.names[which];
      const unpacked = await unpack(sent);
      if (page.runs.has(name) && !sent.reset) page.runs.get(name).append(sent.about, unpacked);
      else page.runs.set(name, new Run({ ...this.stage.runs[which], ...sent.about }, unpacked));
      const news = [sent.complaint, sent.missing].filter(Boolean).join(" — ");
      Object.assign(page.runs.get(name), { state: sent.state, news, shownItems: sent.shown });
      if (sent.reset && page.selected) page.leave();
    }
    const isFirst = !page.shown.length;
    if (isFirst) $("paced").checked = true;
    const wasWhole = isFirst || stage !== undefined || page.to - page.from >= 0.999 * page.axis.end;
    page.take(this.stage.names, Math.max(at_ns, ...runs.map(({ about }) => about.last)));
    if (isFirst) await load(page);
    $("difference").hidden = page.shown.length < 2;
    this.follow(at_ns, wasWhole);
  }

  /** Keep the moment in the window; one that had all there was grows, up to so many events. */
  follow(at_ns, wasWhole) {
    const { page } = this;
    const place = page.axis.position(at_ns);
    const width = !wasWhole ? page.to - page.from : page.axis.times ? Math.min(EVENTS, page.axis.end) : page.axis.end;
    if (!wasWhole && place > page.from && place < page.to - 0.02 * width) return;
    page.showPositions(place - (1 - AHEAD) * width, place + AHEAD * width);
  }

  // -- controls ------------------------------------------------------------------------------------

  /** The page shows what it has asked for: the next step, if it plays. */
  arrived() {
    if (this.answer.is_over) this.setPlaying(false);
    if (this.wanted !== null && !this.waits) this.seek(this.wanted);
    else if (this.plays && !this.waits) this.step();
    this.showControls();
  }

  step() {
    this.ask({ do: "step", goal: $("goal").value });
  }

  /** Go to a time, now or as soon as the server has answered. */
  seek(time) {
    this.setPlaying(false);
    this.wanted = this.waits ? time : null;
    if (!this.waits) this.ask({ do: "seek", at_ns: Math.round(time) });
  }

  play() {
    if (this.plays) this.setPlaying(false);
    else if (this.waits) this.send({ do: "pause" });
    else {
      this.setPlaying(true);
      this.step();
    }
  }

  setPlaying(plays) {
    if (this.plays && !plays && this.waits) this.send({ do: "pause" });
    this.plays = plays;
    this.showControls();
  }

  showControls() {
    const isBusy = this.waits || this.plays;
    const { is_over: isOver = false, at_ns = 0 } = this.answer ?? {};
    $("play").textContent = this.plays ? "❚❚ pause" : this.waits ? "❚❚ stop" : "▶ play";
    $("step").disabled = isBusy || isOver;
    $("begin").disabled = $("step-back").disabled = isBusy || !at_ns;
    $("play").disabled = isOver && !isBusy;
    document.body.dataset.waits = this.waits || this.page.moment.moves;
  }

  setGoals(goals) {
    const menu = $("goal");
    if (menu.options.length === goals.length) return;
    const chosen = menu.value;
    menu.replaceChildren(...goals.map((goal) => new Option(goal, goal)));
    menu.value = goals.includes(chosen) ? chosen : PROTOCOL;
  }

  listen() {
    $("step").onclick = () => this.step();
    $("step-back").onclick = () => this.ask({ do: "back", goal: $("goal").value });
    $("begin").onclick = () => this.seek(0);
    $("seek").onchange = ({ target }) => {
      const at = target.value ? Number(target.value) : NaN;
      target.value = ""; // so that the same time can be given again
      if (at >= 0) this.seek(at * 1e9);
      else this.complain("Give a time in s, such as 2600.5.");
    };
    $("open").onclick = () => {
      $("form").hidden = !$("form").hidden;
      $("open").ariaExpanded = !$("form").hidden;
    };
    $("form").onsubmit = (event) => {
      event.preventDefault();
      const { "run-above": first, "run-below": beside, ...values } = Object.fromEntries(new FormData($("form")));
      this.setPlaying(false);
      this.ask({ do: "begin", first, beside, values });
    };
    addEventListener("keydown", ({ key, target }) => {
      if (KEYS[key] && !target.closest("input, select, button")) $(KEYS[key]).click();
    });
  }

  // -- parameters and faults -------------------------------------------------------------------------

  makeForm() {
    const { form, names, noun, offer, replay } = this.stage;
    const hint = replay ? "One of the journal's runs." : `A ${noun} by name, or file.py:function below this folder.`;
    const groups = d3.groups(replay ? [] : form, ({ group }) => group);
    const watched = [
      { name: "run-above", label: `${noun} above`, help: hint, value: names[0], list: "offer" },
      { name: "run-below", label: `${noun} below`, help: `${hint} It runs the same jobs.`, value: names[1] ?? "", default: "none", list: "offer" },
    ];
    $("form").replaceChildren(
      make("datalist", { id: "offer" }, ...offer.map((name) => new Option(name, name))),
      make("div", {}, ...watched.map(fieldOf)),
      ...groups.map(([group, its], turn) => {
        const changed = its.filter((one) => one.value !== (one.choices ? one.default : "")).length;
        const told = `${its.length} parameters${changed ? `, ${changed} changed` : ""}`;
        return make("details", { open: turn === 0 }, make("summary", {}, group, make("small", {}, told)), make("div", {}, ...its.map(fieldOf)));
      }),
      make("button", {}, replay ? "Show these runs" : "Start again with these parameters"),
      ...(replay ? [make("p", {}, "A journal’s parameters are those of its run.")] : []),
    );
  }

  /** A button that lets the run begin again with these faults, up to the moment. */
  fault(text, tables, title, className = "") {
    return make("button", { className, title, onclick: () => this.ask({ do: "faults", tables }) }, text);
  }

  /** The faults of the run, each of which can be taken away. */
  showFaults() {
    const { tables, sentences } = this.stage.faults ?? { tables: [], sentences: [] };
    $("faults").replaceChildren(...sentences.map((text, place) =>
      this.fault(`${text} ✕`, tables.filter((_, other) => other !== place), "Repeat the run up to this moment, without this fault")));
  }

  /** Buttons by which something goes wrong at the moment: with a node, or a message that is selected. */
  harms({ node = null, run = null, item = null }) {
    if (!this.stage.faults) return [];
    const from_s = (this.page.moment.at + 1) / 1e9; // behind what is shown
    const found = node === null ? [] : [
      ["crash its servent", { kind: "servent", nodes: [node], from_s }],
      ["crash it, and restart it after 60 s", { kind: "servent", nodes: [node], from_s, restart_s: 60 }],
      ["pause its servent for 60 s", { kind: "pause", nodes: [node], from_s, until_s: from_s + 60 }],
      ["crash the node", { kind: "node", nodes: [node], from_s }],
    ];
    if (item !== null && run.counts(item)) {
      const sent_s = run.items.time[item] / 1e9;
      found.push(["lose this message", { kind: "loss", messages: [run.name(item)], nodes: [run.items.peer[item]], from_s: sent_s, until_s: sent_s + 1e-9 }]);
    }
    return found.map(([text, table]) =>
      this.fault(text, [...this.stage.faults.tables, table], "Repeat the run up to this moment, with this fault", "harm"));
  }
}

/** A parameter with its name, unit, default and help. */
function fieldOf({ name, label, help, value, default: otherwise = "", choices, list }) {
  const [, word, unit] = name.match(UNIT) ?? [null, name];
  const named = label ?? `${word.replaceAll("_", " ")}${unit ? `, ${UNITS[unit]}` : ""}`;
  const text = help.replace(/--([a-z-]+)/g, (_, option) => `“${option.replaceAll("-", " ")}”`);
  const input = choices
    ? make("select", { name }, ...choices.map((one) => new Option(one === otherwise ? `${one} (default)` : one, one)))
    : make("input", { name, placeholder: otherwise || "default" });
  input.value = value;
  if (list) input.setAttribute("list", list);
  return make("label", { title: text }, make("span", {}, named), input, make("small", {}, text));
}
