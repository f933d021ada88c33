// Scenes by number, from the tables of the page or from its server.

export const LOST = -1;
const OUTSIDE = -1; // where a step leads that the tables do not have

export class Source {
  constructor(content) {
    this.about = content.about;
    this.ways = content.ways;
    this.isLive = Boolean(content.live);
    this.take(content);
  }

  take(tables) {
    Object.assign(this, { tables, scenes: new Map() });
    this.kinds = { ...this.kinds, ...tables.kinds };
  }

  /** A scene, with all that its row refers to. */
  scene(number) {
    if (!this.scenes.has(number)) this.scenes.set(number, this.read(number));
    return this.scenes.get(number);
  }

  read(number) {
    const { tables } = this;
    const [nodes, messages, timers, rest, outlook, edges, broken = null] = tables.states[number];
    const steps = [];
    for (let i = 0; i < edges.length; i += 2) {
      const [token, kind, node, about, sentence, place = 0] = tables.steps[edges[i]];
      steps.push({ token, kind, node, place, sentence, message: about === null ? null : this.message(about), target: edges[i + 1] });
    }
    return {
      number, outlook, broken, steps, ...tables.rests[rest],
      nodes: nodes.map((one) => this.node(one)),
      messages: messages.map((one) => this.message(one)),
      timers: timers.map((one) => named(["node", "role", "name", "left", "seconds"], tables.timers[one])),
    };
  }

  node(number) {
    const node = this.tables.nodes[number];
    return { ...node, roles: node.roles.map((role) => this.tables.roles[role]) };
  }

  message(number) {
    return named(["source", "target", "kind", "says"], this.tables.messages[number]);
  }

  /** The numbers of the scenes along a way from the beginning, as far as the tables have them. */
  along(tokens) {
    const numbers = [0];
    for (const token of tokens) {
      const step = this.scene(numbers.at(-1)).steps.find((one) => one.token === token);
      if (!step || step.target === OUTSIDE) break;
      numbers.push(step.target);
    }
    return numbers;
  }

  /** The scenes along a way, with those that only the server has; shorter if it is no way. */
  async follow(tokens) {
    let numbers = this.along(tokens);
    const isAtBorder = numbers.length <= tokens.length || this.scene(numbers.at(-1)).steps.some(({ target }) => target === OUTSIDE);
    if (this.isLive && isAtBorder) {
      const answer = await fetch(`scenes?way=${encodeURIComponent(tokens.join(","))}`);
      if (!answer.ok) throw new Error((await answer.text()).trim());
      this.take(await answer.json());
      numbers = this.along(tokens);
    }
    return numbers.map((number) => this.scene(number));
  }

  /** Whether a step can be taken here. */
  leadsOn(step) {
    return this.isLive || step.target !== OUTSIDE;
  }
}

const named = (names, row) => Object.fromEntries(names.map((name, place) => [name, row[place]]));
