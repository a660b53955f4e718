/** Turns of a thread: what comes together shares them, all that waits has its turn, and nothing overtakes. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { type Turns, turnsOf } from '../../server/gateway/turns.ts';

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
