/**
 * The ABCI application against the embedded engine: the same transactions, block by block, and everything that comes out must be equal.
 *
 * Both run the same ledger module; what is compared here is everything around it: order, limits, check state, stores, encodings.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, ExecTxResult } from 'cosmjs-types/tendermint/abci/types';
import { splitNs } from '../../server/engine/encoding/index.ts';
import { finalizeBlock, LedgerState, txHash } from '../../server/ledger/index.ts';
import {
  BLOCK,
  devAddress,
  DEV_BALANCE,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
  validatorKey,
} from '../ledger/support.ts';
import { AppFixture, hex } from './support/abci-app.ts';
import { Fixture, genesis } from './support/fixture.ts';
import { RandomTransactions } from './support/random-transactions.ts';

const SEED = 20261121;
const BLOCKS = 40;
const TRANSACTIONS_PER_BLOCK = 25;
const RECHECK = 1;

const plainEvents = (events: readonly Event[]) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
  }));

/** As block_results writes it. */
const resultJson = ({ code, data, log, info, gasWanted, gasUsed, events, codespace }: ExecTxResult) => ({
  code,
  data: data.length === 0 ? null : Buffer.from(data).toString('base64'),
  log,
  info,
  gas_wanted: String(gasWanted),
  gas_used: String(gasUsed),
  events: plainEvents(events),
  codespace,
});

describe('the application and the embedded engine, fed the same transactions', () => {
  const embedded = new Fixture();
  const app = new AppFixture();
  const codes = new Map<number, number>();
  const count = (code: number) => codes.set(code, (codes.get(code) ?? 0) + 1);
  let height = 0;
  /** What the node's mempool would hold. */
  let waiting: Uint8Array[] = [];

  /** Runs the blocks that the embedded engine made through the application. */
  async function follow(): Promise<void> {
    const blocks = embedded.blocks(height + 1, 100);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      height = block.height;
      const { seconds, nanos } = splitNs(block.timeNs);
      const context = { height: BigInt(height), time: { seconds, nanos } };
      const { prepareProposal } = await app.ask({
        prepareProposal: { txs: waiting, maxTxBytes: 10_000_000n, ...context },
      });
      expect(prepareProposal!.txs.map(txHash)).toEqual(block.transactions.map(txHash));
      const { processProposal } = await app.ask({ processProposal: { txs: block.transactions, ...context } });
      expect(processProposal!.status).toBe(1);
      const { appHash, txResults, validatorUpdates } = await app.block(height, block.transactions, context.time);
      expect(hex(appHash)).toBe(block.appHash);
      expect(validatorUpdates).toEqual([]);
      const stored = await embedded.engine.rpc('block_results', { height });
      if (!stored.ok) throw new Error('block_results failed');
      expect(txResults.map(resultJson)).toEqual(
        (JSON.parse(stored.json) as { txs_results: object[] | null }).txs_results ?? [],
      );
      for (const { code } of txResults) count(code);
      const included = new Set(block.transactions.map(txHash));
      const left: Uint8Array[] = [];
      for (const raw of waiting) {
        if (!included.has(txHash(raw)) && (await app.check(raw, RECHECK)).code === 0) left.push(raw);
      }
      waiting = left;
    }
  }

  beforeAll(async () => {
    const engine = await embedded.start();
    await app.start();
    const { initChain } = await app.initChain(genesis);
    expect(hex(initChain!.appHash)).toBe(hex(LedgerState.fromGenesis(genesis).appHash));
    await embedded.clock.advance(0);
    await follow();

    const random = new RandomTransactions(SEED, () => Math.floor(embedded.clock.nowMs() / 1000));
    for (let i = 0; i < BLOCKS; i++) {
      const raws =
        i === 0 ? random.brokenPromise() : Array.from({ length: TRANSACTIONS_PER_BLOCK }, () => random.next());
      for (const raw of raws) {
        const [ours] = await engine.broadcast([{ raw }]);
        const theirs = await app.check(raw);
        expect({ code: theirs.code, log: theirs.log }).toEqual(ours);
        expect(theirs.codespace).toBe(theirs.code === 0 ? '' : 'txledger');
        count(theirs.code);
        if (theirs.code === 0 && !waiting.some((other) => Buffer.compare(other, raw) === 0)) waiting.push(raw);
      }
      await embedded.clock.advance(1000);
      await follow();
    }
  }, 120_000);

  afterAll(async () => {
    await embedded.dispose();
    await app.dispose();
  });

  test('came to equal results at every height, over every kind of outcome', () => {
    expect(height).toBeGreaterThanOrEqual(BLOCKS);
    // Executed, failed, malformed, bad signature, too low, gap, void, stranger, sequence, past its validity, funds.
    for (const code of [0, 1, 10, 13, 15, 16, 17, 20, 21, 27, 40])
      expect({ code, seen: (codes.get(code) ?? 0) > 0 }).toEqual({ code, seen: true });
  });

  test.each([
    ['/store/accounts/key', Buffer.from(devAddress(1)), 0, true],
    ['/store/accounts/key', Buffer.from(devAddress(1)), 0, false],
    ['/store/accounts/key', Buffer.from(devAddress(2)), BLOCKS - 20, true],
    ['/store/accounts/key', Buffer.from('nobody'), 0, true],
    ['/store/governance/key', Buffer.from('cancellers'), 0, true],
    ['/account', Buffer.from(devAddress(3)), 0, false],
    [`/account/${devAddress(4)}`, Buffer.alloc(0), 0, false],
    ['/account', Buffer.from('nobody'), 0, false],
    ['/governance', Buffer.alloc(0), 0, false],
    ['/nowhere', Buffer.alloc(0), 0, false],
    ['/account', Buffer.from(devAddress(3)), 1_000_000, false],
    ['/account', Buffer.from(devAddress(3)), -1, false],
  ])('answers abci_query %s %#', async (path, data, at, prove) => {
    const ours = await embedded.engine.rpc('abci_query', { path, data, height: at, prove });
    if (!ours.ok) throw new Error('abci_query failed');
    const { query } = await app.ask({ query: { path, data, height: BigInt(at), prove } });
    const base64 = (bytes: Uint8Array) => (bytes.length === 0 ? null : Buffer.from(bytes).toString('base64'));
    expect({
      code: query!.code,
      log: query!.log,
      info: query!.info,
      index: String(query!.index),
      key: base64(query!.key),
      value: base64(query!.value),
      proofOps: query!.proofOps
        ? { ops: query!.proofOps.ops.map((op) => ({ type: op.type, key: base64(op.key), data: base64(op.data) })) }
        : null,
      height: String(query!.height),
      codespace: query!.codespace,
    }).toEqual((JSON.parse(ours.json) as { response: object }).response);
  });

  test('answers abci_info', async () => {
    const ours = await embedded.engine.rpc('abci_info', {});
    if (!ours.ok) throw new Error('abci_info failed');
    const { info } = await app.info();
    expect({
      data: info.data,
      version: info.version,
      app_version: String(info.appVersion),
      last_block_height: String(info.lastBlockHeight),
      last_block_app_hash: Buffer.from(info.lastBlockAppHash).toString('base64'),
    }).toEqual((JSON.parse(ours.json) as { response: object }).response);
  });
});

