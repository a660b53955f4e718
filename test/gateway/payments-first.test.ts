/** The thread that accepts payments: what other threads read there, and batches, do not hold up a payment. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import type { GatewayCoreApi, Submission } from '../../server/gateway/core-api.ts';
import { paymentsFirst } from '../../server/gateway/payments-first.ts';

const READ_MS = 10;
const BATCH_MS = 15;
const PAYMENT_MS = 1;
const CALLER = { owner: 'reader', tokenId: 't', limits: undefined };

let nowMs: number;
let done: string[];
let core: GatewayCoreApi;

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
    rpc: async (method) => (work(method, READ_MS), { ok: true, json: '{}' }),
    receipt: async () => (work('receipt', READ_MS), { ok: false, code: 'not_found' }) as never,
  };
  core = paymentsFirst(inner as GatewayCoreApi, clock as Clock);
});

test('a payment waits for one read at most, however many came before it', async () => {
  await core.submitGroup([payment]);
  const reads = Promise.all([
    ...Array.from({ length: 20 }, () => core.rpc('block', {}, CALLER)),
    ...Array.from({ length: 20 }, () => core.receipt(1, 'A', 0)),
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

test('a payment waits for one batch at most, and a broadcast for none', async () => {
  const batches = Array.from({ length: 10 }, () => core.submitGroup(batch, true));
  await around();
  const before = done.length;
  expect(before).toBeLessThan(4);
  await Promise.all([core.submitGroup([payment]), core.rpc('broadcast_tx_sync', {}, CALLER)]);
  expect(done.slice(before)).toEqual(['payment', 'broadcast_tx_sync']);
  await Promise.all(batches);
});

test('of readers that wait, each owner has its turn', async () => {
  await core.submitGroup([payment]);
  const many = Array.from({ length: 20 }, () => core.rpc('block', {}, CALLER));
  const other = core.rpc('header', {}, { ...CALLER, owner: 'other' });
  await Promise.all([...many, other]);
  expect(done.indexOf('header')).toBeLessThan(6);
});
