/**
 * Explicit-state search, breadth first: every state that a model can reach, the shortest way to one that breaks a promise, and whether
 * every run comes to an end once no more faults happen.
 *
 * A state is known by a fingerprint of 64 bits of its key (as TLC does): of 10 million states two share one with a probability of 3 in a million.
 */

/** Keys of states are Latin-1 text: one byte a character. */
export interface Model<State> {
  initial: State;
  /** Equal exactly for equal states. */
  key(state: State): string;
  /** Everything that may happen next. */
  steps(state: State): Iterable<Step<State>>;
  /** The promise that this state breaks, as a sentence. */
  broken(state: State): string | undefined;
  /** What is not settled in a state in which nothing more happens, as a sentence. */
  unsettled(state: State): string | undefined;
}

export interface Step<State> {
  name: string;
  next: State;
  /** A fault, which may happen or not. Everything else happens in the end. */
  isFault?: boolean;
}

export interface Explored {
  states: number;
  steps: number;
  /** Length of the longest shortest way. */
  depth: number;
  /** Whether there were no more states, within the bound. */
  isComplete: boolean;
  broken?: { what: string; trace: string[] };
}

/**
 * @param onlySafety leaves out the check that every run without further faults settles: it needs all states.
 * @param onLevel called after each level, with the states found so far.
 */
export function explore<State>(
  model: Model<State>,
  {
    statesMax,
    onlySafety = false,
    onLevel,
  }: { statesMax: number; onlySafety?: boolean; onLevel?: (states: number, depth: number) => void },
): Explored {
  const known = new Fingerprints();
  const ways = new Ways();
  const calm = new Edges();
  known.add(model.key(model.initial));
  let level: { id: number; state: State }[] = [{ id: 0, state: model.initial }];
  let steps = 0;
  let depth = 0;
  const end = (isComplete: boolean, broken?: { what: string; id: number }): Explored => ({
    states: known.size,
    steps,
    depth,
    isComplete,
    ...(broken && { broken: { what: broken.what, trace: ways.to(model, broken.id) } }),
  });
  const first = model.broken(model.initial);
  if (first !== undefined) return end(false, { what: first, id: 0 });

  while (level.length > 0) {
    const next: typeof level = [];
    for (const { id, state } of level) {
      let isEnd = true;
      let index = -1;
      for (const step of model.steps(state)) {
        steps += 1;
        index += 1;
        const { id: to, isNew } = known.add(model.key(step.next));
        if (isNew) {
          ways.add(to, id, index);
          const what = model.broken(step.next);
          if (what !== undefined) return end(false, { what, id: to });
          next.push({ id: to, state: step.next });
        }
        if (step.isFault === true || to === id) continue;
        isEnd = false;
        if (!onlySafety) calm.add(id, to);
      }
      const open = isEnd ? model.unsettled(state) : undefined;
      if (open !== undefined) return end(false, { what: `nothing more happens, and ${open}`, id });
    }
    if (next.length > 0) depth += 1;
    onLevel?.(known.size, depth);
    if (known.size >= statesMax && next.length > 0) return end(false);
    level = next;
  }
  const circle = onlySafety ? undefined : calm.circle(known.size);
  if (circle === undefined) return end(true);
  const ended = end(true, { what: 'the same steps may repeat forever without a fault', id: circle[0] as number });
  ended.broken?.trace.push('and then again and again:', ...ways.along(model, circle, (key) => known.add(key).id));
  return ended;
}

/** For each state the one before it on a shortest way, and which of its steps led here. */
class Ways {
  #parents = new Int32Array(1 << 15);
  #steps = new Uint8Array(1 << 15);

