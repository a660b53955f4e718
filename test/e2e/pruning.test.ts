/**
 * A node that drops old blocks beside one that keeps all, under real CometBFT v0.38.26: what a gateway answers about old blocks stays the same.
 * COMETBFT names the program; without it nothing here can be tested.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseGenesis, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { COMETBFT, CometbftPair } from '../engine/support/cometbft-pair.ts';
import { validatorKey, validatorSeed } from '../ledger/support.ts';
import { payer, succeeds } from './support/gateway-files.ts';
import { governedGenesis } from './support/governed-chain.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const suite = existsSync(COMETBFT) ? describe : describe.skip;
const CHAIN_ID = 'pruned-net-1';
const TEST_MS_MAX = 300_000;
const POLL_MS = 50;
/** The least that the command takes. */
const KEPT_BLOCKS = 100;
/** So that some blocks can be dropped. */
const BLOCKS = 160;

suite('a node that drops old blocks', () => {
  let archive: CometbftPair;
  let pruned: CometbftPair;
  let gateway: Server;
  let token = '';
  let paid: { txHash: string; height: number };

  const ask = (route: string) => call(`${gateway.baseUrl}${route}`, { token });
  const prune = (...more: string[]) =>
    txledger([
      'prune',
      '--data-dir',
      path.join(pruned.folder, 'app'),
      '--gateway',
      gateway.baseUrl,
      '--archive',
      archive.rpcUrl,
      '--keep-blocks',
      String(KEPT_BLOCKS),
      '--json',
      ...more,
    ]);

  /** What is asked about the payment when its block is long past. */
  async function answers() {
    const routes = [
      `/transactions/${paid.txHash}`,
      `/transactions/${paid.txHash}/receipt`,
      `/accounts/${payer.address}/entries`,
      `/rpc/tx_search?query=${encodeURIComponent(`"tx.height=${paid.height}"`)}`,
      `/rpc/block?height=${paid.height}`,
      `/rpc/block_results?height=${paid.height}`,
      `/rpc/commit?height=${paid.height}`,
    ];
    const asked = await Promise.all(routes.map(async (route) => ({ route, ...(await ask(route)) })));
    // A statement says at which block it was made.
    return Object.fromEntries(asked.map(({ route, status, body }) => [route, { status, body: body.entries ?? body }]));
  }

  beforeAll(async () => {
    const folder = await temporaryFolder('pruning');
    const file = (name: string): string => path.join(folder, `${name}.json`);
    await governedGenesis(folder, CHAIN_ID, [
      '--validator',
      `${validatorKey(0)}=10`,
      '--account',
      `${payer.address}=1000`,
    ]);
    const parsed = parseGenesis(readFileSync(file('genesis')));
    if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
    archive = await CometbftPair.create({
      genesis: parsed.genesis,
      validatorSeed: validatorSeed(0),
      config: { 'consensus.timeout_commit': '"10ms"' },
    });
    await archive.start();
    const dataDir = path.join(folder, 'data');
    token = await succeeds(
      ['token', 'create', '--owner', 'payer', '--scope', 'transactions:read', '--scope', 'transactions:write'],
      { DATA_DIR: dataDir, ENGINE: 'cometbft' },
    );
    const variables = {
      ENGINE: 'cometbft',
      COMETBFT_RPC_URL: archive.rpcUrl,
      GENESIS_FILE: file('genesis'),
      OPERATOR_KEY_FILE: file('canceller'),
    };
    const port = await freePort();
    gateway = new Server({ command: 'serve', dataDir, port, variables });
    await gateway.start();
    const { from, to, amount, nonce, signature } = signTransaction<Transfer>(
      {
        kind: 'transfer',
        chainId: CHAIN_ID,
        from: payer.address,
        to: JSON.parse(readFileSync(file('canceller'), 'utf8')).address,
        amount: 7n,
        nonce: 0,
      },
      payer.seed,
    );
    const answer = await call(`${gateway.baseUrl}/transactions`, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', prefer: 'wait=30' },
      body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
    });
    expect(answer.status).toBe(201);
    paid = { txHash: answer.body.txHash, height: (await ask(`/transactions/${answer.body.txHash}`)).body.height };
    await archive.waitForHeight(paid.height + BLOCKS);
    // From here on at a pace that a node which only listens keeps up with; it fetches what it missed at once.
    await archive.killNode('SIGTERM');
    await archive.killApp('SIGTERM');
    archive.configure({ 'consensus.timeout_commit': '"500ms"' });
    await archive.start();
    pruned = await CometbftPair.create({
      genesis: parsed.genesis,
      config: { 'p2p.persistent_peers': JSON.stringify(archive.peer) },
    });
    await pruned.start();
    await gateway.stop();
    gateway = new Server({
      command: 'serve',
      dataDir,
      port,
      variables: { ...variables, COMETBFT_RPC_URL: `${pruned.rpcUrl},${archive.rpcUrl}` },
    });
    await gateway.start();
  }, READY_MS_MAX + TEST_MS_MAX);

  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await Promise.all([archive?.dispose(), pruned?.dispose()]);
    await removeTemporaryFolders();
  }, TEST_MS_MAX);

  test(
    'nothing is dropped while a gateway cannot be asked',
    async () => {
      const { code, stdout } = await txledger([
        ...['prune', '--data-dir', path.join(pruned.folder, 'app'), '--archive', archive.rpcUrl],
        '--gateway',
        gateway.baseUrl,
        '--gateway',
        `http://127.0.0.1:${await freePort()}`,
        '--json',
      ]);
      expect({ code, message: JSON.parse(stdout).error.message }).toMatchObject({
        code: 5,
        message: expect.stringContaining('Nothing is dropped'),
      });
    },
    TEST_MS_MAX,
  );

  test(
    'what a gateway says about an old payment is the same before and after its block was dropped',
    async () => {
      await pruned.waitForHeight(paid.height + BLOCKS);
      const before = await answers();
      expect(Object.entries(before).map(([route, { status }]) => [route, status])).toEqual(
        Object.keys(before).map((route) => [route, 200]),
      );

      const planned = JSON.parse((await prune('--dry-run')).stdout);
      expect(planned).toMatchObject({ chainId: CHAIN_ID, before: 0, written: false });
      const { code, stdout } = await prune();
      const { retainHeight, written } = JSON.parse(stdout);
      expect({ code, written }).toEqual({ code: 0, written: true });
      expect(retainHeight).toBeGreaterThan(paid.height);

      const earliest = async (pair: CometbftPair): Promise<number> =>
        Number((await pair.rpc('status')).sync_info.earliest_block_height);
      while ((await earliest(pruned)) < retainHeight) await sleep(POLL_MS);
      expect([await earliest(pruned), await earliest(archive)]).toEqual([retainHeight, 1]);

      expect(await answers()).toEqual(before);
    },
    TEST_MS_MAX,
  );
});
