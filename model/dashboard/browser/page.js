"use strict";
// The page: asks the server for what to show, and draws its answers.

const $ = id => document.getElementById(id);
const NS = 1e9, MOST_LINES = 200;
const state = {stage: null, picture: null, shown_ns: 0, plays: false, waits: false, form: {}};
let socket, frame = 0, drawings = [], charts = null;
window.pnr = state;  // for the curious, and for tests

const seconds = (ns, digits = 6) => (ns / NS).toLocaleString("en",
  {minimumFractionDigits: digits, maximumFractionDigits: digits}) + " s";

let leaves = false;
addEventListener("pagehide", () => { leaves = true; });

function connect() {
  socket = new WebSocket(new URL("session", location.href.replace(/^http/, "ws").split("?")[0]));
  socket.onmessage = ({data}) => heard(JSON.parse(data));
  socket.onclose = () => {
    if (leaves) return;
    complain("The server is gone. Start `run.py watch` again, and open the address that it prints.");
    setPlaying(false);
  };
}

function ask(request) {
  if (request.do !== "pick") { state.waits = true; showControls(); }
  complain("");
  socket.send(JSON.stringify(request));
}

function heard(message) {
  if (message.kind === "progress") {
    $("end").textContent = `… ${seconds(message.known_ns, 0)}`;
    return;
  }
  state.waits = message.busy === true;
  if (message.kind === "complaint") { complain(message.text); setPlaying(false); return; }
  if (message.kind === "stage") {
    const first = state.stage === null;
    setStage(message);
    showPicture(message.picture, false);
    if (first && sessionStorage.plays === "yes" && !message.picture.ended) $("play").click();
    return;
  }
  const onlyPicked = state.picture && message.picture.at_ns === state.picture.at_ns &&
    message.picture.from_ns === state.picture.from_ns && message.picture.picked !== state.picture.picked;
  showPicture(message.picture, !onlyPicked);
}

function complain(text) {
  $("complaint").textContent = text;
  $("complaint").hidden = !text;
}

// The stage: what stays while a session is watched.

function setStage(stage) {
  state.stage = stage;
  document.title = `${stage.names.join(" and ")} – Parallel Network RAM`;
  $("caption").textContent = `${stage.replay ? "replay: " : ""}${stage.caption}`;
  const main = $("main");
  main.className = stage.names.length > 1 ? "two" : "one";
  main.replaceChildren();
  const pick = node => ask({do: "pick", node});
  drawings = stage.names.map((name, which) => {
    const net = html("section", {style: `grid-area: net${which}`, class: "run"}, main);
    html("h2", {class: "name"}, net, name);
    const line = html("p", {class: "state"}, net), sentence = html("p", {class: "sentence"}, net);
    const network = new NetworkDrawing(net, stage, which, pick);
    const legend = html("div", {class: "legend"}, net);
    const mem = html("section", {style: `grid-area: mem${which}`}, main);
    html("h2", {}, mem, `Memory of each node${stage.names.length > 1 ? `, ${name}` : ""}`);
    const memory = new MemoryDrawing(mem, stage, pick);
    const parts = html("div", {class: "legend"}, mem);
    for (const [words, color] of MEMORY) swatch(parts, words, `background: ${color}`);
    const rates = html("section", {style: `grid-area: rates${which}`}, main);
    html("h2", {}, rates, `Messages a second${stage.names.length > 1 ? `, ${name}` : ", by kind, in the colors of the network"}`);
    return {line, sentence, network, legend, memory, rates: html("div", {class: "chart"}, rates)};
  });
  const responses = html("section", {style: "grid-area: responses"}, main);
  html("h2", {}, responses, "Response time of each job that has ended (s)");
  const info = html("div", {class: "info"}, main);
  const details = html("section", {class: "details"}, info), log = html("section", {class: "log"}, info);
  charts = {rates: [], responses: html("div", {class: "chart"}, responses), responsesPlot: null};
  state.parts = {details, log};
  state.key = null;
  makeForm(stage);
}

function swatch(parent, words, style, classes = "") {
  const item = html("span", {}, parent);
  html("i", {style, class: classes}, item);
  item.append(words);
}

