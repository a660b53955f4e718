/** The lease: held only while it cannot be anybody else's, as far as one's own clock can tell. */
import { beforeEach, expect, test } from '@jest/globals';
import { LEASE_MARGIN_MS, LEASE_RENEW_MS, LEASE_TTL_MS, SHARING_RETRY_MS } from '../../server/gateway/index.ts';
import { Lease } from '../../server/gateway/sharing/lease.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { START_MS } from './support/fixture.ts';
import { ManualClock, settled } from './support/manual-clock.ts';

let clock: ManualClock;
let told: string[];
let calls: string[];
let answer: () => Promise<boolean>;
let lease: Lease;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

beforeEach(() => {
  clock = new ManualClock(START_MS);
  told = [];
  calls = [];
  answer = async () => true;
  lease = new Lease({
    sharing: {
      holdLease: (name, holder, ttlMs) => {
        calls.push(`hold ${name} ${holder} ${ttlMs} at ${clock.monotonicMs()}`);
        return answer();
      },
      dropLease: async (name, holder) => void calls.push(`drop ${name} ${holder}`),
    },
    holder: 'me',
    clock,
    logger: silent,
    onTaken: () => told.push(`taken at ${clock.monotonicMs()}`),
    onLost: () => told.push(`lost at ${clock.monotonicMs()}`),
  });
});

test('it is renewed every second and told once', async () => {
  await lease.start();
  await clock.advance(3 * LEASE_RENEW_MS);
  expect(calls).toEqual([0, 1, 2, 3].map((i) => `hold dispatch me ${LEASE_TTL_MS} at ${i * LEASE_RENEW_MS}`));
  expect(told).toEqual(['taken at 0']);
});

test('it is lost a margin before another could have it when the database does not answer', async () => {
  await lease.start();
  answer = () => Promise.reject(new StoreUnavailableError('away'));
  await clock.advance(LEASE_TTL_MS);
  expect(told).toEqual(['taken at 0', `lost at ${LEASE_TTL_MS - LEASE_MARGIN_MS}`]);
  answer = async () => true;
  await clock.advance(SHARING_RETRY_MS);
  expect(told).toHaveLength(3);
});

test('it is taken from another only when the database said that another has it, not when nothing was settled because the database was away', async () => {
  const neglected: string[] = [];
  const asked: string[] = [];
  const mine = new Lease({
    sharing: {
      holdLease: (_name, _holder, _ttlMs, takes) => {
        asked.push(`${takes}`);
        return answer();
      },
      dropLease: async () => undefined,
    },
    holder: 'me',
    clock,
    logger: silent,
    isNeglected: () => neglected.push('yes') > 0,
    onTaken: () => told.push('taken'),
    onLost: () => told.push('lost'),
  });
  answer = () => Promise.reject(new StoreUnavailableError('away'));
  await mine.start();
  await clock.advance(3 * SHARING_RETRY_MS);
  expect([asked, neglected]).toEqual([['false', 'false', 'false', 'false'], []]);
  answer = async () => false;
  await clock.advance(SHARING_RETRY_MS);
  answer = async () => true;
  await clock.advance(LEASE_RENEW_MS);
  expect([asked.slice(4), neglected, told]).toEqual([['false', 'true'], ['yes'], ['taken']]);
  await mine.stop();
});

test('it counts from before the renewal was asked for, so a slow answer holds no longer', async () => {
  await lease.start();
  let release: (held: boolean) => void = () => {};
  answer = () => new Promise((resolve) => (release = resolve));
  await clock.advance(LEASE_RENEW_MS);
  await clock.advance(1000);
  answer = () => new Promise(() => {});
  release(true);
  await settled();
  await clock.advance(LEASE_TTL_MS);
  expect(told).toEqual(['taken at 0', `lost at ${LEASE_RENEW_MS + LEASE_TTL_MS - LEASE_MARGIN_MS}`]);
});

test('an answer that took longer than the lease does not give it back', async () => {
  await lease.start();
  let release: (held: boolean) => void = () => {};
  answer = () => new Promise((resolve) => (release = resolve));
  await clock.advance(2 * LEASE_TTL_MS);
  release(true);
  await settled();
  expect(told).toEqual(['taken at 0', `lost at ${LEASE_TTL_MS - LEASE_MARGIN_MS}`]);
});

test('it is lost at once when another has it, and asked for again', async () => {
  await lease.start();
  answer = async () => false;
  await clock.advance(LEASE_RENEW_MS);
  answer = async () => true;
  await clock.advance(LEASE_RENEW_MS);
  expect(told).toEqual(['taken at 0', `lost at ${LEASE_RENEW_MS}`, `taken at ${2 * LEASE_RENEW_MS}`]);
});

test('stopped, it is dropped after a renewal under way and never asked for again', async () => {
  await lease.start();
  let release: (held: boolean) => void = () => {};
  answer = () => new Promise((resolve) => (release = resolve));
  await clock.advance(LEASE_RENEW_MS);
  const stopped = lease.stop();
  await settled();
  expect(told).toEqual(['taken at 0', `lost at ${LEASE_RENEW_MS}`]);
  expect(calls.at(-1)).toMatch(/^hold/);
  release(true);
  await stopped;
  await clock.advance(10 * LEASE_TTL_MS);
  expect(calls.at(-1)).toBe('drop dispatch me');
  expect(told).toHaveLength(2);
});
