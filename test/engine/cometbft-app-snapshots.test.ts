/** Snapshots: taken while the chain goes on, restored by an empty application, and refused whenever anything in them is not right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Snapshot } from 'cosmjs-types/tendermint/abci/types';
import {
  CHUNK_BYTES_MAX,
  SNAPSHOT_FORMAT,
  SNAPSHOTS_KEPT,
  type SnapshotStore,
  type StoredState,
} from '../../server/engine/cometbft/app/index.ts';
import { loadState } from '../../server/engine/cometbft/app/load-state.ts';
import {
  accountLine,
  chunkLines,
  ChunkWriter,
  headLine,
  readAccount,
  readHead,
} from '../../server/engine/cometbft/app/snapshot-format.ts';
import { sha256 } from '../../server/engine/encoding/index.ts';
import { SnapshotRestore } from '../../server/engine/cometbft/app/snapshot-restore.ts';
import { SnapshotTaker } from '../../server/engine/cometbft/app/snapshot-taker.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import { encodeAddress, genesisGovernance, LedgerState, publicKeyOfSeed } from '../../server/ledger/index.ts';
import {
  signedCancel,
  signedGovernance,
  signedTransfer,
  TEST_CHAIN_ID,
  testGenesis,
  validatorKey,
} from '../ledger/support.ts';
import { heapBytes } from '../support/heap-bytes.ts';
import { AppFixture, hex } from './support/abci-app.ts';

const ACCEPT = 1;
const ABORT = 2;
const REJECT_FORMAT = 4;
const REJECT_SENDER = 5;
const RETRY = 3;
const REJECT_SNAPSHOT = 5;

const address = (i: number) => encodeAddress(publicKeyOfSeed(Buffer.alloc(32, i + 1)), 'txlt');

/** With voids, governance and another validator in it. */
const BLOCKS = [
  Array.from({ length: 40 }, (_, nonce) =>
    signedTransfer({ from: 0, nonce, to: address(nonce), amount: BigInt(nonce + 1) }),
  ),
  [
    signedCancel({ from: 1, nonce: 900 }),
    signedCancel({ from: 2, nonce: 0 }),
    signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 3 }),
  ],
  [signedTransfer({ from: 3 })],
  [signedTransfer({ from: 3, nonce: 1 })],
].map((block) => block.map(({ raw }) => raw));