function networkLegend(legend, kinds, span) {
  legend.replaceChildren();
  for (const [kind, [color, hollow]] of Object.entries(kinds))
    swatch(legend, kind, hollow ? `border: 3px solid ${inkFor(color)}` : `background: ${inkFor(color)}`, "dot");
  swatch(legend, "node: RAM in use, 0 to 100 %", `background: linear-gradient(90deg, ${filled(0)}, ${filled(1)})`, "scale");
  swatch(legend, "pages to its disk", "border: 3px solid #D55E00", "dot");
  swatch(legend, "square: manages", "border: 1.5px solid var(--ink)");
  swatch(legend, "down", "background: #aaa; border: 1.5px dashed var(--ink)", "dot");
  if (!state.stage.every_hop) swatch(legend, "arrow: on its way; the journal has no hops", "height: 3px; vertical-align: 3px; background: var(--ink); border: 0");
  else swatch(legend, `link: busy 0 to 100 % of ${span[0].toLocaleString("en")} to ${span[1].toLocaleString("en")} s`,
    `background: linear-gradient(90deg, ${busy(0)}, ${busy(.5)}, ${busy(1)})`, "scale");
}

// One picture, and the motion that leads to it.

function showPicture(picture, moves) {
  const before = state.picture;
  state.picture = picture;
  cancelAnimationFrame(frame);
  const {stage} = state;
  picture.runs.forEach((run, which) => {
    const drawing = drawings[which];
    drawing.line.textContent = [run.line, run.complaint].filter(Boolean).join("; ");
    drawing.sentence.textContent = [run.sentence,
      run.left_out ? `(${run.left_out.toLocaleString("en")} of its messages are not drawn in motion)` : "",
      run.missing ? `(${run.missing})` : ""].filter(Boolean).join(" ");
    drawing.network.draw(run, stage, picture.picked);
    drawing.memory.draw(run, picture.picked);
    networkLegend(drawing.legend, picture.kinds, run.span_s);
  });
  $("end").textContent = `of ${seconds(picture.known_ns, 1)}${stage.replay ? "" : " so far"}`;
  drawCharts(picture);
  drawActivity(picture);
  drawInfo(picture);
  setGoals(picture.goals);
  const pace = +$("pace").value;
  if (moves && pace > 0 && picture.at_ns > picture.from_ns &&
      picture.runs.some(run => run.messages.length)) animate(picture, pace);
  else { drawAt(picture.at_ns); arrived(); }
}

/** The times that the motion of a step passes, evenly: each beginning and end of a service. */
function beats(picture) {
  const times = new Set([picture.at_ns]);
  const within = ns => ns >= picture.from_ns && ns <= picture.at_ns && times.add(ns);
  let own = [];
  for (const run of picture.runs) for (const message of run.messages) {
    const isProtocol = !/^(Page|Barrier)/.test(message[1]);
    own.push([isProtocol, message]);
  }
  if (own.some(([isProtocol]) => isProtocol)) own = own.filter(([isProtocol]) => isProtocol);
  for (const [, [, , , , sent, gone, , hops]] of own) {
    within(sent);
    if (gone !== null) within(gone);
    for (const [, start, end] of hops) { within(start); within(end); }
  }
  return [...times].sort((a, b) => a - b);
}

function animate(picture, pace) {
  const times = beats(picture), began = performance.now();
  if (times.length < 2) times.unshift(picture.from_ns);
  const next = now => {
    const share = Math.min(1, (now - began) / pace), at = share * (times.length - 1);
    const low = Math.min(Math.floor(at), times.length - 2);
    drawAt(share < 1 ? times[low] + (times[low + 1] - times[low]) * (at - low) : picture.at_ns);
    if (share < 1) frame = requestAnimationFrame(next);
    else arrived();
  };
  frame = requestAnimationFrame(next);
}

function drawAt(ns) {
  const {picture} = state;
  state.shown_ns = ns;
  $("now").textContent = seconds(ns, 9);
  picture.runs.forEach((run, which) =>
    drawings[which].network.drawMessages(run.messages, picture.kinds, ns));
  if (document.activeElement !== $("time") || !state.drags)
    $("time").value = 10000 * ns / Math.max(1, picture.known_ns);
}