describe('blocks that the embedded engine never makes', () => {
  const app = new AppFixture();
  const document = testGenesis({
    validators: [0, 5, 6].map((i) => ({ publicKey: validatorKey(i), power: 40, name: '' })),
  });

  beforeAll(async () => {
    await app.start();
    await app.initChain(document);
  });
  afterAll(() => app.dispose());

  test('execute as the ledger says: nonsense, replays, disorder, and validators', async () => {
    const state = LedgerState.fromGenesis(document);
    const paid = signedTransfer({ from: 0, nonce: 0 }).raw;
    const blocks: Uint8Array[][] = [
      [paid, paid, Buffer.from('nonsense'), Buffer.alloc(0), signedTransfer({ from: 1, nonce: 7 }).raw],
      [signedTransfer({ from: 2, to: 3, amount: DEV_BALANCE * 2n }).raw, signedCancel({ from: 4, nonce: 0 }).raw],
      [
        signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 7, sequence: 0 }).raw,
        signedGovernance({ action: 'validator_power', subject: validatorKey(2), power: 3, sequence: 1 }).raw,
        signedGovernance({ action: 'validator_power', subject: validatorKey(2), power: 0, sequence: 2 }).raw,
      ],
      [signedGovernance({ action: 'validator_power', subject: validatorKey(0), power: 0, sequence: 3 }).raw],
    ];
    const updates: object[][] = [];
    for (const [i, txs] of blocks.entries()) {
      const expected = finalizeBlock(state, txs, BLOCK);
      const { appHash } = state.commit(expected);
      const actual = await app.block(i + 1, txs);
      expect(hex(actual.appHash)).toBe(hex(appHash));
      expect(actual.txResults.map(({ code, log, events }) => ({ code, log, events: plainEvents(events) }))).toEqual(
        expected.results.map(({ code, log, events }) => ({
          code,
          log,
          events: plainEvents(events as unknown as Event[]),
        })),
      );
      updates.push(
        actual.validatorUpdates.map(({ pubKey, power }) => ({
          key: hex(pubKey.ed25519!).toLowerCase(),
          power: Number(power),
        })),
      );
    }
    // Net of the block: the validator that came and went is not named.
    expect(updates).toEqual([[], [], [{ key: validatorKey(1), power: 7 }], [{ key: validatorKey(0), power: 0 }]]);
  });
});
