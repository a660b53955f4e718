/** The thread that accepts payments: what other threads read there, and batches, do not hold up a payment. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import type { GatewayCoreApi, Submission } from '../../server/gateway/core-api.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import { paymentsFirst } from '../../server/gateway/payments-first.ts';

const READ_MS = 10;
const BATCH_MS = 15;
const PAYMENT_MS = 1;
const CALLER = { owner: 'reader', tokenId: 't', limits: undefined };

let nowMs: number;
let done: string[];
let core: GatewayCoreApi;
/** What a broadcast is answered; undefined when it cannot be answered. */
let code: number | undefined;
let readMs: number;

const work = (name: string, ms: number): void => {
  nowMs += ms;
  done.push(name);
};
const payment = { owner: 'payer' } as Submission;
const batch = [{ owner: 'many' }, { owner: 'many' }] as Submission[];
/** Messages of other threads come as the event loop goes around. */
const around = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  nowMs = 1_000_000;
  done = [];
  code = 0;
  readMs = READ_MS;
  const clock: Partial<Clock> = {
    monotonicMs: () => nowMs,
    soon: (fn) => void setImmediate(fn),
    // Time passes only where somebody waits for it.
    setTimer: (fn, ms) => {
      const timer = setImmediate(() => {
        nowMs += ms;
        fn();
      });
      return { cancel: () => clearImmediate(timer) };
    },
  };
  const inner: Partial<GatewayCoreApi> = {
    submitGroup: async ({ length }) => (work(length > 1 ? 'batch' : 'payment', length > 1 ? BATCH_MS : PAYMENT_MS), []),
    rpc: async (method) => {
      work(method, readMs);
      return code === undefined
        ? ({ ok: false, code: 'store_unavailable' } as never)
        : { ok: true, json: `{"code":${code},"data":""}` };
    },
    check: async () => (work('check', readMs), { ok: false, code: 'not_found' }) as never,
    receipt: async () => (work('receipt', READ_MS), { ok: false, code: 'not_found' }) as never,
  };
  core = paymentsFirst(inner as GatewayCoreApi, clock as Clock);
});

test('a payment waits for one read at most, however many came before it', async () => {
  await core.submitGroup([payment]);
  const reads = Promise.all([
    ...Array.from({ length: 20 }, () => core.rpc('block', {}, CALLER)),
    ...Array.from({ length: 20 }, () => core.receipt(1, 'A', 0, 'reader')),
  ]);
  await around();
  const before = done.length;
  expect(before).toBeLessThan(5);
  await core.submitGroup([payment]);
  expect(done.slice(before)).toEqual(['payment']);
  await reads;
  expect(done).toHaveLength(42);
});

test('while payments come, reads have a tenth of the time', async () => {
  const beganMs = nowMs;
  const reads = Array.from({ length: 40 }, () => core.rpc('block', {}, CALLER));
  while (done.filter((name) => name === 'block').length < reads.length) {
    await core.submitGroup([payment]);
    await around();
  }
  expect(nowMs - beganMs).toBeGreaterThan((40 * READ_MS) / 0.12);
});

test('when there are none, reads have all of it', async () => {
  const beganMs = nowMs;
  await Promise.all(Array.from({ length: 40 }, () => core.rpc('block', {}, CALLER)));
  expect(nowMs - beganMs).toBe(40 * READ_MS);
});

test('a payment waits for one batch at most, and so does a broadcast', async () => {
  const batches = Array.from({ length: 10 }, () => core.submitGroup(batch, true));
  await around();
  const before = done.length;
  expect(before).toBeLessThan(4);
  await Promise.all([core.submitGroup([payment]), core.rpc('broadcast_tx_sync', {}, CALLER)]);
  expect(done[before]).toBe('payment');
  expect(done.slice(before + 1, before + 3)).toContain('broadcast_tx_sync');
  await Promise.all(batches);
});

type Ask = (owner: string) => Promise<unknown>;

test.each<[string, Ask]>([
  ['blocks', (owner) => core.rpc('block', {}, { ...CALLER, owner })],
  ['receipts', (owner) => core.receipt(1, owner, 0, owner)],
  ['dry runs', (owner) => core.check({ owner } as Submission)],
  ['broadcasts', (owner) => core.rpc('broadcast_tx_commit', {}, { ...CALLER, owner })],
  ['batches', (owner) => core.submitGroup([{ owner }, { owner }] as Submission[], true)],
])('of those that wait with %s, each owner has its turn', async (_, ask) => {
  await core.submitGroup([payment]);
  const many = Promise.all(Array.from({ length: 20 }, () => ask('many')));
  await ask('other');
  expect(done.length).toBeLessThan(6);
  await many;
});

test.each<[string, Ask]>([
  ['a dry run', (owner) => core.check({ owner } as Submission)],
  [
    'a broadcast of someone whose last one was refused',
    (owner) => core.rpc('broadcast_tx_sync', {}, { ...CALLER, owner }),
  ],
  ['one whose answer does not say so', (owner) => core.rpc('broadcast_tx_async', {}, { ...CALLER, owner })],
])('a payment waits for no more than %s', async (_, ask) => {
  code = 16;
  await ask('many');
  readMs = 1;
  const first = done.length;
  const many = Promise.all(Array.from({ length: 20 }, () => ask('many')));
  await around();
  const before = done.length;
  // One each time the event loop goes around, where the main job has turns of five.
  expect(before - first).toBeLessThan(TURN_MS_MAX - 1);
  await core.submitGroup([payment]);
  expect(done.slice(before)).toEqual(['payment']);
  await many;
});

test('broadcasts that are taken share the turns of the main job, also after some that were refused', async () => {
  const broadcast = (): Promise<unknown> => core.rpc('broadcast_tx_sync', {}, CALLER);
  code = 16;
  await broadcast();
  code = 0;
  await broadcast();
  await around();
  readMs = 1;
  const before = done.length;
  const many = Promise.all(Array.from({ length: 20 }, broadcast));
  await around();
  expect(done.length - before).toBe(2 * TURN_MS_MAX);
  await many;
});

test('a broadcast that could not be answered says nothing of its owner', async () => {
  const broadcast = (): Promise<unknown> => core.rpc('broadcast_tx_sync', {}, CALLER);
  code = undefined;
  await broadcast();
  code = 0;
  await around();
  readMs = 1;
  const before = done.length;
  const many = Promise.all(Array.from({ length: 20 }, broadcast));
  await around();
  expect(done.length - before).toBe(2 * TURN_MS_MAX);
  await many;
});
