// A way as a story: of each message when it was sent and what became of it, and what doomed the run.

import { LOST } from "explored/source";

/** Whether a node hears what it is sent. */
export const isThere = (node) => node.is === "up" || node.is === "leaving";

const same = (one, other) =>
  one.source === other.source && one.target === other.target && one.kind === other.kind && one.says === other.says;

/** The steps of a way that leads through these scenes. */
export const stepsOf = (scenes, tokens) =>
  scenes.slice(1).map((_, i) => scenes[i].steps.find((step) => step.token === tokens[i]));

/** All messages of a way: {source, target, kind, says, sent, ended, how}, by the numbers of steps. */
export function messagesOf(scenes, steps) {
  const all = [];
  let here = enter(scenes[0], [], 0, all);
  steps.forEach((step, i) => {
    const number = i + 1;
    if (step.kind === "deliver" || step.kind === "lose") {
      const one = queued(here, step);
      const isHeard = step.kind === "deliver" && isThere(scenes[i].nodes[step.node]);
      Object.assign(one, { ended: number, how: isHeard ? "arrived" : "lost" });
      here = here.filter((other) => other !== one);
    }
    here = enter(scenes[number], here, number, all, step.kind === "duplicate" ? step.message : null);
  });
  return all;
}

/** The message that a step is about. */
function queued(here, { message, place }) {
  const channel = here.filter(({ source, target }) => source === message.source && target === message.target);
  return same(channel[place], message) ? channel[place] : channel.find((one) => same(one, message));
}

/** Those under way in a scene: who was there before, and who was sent by the step before it. */
function enter(scene, before, number, all, repeated = null) {
  const left = [...before];
  return scene.messages.map((message) => {
    const place = left.findIndex((one) => same(one, message));
    if (place >= 0) return left.splice(place, 1)[0];
    const isAgain = repeated !== null && same(repeated, message);
    const sent = { ...message, sent: number, ended: null, how: isAgain ? "repeated" : "under way", isAgain };
    all.push(sent);
    return sent;
  });
}

/** The number of the step after which no order of events leads to a good end; -1: there is none. */
export const doomedFrom = (scenes) => scenes.findIndex(({ outlook }) => outlook === LOST);

/** The last of these scenes in a line: how it stands with a good end. */
export function verdictOf(scenes, steps, about) {
  const { broken, outlook } = scenes.at(-1);
  const doomed = doomedFrom(scenes);
  const away = (count) => (count ? `${about.whole ? "" : "at most "}${count} step${count === 1 ? "" : "s"} away` : "here");
  const last = scenes[doomed - 1]?.outlook; // from which it could have ended well
  const because = doomed > 0 ? ` The run is doomed from step ${doomed}: ${steps[doomed - 1].sentence}.` : "";
  const why = because + (last >= 0 ? ` Before it, a good end was ${away(last)}.` : "");
  if (broken !== null) return { sort: "broken", word: "Broken", text: `${broken}.${why}` };
  if (outlook === LOST) return { sort: "lost", word: "Doomed", text: `no order of events leads to a good end.${why}` };
  if (outlook === 0) return { sort: "good", word: "A good end", text: "all jobs are done, nothing is lent, nobody waits." };
  if (outlook > 0) return { sort: "open", word: "Can end well", text: `a good end is ${away(outlook)}.` };
  return { sort: "open", word: "Not known", text: "the search looked at too few states to tell how far a good end is." };
}