/** The picture stands still: the next step, if it plays. */
function arrived() {
  if (state.picture.ended) setPlaying(false);
  if (state.plays && !state.waits) stepOn();
  showControls();
  document.body.dataset.at = state.picture.at_ns;
}

function stepOn() { ask({do: "step", goal: $("goal").value}); }

// Charts.

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axes(extra = {}) {
  const common = {stroke: () => css("--soft"), grid: {stroke: () => css("--line"), width: .5},
    ticks: {stroke: () => css("--line")}, font: "11px system-ui"};
  return [{...common, size: 26}, {...common, size: 54, ...extra}];
}

/** A line at the time that is shown, and a click that goes there. */
function marker() {
  return {hooks: {
    draw: plot => {
      const x = plot.valToPos(state.picture.at_ns / NS, "x", true), {ctx, bbox} = plot;
      if (x < bbox.left || x > bbox.left + bbox.width) return;
      ctx.save();
      ctx.strokeStyle = css("--ink");
      ctx.beginPath(); ctx.moveTo(x, bbox.top); ctx.lineTo(x, bbox.top + bbox.height); ctx.stroke();
      ctx.restore();
    },
    ready: plot => plot.over.addEventListener("click", event => {
      const at = plot.posToVal(event.offsetX, "x");
      if (at >= 0) ask({do: "seek", at_ns: Math.round(at * NS)});
    }),
  }};
}

function drawCharts(picture) {
  const key = JSON.stringify([Object.keys(picture.kinds), innerWidth, innerHeight, matchMedia("(prefers-color-scheme: dark)").matches]);
  const fresh = key !== state.key;
  state.key = key;
  const height = state.stage.names.length > 1 ? 130 : Math.max(140, .39 * innerHeight - 205);
  picture.runs.forEach((run, which) => {
    const kinds = Object.keys(picture.kinds), holder = drawings[which].rates;
    const data = [run.rates.times_s, ...kinds.map(kind => run.rates.kinds[kind] || run.rates.times_s.map(() => null))];
    if (fresh || !charts.rates[which]) {
      holder.replaceChildren();
      charts.rates[which] = new uPlot({
        width: holder.clientWidth, height, legend: {show: false}, cursor: {y: false, drag: {x: false, y: false}},
        scales: {x: {time: false}, y: {distr: 3, range: (_, low, high) => [10 ** Math.floor(Math.log10(low || .1)), 10 ** Math.ceil(Math.log10((high || 1) * 1.01))]}},
        axes: axes({values: (_, values) => values.map(it => it === null ? "" : it >= 1 ? it.toLocaleString("en") : String(it))}),
        series: [{label: "s"}, ...kinds.map(kind => ({label: kind, width: 1.5, points: {size: 3, show: true},
          stroke: picture.kinds[kind][0] === "#000000" ? () => css("--ink") : picture.kinds[kind][0],
          dash: picture.kinds[kind][1] ? [4, 3] : undefined}))],
        plugins: [marker()],
      }, data, holder);
    } else charts.rates[which].setData(data);
  });
  const times = [...new Set(picture.runs.flatMap(run => run.responses.map(([end]) => end)))].sort((a, b) => a - b);
  const data = [times, ...picture.runs.map(run => {
    const of = new Map(run.responses);
    return times.map(time => of.get(time) ?? null);
  })];
  if (fresh || !charts.responsesPlot) {
    charts.responses.replaceChildren();
    const colors = ["#0072B2", "#D55E00"];
    charts.responsesPlot = new uPlot({
      width: charts.responses.clientWidth, height, legend: {show: state.stage.names.length > 1},
      cursor: {y: false, drag: {x: false, y: false}},
      scales: {x: {time: false, range: () => [0, Math.max(1e-9, state.picture.known_ns / NS)]}, y: {range: (_, low, high) => [0, (high || 1) * 1.05]}},
      axes: axes(),
      series: [{label: "s"}, ...state.stage.names.map((name, which) => ({label: name, stroke: colors[which],
        paths: () => null, points: {size: which ? 9 : 6, show: true, fill: which ? "transparent" : colors[0]}}))],
      plugins: [marker()],
    }, data, charts.responses);
  } else charts.responsesPlot.setData(data);
}

