/** The gateway over the embedded engine, on real files, in real time: the parts as the product runs them, but with HTTP's part on the same thread. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../server/gateway/index.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { DEV_BALANCE, devAddress, signedTransfer } from '../ledger/support.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from './support/embedded-gateway.ts';
import { ALICE, inputOf } from './support/fixture.ts';

const WAIT_MS = 20_000;

let folder: string;
let opened: EmbeddedGateway;
let gateway: Gateway;

async function start(): Promise<void> {
  opened = await openEmbeddedGateway(folder, { clock: realClock, blockIntervalMs: 20 });
  ({ gateway } = opened);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-gateway-embedded-'));
  await start();
});
afterEach(async () => {
  await opened.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('transfers are committed, a pending one is cancelled, and all of it is there after a restart', async () => {
  const transfers = Array.from({ length: 300 }, (_, i) =>
    signedTransfer({ from: i % 3, to: 3, nonce: Math.floor(i / 3) }),
  );
  const answers = await Promise.all(transfers.map((transfer) => gateway.submit(inputOf(transfer), ALICE)));
  expect(answers.every((answer) => answer.ok)).toBe(true);
  for (const { hash } of transfers)
    expect(await gateway.waitUntilSettled(hash, WAIT_MS)).toMatchObject({ status: 'committed' });

  const parked = signedTransfer({ from: 0, nonce: 105 });
  expect(await gateway.submit(inputOf(parked), ALICE)).toMatchObject({
    ok: true,
    transaction: { status: 'pending', reason: { code: 'waiting_for_nonce' } },
  });
  expect(await gateway.cancel(parked.hash, ALICE, WAIT_MS)).toMatchObject({
    ok: true,
    decided: true,
    transaction: { status: 'cancelled' },
  });
  expect(await gateway.account(devAddress(3))).toMatchObject({ balance: (DEV_BALANCE + 300n).toString() });
  expect(await gateway.readiness()).toMatchObject({ ready: true });

  await opened.stop();
  await start();
  expect(await gateway.get(parked.hash)).toMatchObject({ status: 'cancelled' });
  expect(await gateway.account(devAddress(0))).toMatchObject({ nonce: 100, nextNonce: 100 });
  const last = signedTransfer({ from: 0, nonce: 100 });
  await gateway.submit(inputOf(last), ALICE);
  expect(await gateway.waitUntilSettled(last.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
});
