/**
 * What no block can hold any more ends also on a chain that has nothing else to do, long before its next idle block: the core tells the
 * engine when, and the engine makes the blocks. Both are the real ones, on a real folder; only the clock is a test's.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../server/gateway/index.ts';
import { signedTransfer } from '../ledger/support.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from './support/embedded-gateway.ts';
import { ALICE, inputOf, START_MS } from './support/fixture.ts';
import { ManualClock } from './support/manual-clock.ts';

const BLOCK_INTERVAL_MS = 1000;
const IDLE_BLOCK_MS = 60_000;
const END_MS = 10_000;
/** A block whose header is late enough, one that holds the void, and the pauses before them; far less than an idle block is away. */
const BLOCKS_MS = 5 * BLOCK_INTERVAL_MS;

let folder: string;
let clock: ManualClock;
let opened: EmbeddedGateway;
let gateway: Gateway;

async function start(): Promise<void> {
  opened = await openEmbeddedGateway(folder, {
    clock,
    blockIntervalMs: BLOCK_INTERVAL_MS,
    idleBlockMs: IDLE_BLOCK_MS,
    limits: { pendingTtlMs: END_MS },
  });
  ({ gateway } = opened);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-idle-expiry-'));
  clock = new ManualClock(START_MS);
  await start();
  // Past the first blocks, into the silence between two idle ones.
  await clock.advance(BLOCKS_MS);
});
afterEach(async () => {
  await opened.stop();
  rmSync(folder, { recursive: true, force: true });
});

const statusOf = async (txHash: string): Promise<string> => {
  const found = await gateway.get(txHash);
  return found !== undefined && 'status' in found ? found.status : 'none';
};
const nowS = (): number => Math.floor(clock.nowMs() / 1000);

test.each([
  ['the time to live is over', () => ({})],
  ['its validity has passed', () => ({ validUntil: nowS() + END_MS / 2000 })],
])('a transfer behind a gap expires once %s, while the next idle block is far', async (_, members) => {
  const signed = signedTransfer({ nonce: 1, ...members() });
  const endMs = signed.tx.validUntil === undefined ? END_MS : END_MS / 2;
  expect(await gateway.submit(inputOf(signed), ALICE)).toMatchObject({
    ok: true,
    transaction: { status: 'pending', reason: { code: 'waiting_for_nonce' } },
  });
  const { height } = opened.ledger.engine.tip;

  await clock.advance(endMs - BLOCK_INTERVAL_MS);
  expect({ status: await statusOf(signed.hash), height: opened.ledger.engine.tip.height }).toEqual({
    status: 'pending',
    height,
  });
  await clock.advance(BLOCK_INTERVAL_MS + BLOCKS_MS);
  expect(await gateway.get(signed.hash)).toMatchObject({
    status: 'expired',
    history: [{ event: 'accepted' }, { event: 'expiry_requested' }, { event: 'expired' }],
  });

  const settledAt = opened.ledger.engine.tip.height;
  await clock.advance(IDLE_BLOCK_MS / 2);
  expect(opened.ledger.engine.tip.height).toBe(settledAt);
});

test('a transfer that was pending before a restart expires in the same way after it', async () => {
  const signed = signedTransfer({ nonce: 1, validUntil: nowS() + END_MS / 2000 });
  await gateway.submit(inputOf(signed), ALICE);
  await opened.stop();
  await start();
  await clock.advance(END_MS / 2 + BLOCKS_MS);
  expect(await statusOf(signed.hash)).toBe('expired');
});