/** How much of the protocol arrived over the time line. */
function drawActivity(picture) {
  const run = picture.runs[0], {times_s, kinds} = run.rates;
  const sums = times_s.map((_, i) => Object.entries(kinds)
    .reduce((sum, [kind, rates]) => sum + (/^(Page|Barrier)/.test(kind) ? 0 : rates[i] || 0), 0));
  const most = Math.max(...sums, 1e-9), end = Math.max(1e-9, picture.known_ns / NS);
  const width = 1000 / Math.max(1, times_s.length);
  $("activity").replaceChildren();
  svg("path", {d: sums.map((sum, i) => sum <= 0 ? "" :
    `M${1000 * times_s[i] / end - width / 2} 20 v${-4 - 16 * Math.sqrt(sum / most)} h${Math.max(1, width)} V20 Z`).join("")}, $("activity"));
}

// Words.

function drawInfo(picture) {
  const {details, log} = state.parts, top = details.scrollTop;
  details.replaceChildren();
  picture.runs.forEach((run, which) => {
    const {title, text, tables} = run.details;
    html("h2", {class: "title"}, details, picture.runs.length > 1 ?
      `${title} (${state.stage.names[which]})` : title);
    html("p", {}, details, text);
    for (const {title, head, rows, empty} of tables) {
      html("h3", {}, details, title);
      if (!rows.length) { html("p", {class: "soft"}, details, empty); continue; }
      const table = html("table", {}, details), first = html("tr", {}, table);
      head.forEach(words => html("th", {}, first, words));
      rows.forEach(row => {
        const line = html("tr", {}, table);
        row.forEach(cell => html("td", {}, line, cell));
      });
    }
  });
  details.scrollTop = top;
  log.replaceChildren();
  html("h2", {}, log, "What happened, latest first");
  const lines = picture.runs.flatMap((run, which) => run.log.map(line => [which, ...line]));
  if (picture.runs.length > 1) lines.sort((a, b) => b[2] - a[2]);  // stable: each run keeps its order
  const list = html("ol", {}, log);
  for (const [which, number, time_s, words, fresh] of lines.slice(0, MOST_LINES)) {
    const item = html("li", fresh ? {class: "new"} : {}, list);
    const button = html("button", {"data-number": number, title: "Go to this moment"}, item);
    html("time", {}, button, time_s.toLocaleString("en", {minimumFractionDigits: 6, maximumFractionDigits: 6}));
    if (picture.runs.length > 1) html("b", {}, button, ` ${state.stage.names[which]}`);
    button.append(" " + words);
    button.addEventListener("click", () => { setPlaying(false); ask({do: "record", run: which, number}); });
  }
  if (!lines.length) html("p", {class: "soft"}, log, "Nothing yet: Step goes on.");
}

// Controls.

function setGoals(goals) {
  const menu = $("goal"), chosen = menu.value || sessionStorage.goal || "a protocol message arrives";
  if (menu.options.length === goals.length) return;
  menu.replaceChildren();
  goals.forEach(goal => html("option", {value: goal}, menu, goal));
  menu.value = goals.includes(chosen) ? chosen : "a protocol message arrives";
}

function setPlaying(plays) {
  if (state.plays && !plays && state.waits) socket.send(JSON.stringify({do: "pause"}));
  state.plays = plays;
  sessionStorage.plays = plays ? "yes" : "no";  // a reload goes on
  showControls();
}

function showControls() {
  $("play").textContent = state.plays ? "❚❚ Pause" : state.waits ? "❚❚ Stop" : "▶ Play";
  const ended = state.picture?.ended, start = !state.picture?.at_ns && !state.picture?.from_ns;
  $("step").disabled = state.waits || state.plays || ended;
  $("back").disabled = $("begin").disabled = state.waits || state.plays || start;
  $("play").disabled = ended && !state.plays && !state.waits;
}