describe('a snapshot', () => {
  const source = new AppFixture();
  let target: AppFixture;
  let appHashes: string[] = [];

  beforeEach(async () => {
    target = new AppFixture();
    await source.start({ snapshotIntervalBlocks: 2 });
    if ((await source.info()).height > 0) return;
    const { initChain } = await source.initChain(testGenesis());
    appHashes = [hex(initChain!.appHash)];
    for (const [i, block] of BLOCKS.entries()) {
      appHashes.push(hex((await source.block(i + 1, block)).appHash));
      if (i % 2 === 1) await taken(i + 1);
    }
  });
  afterEach(async () => {
    await source.stop();
    await target.dispose();
  });
  afterAll(() => source.dispose());

  const offers = async (fixture = source) => (await fixture.ask({ listSnapshots: {} })).listSnapshots!.snapshots;
  /** Each answer lets a turn of the event loop pass, in which a slice is taken. */
  async function taken(height: number): Promise<Snapshot> {
    for (;;) {
      const [newest] = await offers();
      if (newest && newest.height >= BigInt(height)) return newest;
    }
  }
  const chunkOf = async (snapshot: Snapshot, chunk: number) =>
    (await source.ask({ loadSnapshotChunk: { height: snapshot.height, format: snapshot.format, chunk } }))
      .loadSnapshotChunk!.chunk;
  const offer = async (snapshot: Snapshot, appHash: string) =>
    (await target.ask({ offerSnapshot: { snapshot, appHash: Buffer.from(appHash, 'hex') } })).offerSnapshot!.result;
  const lastLog = () => JSON.stringify(target.logs.at(-1));
  const apply = async (index: number, chunk: Uint8Array, sender = 'peer') =>
    (await target.ask({ applySnapshotChunk: { index, chunk, sender } })).applySnapshotChunk!;

  test('goes into an empty application, which then follows the chain and survives a restart', async () => {
    await target.start({ chainId: TEST_CHAIN_ID });
    const snapshot = (await offers()).find(({ height }) => height === 2n)!;
    expect(snapshot).toMatchObject({ format: SNAPSHOT_FORMAT, chunks: 1 });
    expect(await offer(snapshot, appHashes[2]!)).toBe(ACCEPT);
    expect(await apply(0, await chunkOf(snapshot, 0))).toEqual({
      result: ACCEPT,
      refetchChunks: [],
      rejectSenders: [],
    });
    expect(await target.info()).toMatchObject({ height: 2, appHash: appHashes[2] });
    expect(hex((await target.block(3, BLOCKS[2]!)).appHash)).toBe(appHashes[3]);
    await target.stop();
    await target.start({ chainId: TEST_CHAIN_ID });
    expect(await target.info()).toMatchObject({ height: 3, appHash: appHashes[3] });
    expect(hex((await target.block(4, BLOCKS[3]!)).appHash)).toBe(appHashes[4]);
  });

  test('is refused when a chunk was tampered with, and the sender with it; the right chunk then is taken', async () => {
    await target.start({ chainId: TEST_CHAIN_ID });
    const [snapshot] = await offers();
    const good = await chunkOf(snapshot!, 0);
    const ask = async (chunk: Uint8Array, index = 0) =>
      (await target.ask({ applySnapshotChunk: { index, chunk, sender: 'liar' } })).applySnapshotChunk!;
    await target.ask({ offerSnapshot: { snapshot: snapshot!, appHash: Buffer.from(appHashes[4]!, 'hex') } });
    for (const at of [0, 100, good.length - 1]) {
      const bad = Buffer.from(good);
      bad.writeUInt8(bad.readUInt8(at) ^ 1, at);
      expect(await ask(bad)).toEqual({ result: RETRY, refetchChunks: [0], rejectSenders: ['liar'] });
    }
    expect(await ask(good.subarray(1))).toMatchObject({ result: RETRY });
    expect(await ask(Buffer.alloc(0))).toMatchObject({ result: RETRY });
    expect((await target.info()).height).toBe(0);
    // One that comes before its turn waits for the one that is missing.
    expect(await ask(good, 1)).toEqual({ result: RETRY, refetchChunks: [0], rejectSenders: [] });
    expect(await ask(good)).toMatchObject({ result: ACCEPT });
    expect((await target.info()).appHash).toBe(appHashes[4]);
  });

  test('is refused when its app hash is not the verified one, and nothing of it is kept', async () => {
    await target.start({ chainId: TEST_CHAIN_ID });
    const [snapshot] = await offers();
    await target.ask({ offerSnapshot: { snapshot: snapshot!, appHash: Buffer.from(appHashes[3]!, 'hex') } });
    const chunk = await chunkOf(snapshot!, 0);
    expect((await target.ask({ applySnapshotChunk: { index: 0, chunk } })).applySnapshotChunk!.result).toBe(
      REJECT_SNAPSHOT,
    );
    expect((await target.ask({ applySnapshotChunk: { index: 0, chunk } })).applySnapshotChunk!.result).toBe(ABORT);
    expect((await target.info()).height).toBe(0);
    await target.stop();
    await target.start();
    expect((await target.info()).height).toBe(0);
    expect((await target.initChain(testGenesis())).initChain).toBeDefined();
  });

  test('is refused at its offer when it cannot be one of ours, or cannot go in here', async () => {
    const [snapshot] = await offers();
    await target.start({ chainId: TEST_CHAIN_ID });
    const result = async (change: Partial<Snapshot>) =>
      (await target.ask({ offerSnapshot: { snapshot: { ...snapshot!, ...change }, appHash: Buffer.alloc(32) } }))
        .offerSnapshot!.result;
    expect(await result({ format: 1 })).toBe(REJECT_FORMAT);
    expect(await result({ height: 0n })).toBe(REJECT_SENDER);
    expect(await result({ chunks: 0 })).toBe(REJECT_SENDER);
    expect(await result({ chunks: 2 })).toBe(REJECT_SENDER);
    expect(await result({ chunks: 4_000_000_000 })).toBe(REJECT_SENDER);
    expect(await result({ hash: Buffer.alloc(32) })).toBe(REJECT_SENDER);
    expect(await result({ metadata: Buffer.alloc(32) })).toBe(REJECT_SENDER);
    expect(await result({})).toBe(ACCEPT);
    // Without the chain's name, and into an application that has a state.
    await target.stop();
    await target.start();
    expect(await result({})).toBe(ABORT);
    expect(lastLog()).toContain('TXLEDGER_CHAIN_ID is not set');
    await target.initChain(testGenesis());
    await target.block(1, []);
    await target.stop();
    await target.start({ chainId: TEST_CHAIN_ID });
    expect(await result({})).toBe(ABORT);
    expect(lastLog()).toContain('has a state already');
  });

  test('that is not here is answered with nothing', async () => {
    const [snapshot] = await offers();
    expect(await chunkOf(snapshot!, 1)).toHaveLength(0);
    expect(await chunkOf({ ...snapshot!, height: 3n }, 0)).toHaveLength(0);
    expect(await chunkOf({ ...snapshot!, format: 9 }, 0)).toHaveLength(0);
  });
});

