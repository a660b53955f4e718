import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Receipt, verifyReceipt } from '../../client/src/index.ts';
import { type CallLimits, CometbftEngine, createCometbftEngine } from '../../server/engine/cometbft/index.ts';
import { SocketNodePort } from '../../server/engine/cometbft/nodes/socket-node-port.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { parseTime } from '../../server/engine/encoding/index.ts';
import { finalizeBlock, genesisGovernance, LedgerState } from '../../server/ledger/index.ts';
import { runProofOps } from '../ledger/reference-tree.ts';
import {
  devAddress,
  signedGovernance,
  signedTransfer,
  TEST_CHAIN_ID,
  testGenesis,
  validatorKey,
  validatorSeed,
} from '../ledger/support.ts';
import { verifyWithPython } from '../receipts/python.ts';
import { hex } from './support/abci-app.ts';
import { COMETBFT, CometbftPair } from './support/cometbft-pair.ts';
import { realClock } from './support/real-clock.ts';
import { RandomTransactions } from './support/random-transactions.ts';

/**
 * The application beside a real node, CometBFT v0.38.26: what it computes, and that no death of either loses or changes anything. COMETBFT
 * names the program; without it nothing here can be tested.
 */
const suite = existsSync(COMETBFT) ? describe : describe.skip;

const TIMEOUT_MS = 180_000;
/** In the past, or the node would wait. */
const genesis = testGenesis({ genesisTime: '2020-01-01T00:00:00Z' });

const bytes = (base64: string | null) => Buffer.from(base64 ?? '', 'base64');

/** Executes every block of the node with the ledger itself and compares what the headers and results say. */
async function expectSameAsLedger(pair: CometbftPair): Promise<{ transactions: number; height: number }> {
  const state = LedgerState.fromGenesis(genesis);
  const top = await pair.height();
  let transactions = 0;
  for (let height = 1; height < top; height++) {
    const { block } = await pair.rpc(`block?height=${height}`);
    expect({ height, appHash: block.header.app_hash }).toEqual({ height, appHash: hex(state.appHash) });
    const raws = (block.data.txs as string[]).map(bytes);
    const executed = finalizeBlock(state, raws, { height, timeNs: parseTime(block.header.time) ?? 0n });
    state.commit(executed);
    transactions += raws.length;
    const results = await pair.rpc(`block_results?height=${height}`);
    expect((results.txs_results ?? []).map(({ code, log, events }: any) => ({ code, log, events }))).toEqual(
      executed.results.map(({ code, log, events }) => ({ code, log, events })),
    );
  }
  return { transactions, height: top };
}

