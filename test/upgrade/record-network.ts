/** The databases of a network: that of a gateway before nodes, with settled and pending transfers, and those of an application. */
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import {
  accessIn,
  createAdministration,
  createGatewayCore,
  createGatewayFront,
  type Principal,
} from '../../server/gateway/index.ts';
import { LedgerState } from '../../server/ledger/index.ts';
import { openSqliteStore, type Store } from '../../server/store/index.ts';
import { pendingCount } from '../store/support/accepted-rows.ts';
import { signedAgain } from '../gateway/support/second-signature.ts';
import { TestEngine } from '../gateway/support/test-engine.ts';
import { devAddress, devSeed, operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';

export const NETWORK_FILES = ['gateway.db', 'app.db', 'snapshots.db'];
export const SNAPSHOT = { height: 5, format: 1, chunks: 1, hash: Buffer.alloc(32, 6), metadata: Buffer.from('meta') };
export const CHUNK = Buffer.from('chunk');
const WAIT_MS = 10_000;
const ALICE: Principal = {
  tokenId: 'token-of-alice',
  owner: 'alice',
  scopes: ['transactions:read', 'transactions:write'],
};
const KEY = 'order-1';
const ROWS_MAX = 1000;

/** All that the questions of a store tell, as JSON has it. */
export async function contentsOf(store: Store): Promise<any> {
  const found = await store.read(async (tx) => {
    const { transfers } = await tx.listTransfers({ limit: ROWS_MAX });
    return {
      follower: await tx.follower(),
      governance: await tx.governance(),
      validatorSets: await tx.validatorSets(),
      pendingCount: await pendingCount(tx),
      accounts: await tx.accountsByAddress(Array.from({ length: 10 }, (_, index) => devAddress(index))),
      transfers,
      pending: await tx.pendingTransfers(),
      cancelsRequested: await tx.cancelsRequested(),
      keyed: (await tx.transfersByKey([{ owner: ALICE.owner, key: KEY }])).map(({ transfer, ...key }) => ({
        ...key,
        seq: transfer.seq,
      })),
      tokens: await tx.tokens(),
      bindings: await tx.allBindings(),
      audit: await tx.auditEntries({ limit: ROWS_MAX }),
    };
  });
  const submissions = await Promise.all(found.transfers.map(({ hash }) => store.now.submission(hash)));
  const text = (_key: string, value: unknown): unknown =>
    typeof value === 'bigint'
      ? String(value)
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('hex')
        : value;
  return JSON.parse(JSON.stringify({ ...found, submissions }, text));
}

/** @returns what the gateway's store told before it was closed. */
export async function recordNetwork(folder: string): Promise<object> {
  const clock = createClock();
  const engine = new TestEngine(testGenesis(), clock);
  const { genesis } = engine;
  const store = await openSqliteStore({ path: path.join(folder, 'gateway.db') });
  const core = await createGatewayCore({
    store,
    engine,
    genesis,
    clock,
    operatorSeed: operatorSeed(0),
    gatewayId: 'gateway-1',
    limits: {},
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    onFatal: (error) => {
      throw error;
    },
  });
  const gateway = createGatewayFront(core, { chain: genesis, clock });
  const broadcast = async (count: number): Promise<void> => {
    while (engine.heard.length < count) await turn();
  };
  const block = async (height: number, outsiders: readonly Uint8Array[] = []): Promise<void> => {
    engine.block({ outsiders });
    while ((await store.read((tx) => tx.follower()))?.height !== height) await turn();
  };
  const submit = async (from: number, nonce: number, key?: string, reference?: string): Promise<string> => {
    const { tx } = signedTransfer({ from, nonce, ...(reference !== undefined && { reference }) });
    const answer = await gateway.submit(
      {
        from: tx.from,
        to: tx.to,
        amount: tx.amount.toString(),
        nonce,
        signature: tx.signature,
        ...(reference !== undefined && { reference }),
      },
      ALICE,
      key,
    );
    if (!answer.ok) throw new Error(`${answer.code}: ${answer.detail}`);
    return answer.transaction.txHash;
  };

  const administration = createAdministration(accessIn(store), {
    clock,
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    actor: 'user:ann@desk',
  });
  await administration.createToken({ owner: 'alice', scopes: ['transactions:read'] });
  await administration.bindAddress(devAddress(5), 'alice');
  for (const from of [0, 1, 2]) await submit(from, 0, from === 0 ? KEY : undefined);
  await broadcast(3);
  await block(1);
  const cancelled = gateway.cancel(await submit(3, 1), ALICE, WAIT_MS);
  await broadcast(4);
  await block(2);
  await cancelled;
  // One that a block executes under another signature, one with a reference, and one that loses its nonce to another payment.
  await submit(6, 0);
  await submit(7, 0, 'order-2', 'invoice 7');
  await submit(8, 0);
  await broadcast(7);
  engine.forget();
  await block(3, [
    signedAgain(signedTransfer({ from: 6, nonce: 0 }), devSeed(6)).raw,
    signedTransfer({ from: 7, nonce: 0, reference: 'invoice 7' }).raw,
    signedTransfer({ from: 8, nonce: 0, amount: 77n }).raw,
  ]);
  // A pending one that waits for a nonce, one that the node has, and one whose cancel no block has decided.
  await submit(0, 3);
  await submit(4, 0);
  await gateway.cancel(await submit(5, 2), ALICE, 0);
  await broadcast(9);
  await core.close();
  const contents = await contentsOf(store);
  await store.close();

  const state = LedgerState.fromGenesis(genesis);
  const app = openSqliteAppStore(path.join(folder, 'app.db'));
  app.replace({
    chain: genesis,
    height: 0,
    appHash: state.appHash,
    accounts: state.leaves(),
    governance: state.governance(),
  });
  app.close();
  const snapshots = openSqliteSnapshotStore(path.join(folder, 'snapshots.db'));
  snapshots.putChunk(SNAPSHOT.height, 0, CHUNK);
  snapshots.finish(SNAPSHOT, 1);
  snapshots.close();
  return contents;
}
