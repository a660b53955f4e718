/** The gateway over the embedded engine, both on real files, in real time: the two parts as the product runs them, but on one thread. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedEngine } from '../../server/engine/embedded/index.ts';
import { createEmbeddedEngine, validatorKeyFromSeed } from '../../server/engine/embedded/index.ts';
import type { Logger } from '../../server/engine/ports.ts';
import type { Gateway, GatewayCore } from '../../server/gateway/index.ts';
import { createGatewayCore, createGatewayFront } from '../../server/gateway/index.ts';
import type { Store } from '../../server/store/index.ts';
import { openSqliteStore } from '../../server/store/index.ts';
import { openChainFile, type ChainFile } from '../engine/support/chain-file.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { DEV_BALANCE, devAddress, operatorSeed, signedTransfer, testGenesis, validatorSeed } from '../ledger/support.ts';
import { ALICE, inputOf } from './support/fixture.ts';

const genesis = testGenesis();
const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const WAIT_MS = 20_000;

let folder: string;
let engine: EmbeddedEngine;
let chain: ChainFile;
let store: Store;
let core: GatewayCore;
let gateway: Gateway;

async function start(): Promise<void> {
  chain = openChainFile(folder);
  engine = await createEmbeddedEngine({ genesis, dataDir: folder, database: chain.database, validatorKey: validatorKeyFromSeed(validatorSeed(0)), blockIntervalMs: 20, clock: realClock, logger: silent });
  store = await openSqliteStore({ path: join(folder, 'gateway.db') });
  core = await createGatewayCore({ store, engine, genesis, operatorSeed: operatorSeed(0), clock: realClock, logger: silent, onFatal: (error) => { throw error; } });
  gateway = createGatewayFront(core, { chain: genesis, clock: realClock });
}

async function stop(): Promise<void> {
  await gateway.drain();
  await gateway.close();
  await store.close();
  await engine.close();
  chain.close();
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
