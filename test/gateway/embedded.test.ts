/** The gateway over the embedded engine, on real files, in real time: the parts as the product runs them, but with HTTP's part on the same thread. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logBeside } from '../../server/store/embedded/chain-log.ts';
import type { Gateway } from '../../server/gateway/index.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { DEV_BALANCE, devAddress, devSeed, signedCancel, signedTransfer } from '../ledger/support.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from './support/embedded-gateway.ts';
import { ALICE, inputOf } from './support/fixture.ts';

const WAIT_MS = 20_000;
/** The number of a chain.db before the step that made the event log. */
const EVENT_LOG_STEP = 4;

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

test('the event log of blocks that a version without one settled is made as it would have been', async () => {
  const broadcast = async (raw: Uint8Array): Promise<void> => {
    expect(await opened.ledger.engine.broadcast([{ raw }])).toMatchObject([{ code: 0 }]);
  };
  const settled = async (hash: string, status: string): Promise<void> =>
    expect(await gateway.waitUntilSettled(hash, WAIT_MS)).toMatchObject({ status });
  const first = signedTransfer({ from: 0, nonce: 0 });
  await gateway.submit(inputOf(first), ALICE);
  await settled(first.hash, 'committed');
  // A nonce that is made void while nothing here is pending at it, and a payment that loses its nonce to another one.
  const from = devAddress(1);
  await broadcast(signedCancel({ from, nonce: 3, signer: devSeed(1), txHash: 'E'.repeat(64) }).raw);
  const loser = signedTransfer({ from: 2, nonce: 1, amount: 1n });
  await gateway.submit(inputOf(loser), ALICE);
  await broadcast(signedTransfer({ from: 2, nonce: 0, amount: 3n }).raw);
  await broadcast(signedTransfer({ from: 2, nonce: 1, amount: 2n }).raw);
  await settled(loser.hash, 'failed');
  const cancelled = signedTransfer({ from: 0, nonce: 5 });
  await gateway.submit(inputOf(cancelled), ALICE);
  await gateway.cancel(cancelled.hash, ALICE, WAIT_MS);

  const rows = (): unknown[] =>
    ['events', 'unknown_voids'].map((table) =>
      opened.sql.prepare(`SELECT * FROM ${table} ORDER BY height, idx`).raw().all(),
    );
  const [events, voids] = rows() as [unknown[], unknown[]];
  expect([events.length, voids.length]).toEqual([6, 1]);
  // As the version that kept none left it, which had its tail in a table.
  opened.sql.exec(`
    DELETE FROM events; DELETE FROM unknown_voids;
    DROP TABLE webhooks; DROP TABLE webhook_deliveries; DROP TABLE webhook_work;
    ALTER TABLE chain DROP COLUMN entry_seq; ALTER TABLE chain DROP COLUMN entry_hash; ALTER TABLE chain DROP COLUMN access_seq;
    ALTER TABLE chain ADD COLUMN next_journal_id INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE journal (id INTEGER PRIMARY KEY, entries TEXT NOT NULL) STRICT;
    PRAGMA user_version = ${EVENT_LOG_STEP};
  `);
  await opened.stop();
  for (const end of ['', '-wal', '-shm']) rmSync(logBeside(join(folder, 'chain.db')) + end, { force: true });
  await start();
  expect(rows()).toEqual([events, voids]);
});
