/** Turns of a thread: what comes together shares them, all that waits has its turn, and nothing overtakes. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import {
  MAIN_JOB_PRESENT_MS,
  OTHER_TURN_MS_MAX,
  SHARE_BURST_MS,
  TURN_MS_MAX,
  WORKS_OF_A_TURN_MAX,
} from '../../server/gateway/limits.ts';
import { type Kind, MAIN_JOB, type Turns, turnsOf } from '../../server/gateway/turns.ts';

let nowMs = 0;
let clock: Clock;
let turns: Turns;
/** Milliseconds of work in each round of the event loop. */
let rounds: number[];
let around: NodeJS.Immediate;
/** How often the event loop was asked to call back. */
let asked: number;

beforeEach(() => {
  asked = 0;
  clock = { monotonicMs: () => nowMs, soon: (fn) => void (setImmediate(fn), (asked += 1)) } as Partial<Clock> as Clock;
  turns = turnsOf(clock);
  rounds = [0];
  around = setImmediate(function again() {
    rounds.push(0);
    around = setImmediate(again);
  });
});
afterEach(() => clearImmediate(around));

function work(ms: number): void {
  nowMs += ms;
  rounds.push(rounds.pop()! + ms);
}

/** A request of one piece of work. */
async function short(ms: number): Promise<void> {
  const turn = turns.enter();
  if (turn !== undefined) await turn;
  work(ms);
}

/** Work of many pieces. */
async function long(pieces: number): Promise<void> {
  for (let piece = 0; piece < pieces; piece++) {
    const turn = turns.yield();
    if (turn !== undefined) await turn;
    work(1);
  }
}

test('many short works that come at once are done in turns, in the order in which they came', async () => {
  const done: number[] = [];
  await Promise.all(Array.from({ length: 100 }, (_, at) => short(1).then(() => done.push(at))));
  expect(done).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(Math.max(...rounds)).toBeLessThanOrEqual(TURN_MS_MAX);
  expect(rounds.filter((ms) => ms > 0).length).toBeGreaterThanOrEqual(100 / TURN_MS_MAX);
});

test('long works share the turns, and each goes on', async () => {
  const ends: number[] = [];
  await Promise.all([50, 50, 10].map((pieces, at) => long(pieces).then(() => ends.push(at))));
  expect(ends[0]).toBe(2);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(TURN_MS_MAX);
});

test('what comes while others wait comes after them, and before what goes on after it', async () => {
  const order: string[] = [];
  const first = long(TURN_MS_MAX + 1).then(() => order.push('long'));
  const second = short(1).then(() => order.push('short'));
  await Promise.all([first, second]);
  expect(order).toEqual(['long', 'short']);
});

test('owners take turns, and an owner with a thousand works delays another by one turn', async () => {
  const done: string[] = [];
  const of = async (owner: string): Promise<void> => {
    const turn = turns.enter(MAIN_JOB, owner);
    if (turn !== undefined) await turn;
    work(1);
    done.push(owner);
  };
  const many = Array.from({ length: 1_000 }, () => of('many'));
  const others = ['one', 'two', 'one'].map((owner) => of(owner));
  await Promise.all(others);
  // What ran before anyone had to wait, and then one of each.
  expect(done).toEqual([
    ...Array.from({ length: TURN_MS_MAX }, () => 'many'),
    ...['many', 'one', 'two', 'many', 'one'],
  ]);
  await Promise.all(many);
});

