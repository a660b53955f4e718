/** A gateway asks the application for the codes of a block, and the node for `block_results` only where the application does not tell them. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BLOCK_CODES_PATH, CODES_KEPT_BLOCKS, readBlockCodes } from '../../server/engine/cometbft/block-codes.ts';
import { blockResultsOf } from '../../server/engine/cometbft/blocks/block-results-json.ts';
import { CODES_KEPT_CHARS_MAX, RecentCodes } from '../../server/engine/cometbft/app/recent-codes.ts';
import type { CometbftEngine } from '../../server/engine/cometbft/index.ts';
import { CODES_UNKNOWN_BLOCKS } from '../../server/engine/cometbft/limits.ts';
import { CODES } from '../../server/ledger/index.ts';
import { DEV_BALANCE, signedGovernance, signedTransfer, testGenesis, validatorKey } from '../ledger/support.ts';
import { AppFixture } from './support/abci-app.ts';
import { allEvents } from './support/all-events.ts';
import { RandomTransactions } from './support/random-transactions.ts';
import { ScriptedNetwork, type ScriptedNode } from './support/scripted-nodes.ts';

const POLL_MS = 1_000;
const SEED = 20261124;

describe('a gateway', () => {
  let network: ScriptedNetwork;
  beforeEach(() => {
    network = new ScriptedNetwork();
  });
  afterEach(() => network.dispose());

  /** Makes so many blocks, of which the node tells as they are made. */
  async function makeBlocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await network.makeBlocks(1);
      await network.node(0).announce();
    }
  }

  async function follow(script: (node: ScriptedNode) => void = () => undefined): Promise<CometbftEngine> {
    await network.start(1);
    script(network.node(0));
    const engine = await network.open();
    await network.fixture.engine.broadcast(
      new RandomTransactions(SEED, () => Math.floor(network.fixture.clock.nowMs() / 1000))
        .brokenPromise()
        .map((raw) => ({ raw })),
    );
    await makeBlocks(2);
    return engine;
  }

  /** Everything that it tells of the chain is what the chain says itself. */
  async function expectSameAsChain(engine: CometbftEngine): Promise<number> {
    const { height } = await network.fixture.engine.status();
    expect(await engine.waitForHeight(height, 0)).toBe(height);
    expect(await engine.blocks(1, 20)).toEqual(network.fixture.blocks(1, 20));
    expect((await engine.blocks(1, 20)).flatMap(({ codes }) => codes)).toContain(CODES.insufficient_funds);
    expect(await allEvents(engine, 1, 20)).toEqual(await allEvents(network.fixture.engine, 1, 20));
    for (let at = 1; at <= Math.min(height, 20); at++)
      expect(await engine.rpc('block_results', { height: at })).toEqual(
        await network.fixture.engine.rpc('block_results', { height: at }),
      );
    expect(network.logs.filter(({ level }) => level === 'error')).toEqual([]);
    return height;
  }

  test('reads a chain without block_results, in one request a block', async () => {
    const engine = await follow();
    const height = await expectSameAsChain(engine);
    expect(network.node(0).count('block_results')).toBe(0);
    expect(network.node(0).calls.filter((methods) => methods.includes('block'))).toEqual(
      Array.from({ length: height }, () => ['block', 'commit', 'abci_query']),
    );
  });

  test('asks an application of an earlier version once, and again when it may have been replaced', async () => {
    const engine = await follow((node) => (node.application = 'earlier'));
    const node = network.node(0);
    const height = await expectSameAsChain(engine);
    expect([node.count('abci_query'), node.count('block_results')]).toEqual([1, height]);
    node.application = 'codes';
    await makeBlocks(CODES_UNKNOWN_BLOCKS);
    expect([node.count('abci_query'), node.count('block_results')]).toEqual([1 + height, CODES_UNKNOWN_BLOCKS]);
  }, 120_000);

  const told = (change: (codes: any) => unknown) => (method: string, result: any) => {
    if (method !== 'abci_query') return result;
    const { response } = result;
    const codes = JSON.parse(Buffer.from(response.value, 'base64').toString());
    return { response: { ...response, value: Buffer.from(JSON.stringify(change(codes))).toString('base64') } };
  };
  test.each<[string, (method: string, result: any) => any]>([
    ['are those of another height', told((codes) => ({ ...codes, height: codes.height - 1 }))],
    ['are of another number of transactions', told((codes) => ({ ...codes, transactions: codes.transactions + 1 }))],
    ['name a transaction that is not there', told((codes) => ({ ...codes, failures: [[codes.transactions, 1, '']] }))],
    [
      'name a transaction twice',
      told((codes) => ({
        ...codes,
        failures: [
          [0, 1, ''],
          [0, 1, ''],
        ],
      })),
    ],
    ['name a failure with code 0', told((codes) => ({ ...codes, failures: [[0, 0, '']] }))],
    ['have a log that is none', told((codes) => ({ ...codes, failures: [[0, 1, {}]] }))],
    ['have no application hash', told((codes) => ({ ...codes, appHash: undefined }))],
    ['have no failures', told((codes) => ({ ...codes, failures: undefined }))],
    ['are nothing', told(() => null)],
    [
      'are no JSON',
      (method, result) => (method === 'abci_query' ? { response: { ...result.response, value: 'AAAA' } } : result),
    ],
    [
      'are refused',
      (method, result) =>
        method === 'abci_query' ? { response: { ...result.response, code: 2, value: null } } : result,
    ],
    ['are no answer at all', (method, result) => (method === 'abci_query' ? null : result)],
  ])('reads block_results in place of codes that %s, and accuses no one', async (_, spoil) => {
    const engine = await follow((node) => (node.spoil = spoil));
    const height = await expectSameAsChain(engine);
    expect(network.node(0).count('block_results')).toBe(height);
  });

  test('reads block_results of the one block whose codes are missing', async () => {
    const engine = await follow(
      (node) =>
        (node.spoil = (method, result, height) =>
          method === 'abci_query' && height === 2
            ? { response: { ...result.response, code: 2, value: null } }
            : result),
    );
    await expectSameAsChain(engine);
    expect(network.node(0).count('block_results')).toBe(1);
  });

  test('asks for no codes of blocks that an application has long forgotten', async () => {
    await network.start(1);
    await network.makeBlocks(CODES_KEPT_BLOCKS + 5);
    const asked: Record<string, number[]> = { abci_query: [], block_results: [] };
    network.node(0).spoil = (method, result, height) => {
      asked[method]?.push(height);
      return result;
    };
    const first = (await network.fixture.engine.status()).height - CODES_KEPT_BLOCKS + 1;
    await network.open();
    await network.advance(POLL_MS);
    expect(Math.min(...(asked['abci_query'] ?? []))).toBe(first);
    expect((asked['block_results'] ?? []).filter((height) => height < first)).not.toEqual([]);
  });
});

