/** The gateway over the embedded engine, on real files, in real time: the parts as the product runs them, but with HTTP's part on the same thread. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedLedger, type EmbeddedLedger } from '../../server/app/embedded-ledger.ts';
import { validatorKeyFromSeed } from '../../server/engine/embedded/index.ts';
import type { Logger } from '../../server/engine/ports.ts';
import type { Gateway } from '../../server/gateway/index.ts';
import { createGatewayFront } from '../../server/gateway/index.ts';
import { openChainDatabase, type ChainConnection } from '../../server/store/embedded/connection.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { DEV_BALANCE, devAddress, operatorSeed, signedTransfer, testGenesis, validatorSeed } from '../ledger/support.ts';
import { ALICE, inputOf } from './support/fixture.ts';

const genesis = testGenesis();
const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const WAIT_MS = 20_000;

let folder: string;
let sql: ChainConnection;
let ledger: EmbeddedLedger;
let gateway: Gateway;

async function start(): Promise<void> {
  const file = join(folder, 'chain.db');
  sql = openChainDatabase({ path: file });
  ledger = await openEmbeddedLedger({
    sql,
    file,
    genesis,
    dataDir: folder,
    validatorKey: validatorKeyFromSeed(validatorSeed(0)),
    blockIntervalMs: 20,
    operatorSeed: operatorSeed(0),
    gatewayId: 'alone',
    clock: realClock,
    logger: silent,
    onFatal: (error) => { throw error; },
  });
  gateway = createGatewayFront(ledger.core, { chain: genesis, clock: realClock });
}

async function stop(): Promise<void> {
  await gateway.drain();
  await ledger.close();
  sql.close();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-gateway-embedded-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

test('transfers are committed, a pending one is cancelled, and all of it is there after a restart', async () => {
  const transfers = Array.from({ length: 300 }, (_, i) => signedTransfer({ from: i % 3, to: 3, nonce: Math.floor(i / 3) }));
  const answers = await Promise.all(transfers.map((transfer) => gateway.submit(inputOf(transfer), ALICE)));
  expect(answers.every((answer) => answer.ok)).toBe(true);
  for (const { hash } of transfers) expect(await gateway.waitUntilSettled(hash, WAIT_MS)).toMatchObject({ status: 'committed' });

  const parked = signedTransfer({ from: 0, nonce: 105 });
  expect(await gateway.submit(inputOf(parked), ALICE)).toMatchObject({ ok: true, transaction: { status: 'pending', reason: { code: 'waiting_for_nonce' } } });
  expect(await gateway.cancel(parked.hash, ALICE, WAIT_MS)).toMatchObject({ ok: true, decided: true, transaction: { status: 'cancelled' } });
  expect(await gateway.account(devAddress(3))).toMatchObject({ balance: (DEV_BALANCE + 300n).toString() });
  expect(await gateway.readiness()).toMatchObject({ ready: true });

  await stop();
  await start();
  expect(await gateway.get(parked.hash)).toMatchObject({ status: 'cancelled' });
  expect(await gateway.account(devAddress(0))).toMatchObject({ nonce: 100, nextNonce: 100 });
  const last = signedTransfer({ from: 0, nonce: 100 });
  await gateway.submit(inputOf(last), ALICE);
  expect(await gateway.waitUntilSettled(last.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
});