test('work in a round of its own never waits', async () => {
  for (let round = 0; round < 5; round++) {
    expect(turns.enter()).toBeUndefined();
    work(3);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test('what a work begins when it is done comes after those that waited before', async () => {
  const order: string[] = [];
  expect(turns.enter()).toBeUndefined();
  work(TURN_MS_MAX);
  const first = short(1).then(() => {
    order.push('first');
    return short(1).then(() => order.push('begun by the first'));
  });
  const second = short(1).then(() => order.push('second'));
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second', 'begun by the first']);
});

test('all that asks with the clock of one thread shares its turns', () => {
  expect(turnsOf(clock)).toBe(turns);
  expect(turnsOf({ ...clock })).not.toBe(turns);
});

test('a thread that has nothing to do is left alone', async () => {
  await Promise.all([short(TURN_MS_MAX), short(1)]);
  const idleRound = async (): Promise<number> => {
    const before = asked;
    await new Promise((resolve) => setImmediate(resolve));
    return asked - before;
  };
  await idleRound();
  await idleRound();
  expect(await idleRound()).toBe(0);
});

describe('beside the main job', () => {
  const PAGES: Kind = { weight: 4, share: 1 };
  const SCANS: Kind = { weight: 1, share: 0.1 };
  const timers = new Set<() => void>();

  beforeEach(() => {
    timers.clear();
    clock = {
      ...clock,
      setTimer: (fn: () => void) => {
        timers.add(fn);
        return { cancel: () => void timers.delete(fn) };
      },
    };
    turns = turnsOf(clock);
  });

  const payment = (): Promise<void> | undefined => {
    turns.mainJobCame();
    return turns.enter();
  };

  /** Work of many pieces of a kind, until it is stopped. */
  function endless(kind: Kind, owner = ''): { ms: number; stop: () => void } {
    const state = { ms: 0, isStopped: false, stop: () => void (state.isStopped = true) };
    void (async () => {
      while (!state.isStopped) {
        await turns.enter(kind, owner);
        if (state.isStopped) return;
        work(1);
        state.ms += 1;
      }
    })();
    return state;
  }

  const goAround = async (rounds_: number): Promise<void> => {
    for (let round = 0; round < rounds_; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      // Timers come as time goes on.
      for (const fire of [...timers]) {
        timers.delete(fire);
        fire();
      }
    }
  };

  test('a payment comes before all that waits of other kinds', async () => {
    const [pages, scans] = [endless(PAGES), endless(SCANS)];
    await goAround(20);
    for (let count = 0; count < 50; count += 1) {
      const before = pages.ms + scans.ms;
      await payment();
      // What runs is not interrupted: one turn at most.
      expect(pages.ms + scans.ms - before).toBeLessThanOrEqual(1);
      work(1);
      await goAround(3);
    }
    pages.stop();
    scans.stop();
    await goAround(5);
  });

  test('a kind with a share has that share of the time while payments come, and all that is left when they do not', async () => {
    const scans = endless(SCANS);
    const beganMs = nowMs;
    for (let count = 0; count < 2_000; count += 1) {
      await payment();
      work(1);
      await goAround(1);
    }
    expect(scans.ms).toBeLessThanOrEqual(0.1 * (nowMs - beganMs) + SHARE_BURST_MS + 2);
    expect(scans.ms).toBeGreaterThan(0.05 * (nowMs - beganMs));
    // Payments stop.
    nowMs += MAIN_JOB_PRESENT_MS;
    const [before, alone] = [scans.ms, nowMs];
    await goAround(500);
    expect(scans.ms - before).toBeGreaterThan(0.9 * (nowMs - alone));
    expect(scans.ms - before).toBeGreaterThan(200);
    scans.stop();
    await goAround(5);
  });

  test('short works that wait share a turn, up to its time', async () => {
    let done = 0;
    const some = (count: number, ms: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: count }, async (_, at) => {
          await turns.enter(PAGES, String(at));
          work(ms);
          done += 1;
        }),
      );
    turns.enter(PAGES);
    work(TURN_MS_MAX);
    const tiny = some(WORKS_OF_A_TURN_MAX, OTHER_TURN_MS_MAX / WORKS_OF_A_TURN_MAX);
    await goAround(2);
    expect(done).toBe(WORKS_OF_A_TURN_MAX);
    await tiny;
    done = 0;
    turns.enter(PAGES);
    work(TURN_MS_MAX);
    const longer = some(4, OTHER_TURN_MS_MAX);
    await goAround(2);
    expect(done).toBeLessThanOrEqual(2);
    await longer;
  });

  test('the main job waits no round longer for work that goes on alone', async () => {
    const pages = endless(PAGES);
    await goAround(5);
    for (let count = 0; count < 20; count += 1) {
      const beganMs = nowMs;
      await Promise.all([payment(), payment()]);
      expect(nowMs - beganMs).toBeLessThanOrEqual(TURN_MS_MAX + OTHER_TURN_MS_MAX);
      work(1);
      await goAround(1);
    }
    pages.stop();
    await goAround(5);
  });

  test('kinds that wait have time in proportion to their weights', async () => {
    const [pages, others] = [endless(PAGES), endless({ weight: 1, share: 1 })];
    await goAround(1_000);
    expect(pages.ms / others.ms).toBeGreaterThan(3.5);
    expect(pages.ms / others.ms).toBeLessThan(4.5);
    pages.stop();
    others.stop();
    await goAround(5);
  });

  test('a kind that worked alone for long has its turns as soon as others come', async () => {
    for (let count = 0; count < 1_000; count += 1) {
      expect(turns.enter(SCANS)).toBeUndefined();
      work(1);
      await goAround(2);
    }
    const alone = endless(SCANS);
    const others = Array.from({ length: 20 }, () => endless(PAGES));
    const before = alone.ms;
    await goAround(500);
    // One part in five.
    expect(alone.ms - before).toBeGreaterThan(60);
    for (const one of [alone, ...others]) one.stop();
    await goAround(40);
  });

  test('owners of a kind take turns, however much one of them asks for', async () => {
    const greedy = Array.from({ length: 30 }, () => endless(PAGES, 'greedy'));
    const other = endless(PAGES, 'other');
    const ofGreedy = (): number => greedy.reduce((sum, { ms }) => sum + ms, 0);
    await goAround(20);
    const before = { greedy: ofGreedy(), other: other.ms };
    await goAround(400);
    expect((other.ms - before.other) / (ofGreedy() - before.greedy)).toBeGreaterThan(0.9);
    for (const one of [...greedy, other]) one.stop();
    await goAround(40);
  });

  test('work elsewhere counts against the share', async () => {
    await payment();
    expect(turns.restMs(SCANS)).toBe(0);
    turns.charge(SCANS, 50);
    // 50 ms are paid off in 500.
    expect(turns.restMs(SCANS)).toBe(500 - SHARE_BURST_MS);
    nowMs += 500 - SHARE_BURST_MS;
    expect(turns.restMs(SCANS)).toBe(0);
  });

  test('time that nobody else wanted is not held against a kind', async () => {
    nowMs += MAIN_JOB_PRESENT_MS;
    turns.charge(SCANS, 1_000);
    await payment();
    expect(turns.restMs(SCANS)).toBe(0);
  });
});