describe('a lying peer among honest ones', () => {
  const accounts = Array.from({ length: 200 }, (_, leaf) => ({
    address: address(leaf),
    leaf,
    account: { balance: 7n, nonce: 0, voids: 0n },
  }));
  const genesis = testGenesis();
  const governance = genesisGovernance(genesis);
  const chain = { chainId: genesis.chainId, addressPrefix: genesis.addressPrefix };
  const { appHash } = LedgerState.restore(genesis, { accounts, governance, height: 5 });
  const writer = new ChunkWriter(2_000);
  const lines = [
    headLine({ ...chain, height: 5, governance }),
    ...accounts.map(({ address: of, account }) => accountLine(of, account)),
  ];
  const chunks = [...lines.flatMap((line) => writer.add(line) ?? []), writer.end()];
  const info = writer.info(5);
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-liar-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;

  function opened() {
    const name = String(files++);
    const snapshots = openSqliteSnapshotStore(path.join(folder, `${name}-snapshots.db`));
    const store = openSqliteAppStore(path.join(folder, `${name}-app.db`));
    const session = new SnapshotRestore({
      chainId: TEST_CHAIN_ID,
      snapshots,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      onRestored: (state) => store.replace(state),
    });
    const offer = (change: Partial<Snapshot> = {}) =>
      session.offer({ snapshot: { ...info, height: 5n, ...change }, appHash }, true);
    const close = () => [store, snapshots].forEach((each) => each.close());
    return { session, store, snapshots, offer, close };
  }

  const longer = (chunk: Uint8Array) => Buffer.concat([chunk, Buffer.alloc(CHUNK_BYTES_MAX)]);
  const changed = (chunk: Uint8Array) =>
    Buffer.from(Buffer.from(chunk).toString('latin1').replace('"7"', '"8"'), 'latin1');
  test.each([
    ['changed', (index: number) => changed(chunks[index]!)],
    ['swapped', (index: number) => chunks[(index + 1) % chunks.length]!],
    ['missing', () => Buffer.alloc(0)],
    ['cut off', (index: number) => chunks[index]!.subarray(0, -1)],
    ['too long', (index: number) => longer(chunks[index]!)],
  ])(
    'each chunk %s is asked for again elsewhere and its sender named; those of the others make the state',
    (_name, lie) => {
      const { session, store, snapshots, offer, close } = opened();
      expect(offer()).toBe(ACCEPT);
      for (const [index, chunk] of chunks.entries()) {
        expect(session.apply(index, lie(index), 'liar')).toEqual({
          result: RETRY,
          refetchChunks: [index],
          rejectSenders: ['liar'],
        });
        // Nothing can be opened before the last chunk.
        expect([store.load(), snapshots.list()]).toEqual([undefined, []]);
        expect(session.apply(index, chunk, 'honest')).toEqual({ result: ACCEPT, refetchChunks: [], rejectSenders: [] });
      }
      expect(Buffer.from(loadState(store, TEST_CHAIN_ID)!.appHash)).toEqual(Buffer.from(appHash));
      expect([...store.load()!.accounts]).toEqual(accounts);
      close();
    },
  );

  test('whose metadata fit the lie is found out by the app hash, and nothing of it can be opened then or after a restart', () => {
    const { session, store, snapshots, offer, close } = opened();
    const lies = chunks.map((chunk, index) => (index === 3 ? changed(chunk) : chunk));
    const metadata = Buffer.concat(lies.map(sha256));
    expect(offer({ metadata, hash: sha256(metadata) })).toBe(ACCEPT);
    const results = lies.map((chunk, index) => session.apply(index, chunk, 'liar').result);
    expect(results).toEqual([...lies.slice(1).map(() => ACCEPT), REJECT_SNAPSHOT]);
    expect([store.load(), snapshots.list(), session.apply(0, chunks[0]!, 'liar').result]).toEqual([
      undefined,
      [],
      ABORT,
    ]);
    expect(offer()).toBe(ACCEPT);
    close();
  });

  test('is one thing, a disk that gives back other bytes another: the restore is undone as a whole', () => {
    const { session, store, snapshots, offer, close } = opened();
    offer();
    const chunk = snapshots.chunk.bind(snapshots);
    snapshots.chunk = (height, format, index) =>
      index === 4 ? changed(chunk(height, format, index)!) : chunk(height, format, index);
    const all = () => chunks.forEach((each, index) => session.apply(index, each, 'honest'));
    expect(all).toThrow('chunk 4 of the snapshot is not on the disk as it was put there');
    expect(store.load()).toBeUndefined();
    close();
  });
});