  add(id: number, parent: number, step: number): void {
    if (id >= this.#parents.length) {
      this.#parents = grown(this.#parents);
      const steps = new Uint8Array(this.#parents.length);
      steps.set(this.#steps);
      this.#steps = steps;
    }
    this.#parents[id] = parent;
    this.#steps[id] = step;
  }

  /** Names of the steps to a state. */
  to<State>(model: Model<State>, id: number): string[] {
    return this.#retrace(model, id).names;
  }

  /** Names of the steps from one state to the next of a circle. */
  along<State>(model: Model<State>, circle: readonly number[], idOf: (key: string) => number): string[] {
    let { state } = this.#retrace(model, circle[0] as number);
    return circle.map((_, at) => {
      const to = circle[(at + 1) % circle.length];
      const step = [...model.steps(state)].find(({ next }) => idOf(model.key(next)) === to) as Step<State>;
      state = step.next;
      return step.name;
    });
  }

  /** Takes the steps again: states are not kept. */
  #retrace<State>(model: Model<State>, id: number): { names: string[]; state: State } {
    const indexes: number[] = [];
    for (let at = id; at > 0; at = this.#parents[at] as number) indexes.unshift(this.#steps[at] as number);
    let state = model.initial;
    const names = indexes.map((index) => {
      const step = [...model.steps(state)][index] as Step<State>;
      state = step.next;
      return step.name;
    });
    return { names, state };
  }
}

/** Ids of states by the fingerprint of their keys, in the order in which they were added. */
class Fingerprints {
  #slots = new Int32Array(1 << 16).fill(-1);
  #high = new Int32Array(1 << 15);
  #low = new Int32Array(1 << 15);
  size = 0;

  add(key: string): { id: number; isNew: boolean } {
    let high = 0x9e37_79b9 | 0;
    let low = 0x85eb_ca6b | 0;
    for (let index = 0; index < key.length; index++) {
      const code = key.charCodeAt(index);
      high = Math.imul(high ^ code, 0x0100_0193);
      low = Math.imul(low ^ (code + index), 0x5bd1_e995);
      low ^= low >>> 15;
    }
    high = mixed(high ^ low);
    low = mixed(low + Math.imul(high, 0x27d4_eb2f));
    const mask = this.#slots.length - 1;
    for (let slot = high & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] as number;
      if (id < 0) {
        const added = this.size;
        if (added === this.#high.length) this.#growIds();
        this.#high[added] = high;
        this.#low[added] = low;
        this.#slots[slot] = added;
        this.size += 1;
        if (this.size * 2 > this.#slots.length) this.#growSlots();
        return { id: added, isNew: true };
      }
      if (this.#high[id] === high && this.#low[id] === low) return { id, isNew: false };
    }
  }

  #growIds(): void {
    this.#high = grown(this.#high);
    this.#low = grown(this.#low);
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = (this.#high[id] as number) & mask;
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

/** Steps that are no faults, to find out whether they can go in a circle. */
class Edges {
  #from = new Int32Array(1 << 16);
  #to = new Int32Array(1 << 16);
  #count = 0;

  add(from: number, to: number): void {
    if (this.#count === this.#from.length) {
      this.#from = grown(this.#from);
      this.#to = grown(this.#to);
    }
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#count += 1;
  }

  /** States that follow each other in a circle; undefined: every run ends. Takes away ends until there is none (Kahn 1962). */
  circle(states: number): number[] | undefined {
    const open = new Int32Array(states);
    const first = new Int32Array(states + 1);
    for (let edge = 0; edge < this.#count; edge++) {
      open[this.#from[edge] as number]! += 1;
      first[(this.#to[edge] as number) + 1]! += 1;
    }
    for (let state = 0; state < states; state++) first[state + 1]! += first[state] as number;
    const place = first.slice();
    const into = new Int32Array(this.#count);
    for (let edge = 0; edge < this.#count; edge++)
      into[place[this.#to[edge] as number]!++] = this.#from[edge] as number;
    const ends: number[] = [];
    for (let state = 0; state < states; state++) if (open[state] === 0) ends.push(state);
    let removed = 0;
    for (let state = ends.pop(); state !== undefined; state = ends.pop()) {
      removed += 1;
      for (let at = first[state] as number; at < (first[state + 1] as number); at++) {
        const from = into[at] as number;
        if (--open[from]! === 0) ends.push(from);
      }
    }
    if (removed === states) return undefined;
    const way = [open.findIndex((count) => count > 0)];
    for (;;) {
      const next = this.#next(way.at(-1) as number, open);
      const met = way.indexOf(next);
      if (met >= 0) return way.slice(met);
      way.push(next);
    }
  }

  /** A state behind this one from which a circle is reached. */
  #next(state: number, open: Int32Array): number {
    for (let edge = 0; edge < this.#count; edge++) {
      const to = this.#to[edge] as number;
      if (this.#from[edge] === state && (open[to] as number) > 0) return to;
    }
    throw new Error('a state that is left has no step to another that is left');
  }
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** The last mixing of MurmurHash3, of 32 bits. */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