describe('an application', () => {
  let app: AppFixture;
  beforeEach(async () => {
    app = new AppFixture();
    await app.start();
    await app.initChain(testGenesis());
  });
  afterEach(() => app.dispose());

  const ask = async (height: number) =>
    (await app.ask({ query: { path: BLOCK_CODES_PATH, height: BigInt(height) } })).query!;
  const read = async (height: number, transactions: number) => {
    const { code, value } = await ask(height);
    return readBlockCodes(
      { response: { code, value: Buffer.from(value).toString('base64') } },
      { height, transactions },
    );
  };

  test('tells of a block, once it is committed, what block_results says of it', async () => {
    const raws = [
      signedTransfer({ nonce: 0 }).raw,
      signedTransfer({ nonce: 7 }).raw,
      Buffer.from('nonsense'),
      signedTransfer({ nonce: 1, amount: 2n * DEV_BALANCE }).raw,
    ];
    const { finalizeBlock } = await app.ask({ finalizeBlock: { height: 1n, txs: raws } });
    expect(await ask(1)).toMatchObject({ code: 2, height: 0n });
    await app.ask({ commit: {} });
    const answer = await read(1, raws.length);
    if (!('codes' in answer)) throw new Error('there are no codes');
    const { txs_results: results, app_hash: appHash } = blockResultsOf(answer.codes, raws);
    const { txResults } = finalizeBlock!;
    expect(txResults.map(({ code }) => code)).toEqual([
      CODES.ok,
      CODES.nonce_gap,
      CODES.malformed,
      CODES.insufficient_funds,
    ]);
    expect(results).toEqual(
      txResults.map(({ code, log, codespace, events }) => ({
        code,
        data: null,
        log,
        info: '',
        gas_wanted: '0',
        gas_used: '0',
        events: events.map(({ type, attributes }) => ({
          type,
          attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
        })),
        codespace,
      })),
    );
    expect(appHash).toBe(Buffer.from(finalizeBlock!.appHash).toString('base64'));
    expect(await read(1, 3)).toEqual({ refused: 'not_there' });
    expect(await read(2, 4)).toEqual({ refused: 'not_there' });
  });

  test('leaves a block that changes validators to block_results', async () => {
    const several = testGenesis({
      validators: [0, 5, 6].map((i) => ({ publicKey: validatorKey(i), power: 40, name: '' })),
    });
    await app.initChain(several);
    const changed = await app.block(1, [
      signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 7, sequence: 0 }).raw,
    ]);
    expect(changed.validatorUpdates).toHaveLength(1);
    expect((await ask(1)).code).toBe(2);
    await app.block(2, []);
    expect(await read(2, 0)).toMatchObject({ codes: { height: 2, failures: [] } });
  });

  test('forgets with a restart', async () => {
    await app.block(1, []);
    expect((await ask(1)).code).toBe(0);
    await app.stop();
    await app.start();
    expect((await ask(1)).code).toBe(2);
  });
});

describe('codes that are kept', () => {
  const NOTHING = { results: [], validatorUpdates: [], events: [] };
  const appHash = new Uint8Array(32);

  test('are those of the newest blocks', () => {
    const codes = new RecentCodes();
    for (let height = 1; height <= 2 * CODES_KEPT_BLOCKS; height++) codes.add({ height, appHash, finalized: NOTHING });
    expect(
      [CODES_KEPT_BLOCKS, CODES_KEPT_BLOCKS + 1, 2 * CODES_KEPT_BLOCKS].map(
        (height) => codes.get(height) !== undefined,
      ),
    ).toEqual([false, true, true]);
  });

  test('take no more memory than their bound, and are always those of the last block', () => {
    const codes = new RecentCodes();
    const failed = {
      code: 1,
      codespace: 'txledger',
      log: 'x'.repeat(CODES_KEPT_CHARS_MAX / 2),
      data: appHash,
      gasWanted: 0n,
      gasUsed: 0n,
      events: [],
    };
    for (let height = 1; height <= 3; height++)
      codes.add({ height, appHash, finalized: { ...NOTHING, results: [failed] } });
    expect([1, 2, 3].map((height) => codes.get(height) !== undefined)).toEqual([false, false, true]);
    codes.add({ height: 4, appHash, finalized: { ...NOTHING, results: [failed, failed, failed] } });
    expect([3, 4].map((height) => codes.get(height) !== undefined)).toEqual([false, true]);
  });
});