describe('taking snapshots', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-snapshots-'));
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A store at height 9 with so many accounts, each at nonce 0. */
  function storeOf(count: number) {
    const store = openSqliteAppStore(path.join(folder, `app-${count}.db`));
    const { addressPrefix, chainId } = testGenesis();
    const accounts = Array.from({ length: count }, (_, leaf) => ({
      address: address(leaf),
      leaf,
      account: { balance: 7n, nonce: 0, voids: 0n },
    }));
    const governance = { ...genesisGovernance(testGenesis()), validators: [] };
    store.replace({ chain: { chainId, addressPrefix }, height: 9, appHash: Buffer.alloc(32), governance, accounts });
    return { store, accounts };
  }

  test('sees the height at which it began while blocks go on, and leaves out the next one meanwhile', () => {
    const { store, accounts } = storeOf(200);
    const snapshots = openSqliteSnapshotStore(path.join(folder, 'snapshots.db'));
    const turns: (() => void)[] = [];
    const taker = new SnapshotTaker({
      snapshots,
      intervalBlocks: 1,
      reader: () => store.reader(),
      later: (fn) => turns.push(fn),
      logger,
      chunkBytesMax: 2000,
    });
    taker.committed(9);
    store.commit({
      height: 10,
      appHash: Buffer.alloc(32, 1),
      accounts: accounts.map((row) => ({ ...row, account: { ...row.account, nonce: 5 } })),
      governance: undefined,
    });
    taker.committed(10);
    expect(turns).toHaveLength(1);
    while (turns.length > 0) turns.shift()!();
    const [info, ...others] = snapshots.list();
    expect(others).toEqual([]);
    expect(info!.height).toBe(9);
    expect(info!.chunks).toBeGreaterThan(5);
    const lines = Array.from({ length: info!.chunks }, (_, i) =>
      chunkLines(snapshots.chunk(9, SNAPSHOT_FORMAT, i)!)!,
    ).flat();
    expect(readHead(lines[0])).toMatchObject({ height: 9, chainId: TEST_CHAIN_ID });
    expect(lines.slice(1).map((line) => readAccount(line)!.account.nonce)).toEqual(accounts.map(() => 0));
    taker.committed(11);
    taker.close();
    while (turns.length > 0) turns.shift()!();
    expect(snapshots.list()).toHaveLength(1);
    store.close();
    snapshots.close();
  });

  test('keeps the newest, and drops the rest of one that was never finished', () => {
    const file = path.join(folder, 'kept.db');
    let snapshots = openSqliteSnapshotStore(file);
    for (let height = 1; height <= 5; height++) {
      snapshots.putChunk(height, 0, Buffer.from('x'));
      snapshots.finish(
        { height, format: 1, chunks: 1, hash: Buffer.alloc(32), metadata: Buffer.alloc(32) },
        SNAPSHOTS_KEPT,
      );
    }
    snapshots.putChunk(6, 0, Buffer.from('unfinished'));
    expect(snapshots.list().map(({ height }) => height)).toEqual([5, 4, 3]);
    expect([snapshots.chunk(2, 1, 0), snapshots.chunk(6, 1, 0)]).toEqual([undefined, undefined]);
    snapshots.close();
    snapshots = openSqliteSnapshotStore(file);
    snapshots.finish(
      { height: 6, format: 1, chunks: 1, hash: Buffer.alloc(32), metadata: Buffer.alloc(32) },
      SNAPSHOTS_KEPT,
    );
    expect(snapshots.chunk(6, 1, 0)).toBeUndefined();
    snapshots.close();
  });

  test('that fails is given up, and the next is taken', () => {
    const { store } = storeOf(10);
    const warnings: string[] = [];
    let full = true;
    const finished: number[] = [];
    const snapshots: SnapshotStore = {
      discard: () => undefined,
      putChunk: () => {
        if (full) throw new Error('the disk is full');
      },
      finish: ({ height }) => finished.push(height),
      list: () => [],
      chunk: () => undefined,
      close: () => undefined,
    };
    const later = (fn: () => void) => fn();
    const taker = new SnapshotTaker({
      snapshots,
      intervalBlocks: 1,
      reader: () => store.reader(),
      later,
      logger: { ...logger, warn: (_fields, message) => warnings.push(message) },
    });
    taker.committed(9);
    expect(warnings).toEqual(['a snapshot could not be taken and is given up']);
    full = false;
    taker.committed(9);
    expect(finished).toEqual([9]);
    store.close();
  });
});