suite('the application under a CometBFT node', () => {
  let pair: CometbftPair;
  let nonce = 0;

  beforeAll(async () => {
    pair = await CometbftPair.create({ genesis, validatorSeed: validatorSeed(0) });
    await pair.start();
  }, TIMEOUT_MS);
  afterAll(() => pair.dispose());

  /** Sends payments of account 9 and waits until the last is in a block. */
  async function pay(count: number): Promise<void> {
    let hash = '';
    for (let i = 0; i < count; i++, nonce++) {
      const transfer = signedTransfer({ from: 9, to: 8, nonce, amount: 1n });
      const answer = await pair.broadcast(transfer.raw);
      expect(answer.code).toBe(0);
      ({ hash } = transfer);
    }
    for (;;) {
      const { total_count: found } = await pair.rpc(`tx_search?query="tx.hash='${hash}'"`);
      if (found === '1') return;
      await pair.waitForHeight((await pair.height()) + 1);
    }
  }

  test(
    'runs every kind of transaction as the ledger says',
    async () => {
      const random = new RandomTransactions(7, () => Math.floor(Date.now() / 1000));
      for (let i = 0; i < 200; i++) {
        const raw = random.next();
        // Account 9 is for the payments below.
        if (Buffer.from(raw).includes(`"from":"${devAddress(9)}"`)) continue;
        await pair.rpc(`check_tx?tx=0x${Buffer.from(raw).toString('hex')}`).catch(() => undefined);
        await pair.broadcast(raw).catch(() => undefined);
      }
      await pair.waitForHeight((await pair.height()) + 3);
      const { transactions } = await expectSameAsLedger(pair);
      // How many of them the chain takes depends a little on the time, by which their validities are drawn.
      expect(transactions).toBeGreaterThan(40);
    },
    TIMEOUT_MS,
  );

  test(
    'answers abci_query with a proof that leads to the app hash of the next header',
    async () => {
      const { response } = await pair.rpc(
        `abci_query?path="/store/accounts/key"&data=0x${Buffer.from(devAddress(0)).toString('hex')}&prove=true`,
      );
      const ops = response.proofOps.ops.map((op: any) => ({ type: op.type, key: bytes(op.key), data: bytes(op.data) }));
      const { header } = await pair.rpc(`header?height=${Number(response.height) + 1}`);
      expect(hex(runProofOps(bytes(response.value), ops))).toBe(header.app_hash);
    },
    TIMEOUT_MS,
  );

  test(
    'has receipts that the gateway makes of verified blocks and a stranger verifies',
    async () => {
      await pay(3);
      const folder = mkdtempSync(join(tmpdir(), 'txledger-receipt-'));
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const engine = await createCometbftEngine({
        genesis,
        nodeUrls: [pair.rpcUrl],
        searchFile: join(folder, 'search.db'),
        clock: realClock,
        logger,
      });
      try {
        const governance = genesisGovernance(genesis);
        await engine.startFrom({
          height: 0,
          hash: '',
          timeMs: 0,
          governance,
          validatorSets: [{ height: 1, validators: governance.validators }],
        });
        const { hash } = signedTransfer({ from: 9, to: 8, nonce: nonce - 1, amount: 1n });
        const { txs } = await pair.rpc(`tx_search?query="tx.hash='${hash}'"`);
        const height = Number(txs[0].height);
        for (let reached = 0; reached <= height;) reached = await engine.waitForHeight(height + 1, 10_000);
        const outcome = await engine.receipt(height, hash);
        if (outcome.kind !== 'receipt') throw new Error(`there is no receipt: ${outcome.kind}`);
        const facts = {
          kind: 'transfer',
          txHash: hash,
          height,
          from: devAddress(9),
          to: devAddress(8),
          amount: '1',
          nonce: nonce - 1,
          code: 0,
        };
        expect(await verifyReceipt(outcome.receipt as Receipt, { genesis: genesis.bytes })).toMatchObject({
          ...facts,
          paid: true,
        });
        const { lines } = verifyWithPython(
          `${height}:${(await pair.rpc(`commit?height=${height}`)).signed_header.commit.block_id.hash}`,
          [JSON.stringify(outcome.receipt)],
        );
        expect(JSON.parse(lines[0]?.replace('proven ', '') ?? '')).toMatchObject(facts);
      } finally {
        await engine.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    TIMEOUT_MS,
  );

  test(
    'tells a gateway the codes of its blocks, from which it answers block_results as the node does',
    async () => {
      const first = (await pair.height()) + 1;
      const asked: string[] = [];
      class ListeningPort extends SocketNodePort {
        override call(url: string, body: string, limits: CallLimits): Promise<string> {
          asked.push(body);
          return super.call(url, body, limits);
        }
      }
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const search = openSqliteSearchStore(':memory:', { chainId: genesis.chainId, genesisHash: genesis.hash });
      const engine = new CometbftEngine({
        genesis,
        nodeUrls: [pair.rpcUrl],
        search,
        port: new ListeningPort(realClock),
        clock: realClock,
        logger,
      });
      try {
        await engine.start();
        const governance = genesisGovernance(genesis);
        await engine.startFrom({
          height: 0,
          hash: '',
          timeMs: 0,
          governance,
          validatorSets: [{ height: 1, validators: governance.validators }],
        });
        for (let reached = 0; reached < first;) reached = await engine.waitForHeight(first, 10_000);
        asked.length = 0;
        await pay(20);
        const last = await pair.height();
        for (let reached = 0; reached < last;) reached = await engine.waitForHeight(last, 10_000);
        const count = (method: string) => asked.filter((body) => body.includes(`"method":"${method}"`)).length;
        const blocks = count('block');
        expect(blocks).toBeGreaterThan(0);
        expect(count('abci_query')).toBe(blocks);
        // A poll may find a block that the node has and has not executed yet.
        expect(count('block_results')).toBeLessThan(blocks / 2);
        for (let height = Math.max(1, last - 20); height <= last; height++) {
          const outcome = await engine.rpc('block_results', { height });
          expect(outcome.ok && JSON.parse(outcome.json)).toEqual(await pair.rpc(`block_results?height=${height}`));
        }
      } finally {
        await engine.close();
      }
    },
    TIMEOUT_MS,
  );

  const deaths: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'the application is killed',
      async () => {
        await pair.killApp();
        await pair.nodeEnded();
        await pair.start();
      },
    ],
    [
      'the node is killed',
      async () => {
        await pair.killNode();
        pair.startNode();
      },
    ],
    [
      'both are killed',
      async () => {
        await Promise.all([pair.killApp(), pair.killNode()]);
        await pair.start();
      },
    ],
    [
      'both are killed, and the stock command takes the last block back',
      async () => {
        await Promise.all([pair.killApp(), pair.killNode()]);
        expect(pair.rollback()).toMatch(/Rolled back state to height \d+/);
        await pair.start();
      },
    ],
    [
      'both are killed, the last block is taken back, and the application wiped',
      async () => {
        await Promise.all([pair.killApp(), pair.killNode()]);
        expect(pair.rollback()).toMatch(/Rolled back state to height \d+/);
        pair.wipeApp();
        await pair.start();
      },
    ],
    [
      'the application is killed and its state wiped',
      async () => {
        await pair.killApp();
        await pair.nodeEnded();
        pair.wipeApp();
        await pair.start();
      },
    ],
  ];

  test.each(deaths)(
    'goes on with the same state when %s',
    async (_name, die) => {
      await pay(20);
      const before = await pair.height();
      await die();
      await pay(20);
      const { height } = await expectSameAsLedger(pair);
      expect(height).toBeGreaterThan(before);
    },
    TIMEOUT_MS,
  );

  test(
    'ends with 0 on SIGTERM, and the pair starts again',
    async () => {
      await pair.killNode('SIGTERM');
      expect(await pair.killApp('SIGTERM')).toBe(0);
      await pair.start();
      await pay(1);
    },
    TIMEOUT_MS,
  );
});