function seekTo(at_ns) { setPlaying(false); ask({do: "seek", at_ns: Math.round(at_ns)}); }

$("step").onclick = stepOn;
$("back").onclick = () => ask({do: "back", goal: $("goal").value});
$("begin").onclick = () => seekTo(0);
$("play").onclick = () => {
  if (state.plays) setPlaying(false);
  else if (state.waits) socket.send(JSON.stringify({do: "pause"}));
  else { setPlaying(true); stepOn(); }
};
$("goal").onchange = () => { sessionStorage.goal = $("goal").value; };
$("pace").value = sessionStorage.pace || "1000";
$("pace").onchange = () => { sessionStorage.pace = $("pace").value; };
$("seek").onchange = () => {
  const at = Number($("seek").value);
  if (!$("seek").value) return;
  $("seek").value = "";  // so that the same time can be given again
  if (Number.isFinite(at) && at >= 0) seekTo(at * NS);
  else complain("Give a time in s, such as 2600.5.");
};
let dragged = 0;
$("time").oninput = () => {
  state.drags = true;
  const at_ns = $("time").value / 10000 * state.picture.known_ns;
  $("now").textContent = seconds(at_ns, 9);
  clearTimeout(dragged);
  if (!state.waits) seekTo(at_ns);
  else dragged = setTimeout(() => seekTo(at_ns), 50);
};
$("time").onchange = () => {
  clearTimeout(dragged);
  state.drags = false;
  seekTo($("time").value / 10000 * state.picture.known_ns);
};
document.addEventListener("keydown", event => {
  if (/^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(event.target.tagName)) return;
  const button = {ArrowRight: "step", ArrowLeft: "back", " ": "play"}[event.key];
  if (button && !$(button).disabled) { event.preventDefault(); $(button).click(); }
});
addEventListener("resize", () => state.picture && drawCharts(state.picture));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => state.picture && drawCharts(state.picture));

// The form of all parameters.

function makeForm(stage) {
  const form = $("form");
  form.replaceChildren();
  const groups = new Map();
  const group = name => {
    if (!groups.has(name)) {
      const set = html("fieldset", {}, form);
      html("legend", {}, set, name);
      groups.set(name, set);
    }
    return groups.get(name);
  };
  const names = html("datalist", {id: "offer"}, form);
  stage.offer.forEach(name => html("option", {value: name}, names));
  const field = (set, name, words, value, help) => {
    const label = html("label", {title: help, class: name === "first-name" || name === "beside" ? "wide" : ""}, set, words);
    return html("input", {name, value, ...(name.match(/^(first-name|beside)$/) ? {list: "offer"} : {})}, label);
  };
  const set = group("What to watch");
  const hint = stage.replay ? "One of the journal's runs." : `A ${stage.noun} by name, or file.py:function below this folder.`;
  field(set, "first-name", stage.noun, stage.names[0], hint);
  field(set, "beside", `beside it (same jobs)`, stage.names[1] || "", hint + " Empty: none.");
  if (!stage.replay) for (const {name, group: title, help, value, choices} of stage.form) {
    const set = group(title), words = name.replaceAll("_", " ");
    if (!choices) { field(set, name, words, value, help); continue; }
    const label = html("label", {title: help}, set, words), menu = html("select", {name}, label);
    choices.forEach(choice => html("option", {value: choice}, menu, choice));
    menu.value = value;
  }
  html("button", {type: "submit"}, form, stage.replay ? "Show these" : "Begin anew with these");
  if (stage.replay) html("p", {class: "soft"}, form, "The parameters of a journal are those it was written with.");
}

$("open").onclick = () => {
  $("form").hidden = !$("form").hidden;
  $("open").setAttribute("aria-expanded", String(!$("form").hidden));
};
$("form").onsubmit = event => {
  event.preventDefault();
  const given = Object.fromEntries(new FormData($("form")));
  const {"first-name": first, beside, ...values} = given;
  setPlaying(false);
  ask({do: "begin", first, beside, values});
};

connect();