/** Chunks by number; only how many there are, because what is tested here is memory. */
class KeptChunks {
  readonly chunks = new Map<number, Uint8Array>();
  #bytes: Buffer = Buffer.alloc(0);
  putChunk(_height: number, index: number, bytes: Uint8Array): void {
    this.chunks.set(index, index === 0 ? Buffer.from(bytes) : NOTHING);
    if (index === 0) this.#bytes = Buffer.from(bytes);
  }
  finish(): void {}
  chunk(): Uint8Array {
    return this.#bytes;
  }
  discard(): void {
    this.chunks.clear();
  }
}
const NOTHING = new Uint8Array(0);

describe('what a lying peer makes up, with hashes that fit', () => {
  const genesis = testGenesis();
  const head = { ...genesis, height: 5, governance: genesisGovernance(genesis) };
  const rows = genesis.accounts.map(({ address, balance }) => accountLine(address, { balance, nonce: 0, voids: 0n }));

  function restore(lines: readonly string[], change: { height?: number; appHash?: Uint8Array } = {}) {
    const writer = new ChunkWriter();
    for (const line of lines) writer.add(line);
    const chunk = writer.end();
    const restored: StoredState[] = [];
    const reasons: unknown[] = [];
    const logger = {
      debug() {},
      info() {},
      warn: (fields: object) => reasons.push((fields as { reason: string }).reason),
      error() {},
    };
    const snapshots = new KeptChunks();
    const session = new SnapshotRestore({
      chainId: TEST_CHAIN_ID,
      snapshots,
      logger,
      onRestored: (state) => restored.push(state),
    });
    const info = writer.info(change.height ?? 5);
    session.offer(
      { snapshot: { ...info, height: BigInt(info.height) }, appHash: change.appHash ?? Buffer.alloc(32) },
      true,
    );
    const { result } = session.apply(0, chunk, 'liar');
    if (result === REJECT_SNAPSHOT) expect(snapshots.chunks.size).toBe(0);
    return { result, restored, reason: String(reasons[0]) };
  }

  test('costs one chunk of memory at a time, however much of it comes, and is dropped when it does not end as promised', () => {
    // Accounts that do not exist, in chunks whose hashes fit the offer: some 30 MB of memory, were they kept.
    const lines = Array.from({ length: 10_000 }, (_, i) =>
      accountLine(address(i % 100), { balance: BigInt(i), nonce: i, voids: 0n }),
    )
      .map((line) => `${line}\n`)
      .join('');
    const chunk = Buffer.from(lines);
    const first = Buffer.concat([Buffer.from(`${headLine(head)}\n`), chunk]);
    const chunks = 9;
    const hashes = Array.from({ length: chunks }, (_, i) => sha256(i === 0 ? first : chunk));
    const metadata = Buffer.concat(hashes);
    const snapshots = new KeptChunks();
    const snapshot = { height: 5n, format: SNAPSHOT_FORMAT, chunks, hash: sha256(metadata), metadata };
    const session = new SnapshotRestore({
      chainId: TEST_CHAIN_ID,
      snapshots,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      onRestored: () => undefined,
    });
    session.offer({ snapshot, appHash: Buffer.alloc(32) }, true);
    const before = heapBytes();
    let most = 0;
    for (let index = 0; index < chunks - 1; index++) {
      expect(session.apply(index, index === 0 ? first : chunk, 'liar').result).toBe(ACCEPT);
      if (index % 4 === 3) most = Math.max(most, heapBytes() - before);
    }
    // The test runner's own heap moves by a megabyte or two meanwhile.
    expect(most).toBeLessThan(4 * CHUNK_BYTES_MAX);
    expect(session.apply(chunks - 1, chunk, 'liar').result).toBe(REJECT_SNAPSHOT);
    expect(snapshots.chunks.size).toBe(0);
    expect(session.apply(0, first, 'liar').result).toBe(ABORT);
  });

  test.each([
    ['no head', [...rows], /head is malformed/],
    ['another chain', [headLine({ ...head, chainId: 'other-1' }), ...rows], /of chain other-1/],
    ['another height', [headLine({ ...head, height: 6 }), ...rows], /of height 6, offered as 5/],
    [
      'a canceller that is two',
      [
        headLine({ ...head, governance: { ...head.governance, cancellers: [`${genesis.cancellers[0]}","x`] } }),
        ...rows,
      ],
      /head is malformed/,
    ],
    [
      'a governor that is two',
      [headLine({ ...head, governance: { ...head.governance, governors: [`${genesis.governors[0]}","x`] } }), ...rows],
      /head is malformed/,
    ],
    [
      'a validator with more in it',
      [
        headLine({
          ...head,
          governance: { ...head.governance, validators: [{ publicKey: `${validatorKey(0)}"`, power: 10 }] },
        }),
        ...rows,
      ],
      /head is malformed/,
    ],
    [
      'an amount that is none',
      [headLine({ ...head, governance: { ...head.governance, openingMinimum: '1","x":"' } }), ...rows],
      /head is malformed/,
    ],
    [
      'a threshold as text',
      [headLine({ ...head, governance: { ...head.governance, threshold: '1' as never } }), ...rows],
      /head is malformed/,
    ],
    ['no rules', [headLine({ ...head, governance: { ...head.governance, rules: [] } }), ...rows], /head is malformed/],
    [
      'a currency with more in it',
      [headLine({ ...head, governance: { ...head.governance, currency: { code: 'EUR"', scale: 2 } } }), ...rows],
      /head is malformed/,
    ],
    [
      'another opening minimum',
      [headLine({ ...head, governance: { ...head.governance, openingMinimum: '2' } }), ...rows],
      /app hash/,
    ],
    [
      'another threshold',
      [headLine({ ...head, governance: { ...head.governance, threshold: 2 } }), ...rows],
      /app hash/,
    ],
    ['another network', [headLine({ ...head, addressPrefix: 'txl' }), ...rows], /head is malformed/],
    ['an account twice', [headLine(head), ...rows, rows[0]!], /app hash/],
    ['an account fewer', [headLine(head), ...rows.slice(1)], /app hash/],
    ['money from nowhere', [headLine(head), ...rows.slice(0, -1), rows.at(-1)!.replace('"1', '"9')], /app hash/],
    ['a negative balance', [headLine(head), rows[0]!.replace('"1', '"-1')], /account 0 is malformed/],
    ['a line that is no account', [headLine(head), '[]'], /account 0 is malformed/],
    ['a line that is no JSON', [headLine(head), '{'], /account 0 is malformed/],
  ])('%s is refused', (_name, lines, words) => {
    const { result, restored, reason } = restore(lines);
    expect(result).toBe(REJECT_SNAPSHOT);
    expect(reason).toMatch(words);
    expect(restored).toEqual([]);
  });

  test('the same with the verified app hash is taken', () => {
    const probe = restore([headLine(head), ...rows]);
    expect(probe.reason).toMatch(/app hash/);
    const { result, restored } = restore([headLine(head), ...rows], {
      appHash: LedgerState.fromGenesis(genesis).appHash,
    });
    expect([result, restored.length, restored[0]!.height]).toEqual([ACCEPT, 1, 5]);
  });
});