suite('a node without history', () => {
  const pairs: CometbftPair[] = [];
  afterEach(async () => {
    for (const pair of pairs.splice(0)) await pair.dispose();
  });

  test(
    'fetches a snapshot from the other and follows the chain from there',
    async () => {
      // Blocks are made only for transactions, so that the snapshot stays until it was fetched, however long that takes.
      const first = await CometbftPair.create({
        genesis,
        validatorSeed: validatorSeed(0),
        variables: { TXLEDGER_SNAPSHOT_INTERVAL: '20' },
        config: { 'consensus.create_empty_blocks': 'false' },
      });
      pairs.push(first);
      await first.start();
      let nonce = 0;
      /** The header after next holds the app hash, and state sync looks at both. */
      const advance = async (height: number): Promise<void> => {
        for (let at = await first.height(); at < height; at = await first.height()) {
          await first.broadcast(signedTransfer({ from: 0, to: 1 + (nonce % 9), nonce: nonce++ }).raw);
          await first.waitForHeight(at + 1);
        }
      };
      await advance(25);
      const trusted = await first.rpc('commit?height=5');
      const second = await CometbftPair.create({
        genesis,
        variables: { TXLEDGER_CHAIN_ID: TEST_CHAIN_ID },
        config: {
          'p2p.persistent_peers': JSON.stringify(first.peer),
          'statesync.enable': 'true',
          'statesync.rpc_servers': JSON.stringify(`${first.rpcUrl},${first.rpcUrl}`),
          'statesync.trust_height': '5',
          'statesync.trust_hash': JSON.stringify(trusted.signed_header.commit.block_id.hash),
          'statesync.discovery_time': '"5s"',
        },
      });
      pairs.push(second);
      await second.start();
      await second.waitForHeight(24);
      await advance(30);
      const target = 30;
      await second.waitForHeight(target);
      const [ours, theirs] = [await second.rpc(`header?height=${target}`), await first.rpc(`header?height=${target}`)];
      expect(ours.header.app_hash).toBe(theirs.header.app_hash);
      expect(Number((await second.rpc('status')).sync_info.earliest_block_height)).toBeGreaterThan(1);
      await first.broadcast(signedTransfer({ from: 5, to: 6, nonce: 0, amount: 5n }).raw);
      await advance(35);
      await second.waitForHeight(35);
      const account = async (pair: CometbftPair) =>
        bytes((await pair.rpc(`abci_query?path="/account/${devAddress(5)}"`)).response.value).toString();
      expect(await account(second)).toContain('"nonce":1');
      expect(await account(second)).toBe(await account(first));
      // The restored application is whole: it survives a restart.
      await second.killApp();
      await second.nodeEnded();
      second.configure({ 'statesync.enable': 'false' });
      await second.start();
      await advance(40);
      await second.waitForHeight(40);
    },
    TIMEOUT_MS,
  );

  test(
    'becomes a validator by governance and ceases to be one',
    async () => {
      const first = await CometbftPair.create({ genesis, validatorSeed: validatorSeed(0) });
      pairs.push(first);
      await first.start();
      const second = await CometbftPair.create({
        genesis,
        validatorSeed: validatorSeed(1),
        config: { 'p2p.persistent_peers': JSON.stringify(first.peer) },
      });
      pairs.push(second);
      await second.start();
      const powers = async () =>
        (await first.rpc('validators')).validators.map(({ voting_power: power }: any) => Number(power)) as number[];
      await first.broadcast(
        signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 3, sequence: 0 }).raw,
      );
      await first.waitForHeight((await first.height()) + 5);
      expect(await powers()).toEqual([10, 3]);
      await first.broadcast(
        signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 0, sequence: 1 }).raw,
      );
      await first.waitForHeight((await first.height()) + 5);
      expect(await powers()).toEqual([10]);
      await expectSameAsLedger(first);
    },
    TIMEOUT_MS,
  );
});
