// A way as a story: of each message when it was sent and what became of it, and where all was lost.

import { LOST } from "explored/source";

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
      const isUnheard = step.kind === "deliver" && scenes[i].nodes[step.node].is !== "up" && scenes[i].nodes[step.node].is !== "leaving";
      Object.assign(one, { ended: number, how: step.kind === "lose" || isUnheard ? "lost" : "arrived" });
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
export const guiltyOf = (scenes) => scenes.findIndex(({ outlook }) => outlook === LOST);

/** The last scene from which all could still end well, before it was lost; -1: there is none. */
export function lastSavedOf(scenes) {
  const guilty = guiltyOf(scenes);
  if (guilty < 0) return -1;
  for (let i = guilty - 1; i >= 0; i--) if (scenes[i].outlook >= 0) return i;
  return -1;
}

/** A scene in a line: how it stands with a good end. */
export function verdictOf(scenes, at, steps, about) {
  const scene = scenes[at];
  const guilty = guiltyOf(scenes);
  const most = about.whole ? "" : "at most ";
  const away = (count) => (count ? `${most}${count} step${count === 1 ? "" : "s"} away` : "here");
  const before = guilty > 0 && scenes[guilty - 1].outlook >= 0 ? ` Before it, a good end was ${away(scenes[guilty - 1].outlook)}.` : "";
  const because = guilty > 0 ? ` It was lost in step ${guilty}: ${steps[guilty - 1].sentence}.${before}` : "";
  if (scene.broken !== null) return { sort: "broken", word: "Broken", text: `${scene.broken}.${because}` };
  if (scene.outlook === LOST) return { sort: "lost", word: "Lost", text: `whatever happens from here on, it does not end well.${because}` };
  if (scene.outlook === 0) return { sort: "good", word: "A good end", text: "all jobs are done, nothing is lent, nobody waits." };
  if (scene.outlook > 0) return { sort: "open", word: "Can end well", text: `a good end is ${away(scene.outlook)}.` };
  return { sort: "open", word: "Not known", text: "how far a good end is takes more states to tell than were looked at." };
}
