/**
 * The end of a gateway before a real node: between SIGTERM and the drain it accepts transfers as before, and whatever it acknowledged is there
 * afterwards. Then a backup of its database is compared with the blocks of that node.
 * COMETBFT names the program; without it nothing here can be tested.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GenesisDocument, parseGenesis, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { tamper } from '../backup/support.ts';
import { COMETBFT, CometbftPair } from '../engine/support/cometbft-pair.ts';
import { validatorKey, validatorSeed } from '../ledger/support.ts';
import { addressOfKeyFile } from './support/role-keys.ts';
import { payer, succeeds } from './support/gateway-files.ts';
import { governedGenesis } from './support/governed-chain.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const suite = existsSync(COMETBFT) ? describe : describe.skip;
const CHAIN_ID = 'lame-duck-net-1';
const DELAY_S = 3;
/** What an operator may rely on after the delay. */
const DRAIN_MS_MAX = 10_000;
/** Between two transfers: a few hundred in all, over many blocks. */
const PACE_MS = 10;
const POLL_MS = 50;
const TEST_MS_MAX = 120_000;

suite('a gateway that ends', () => {
  let folder: string;
  let dataDir: string;
  let pair: CometbftPair;
  let gateway: Server;
  let token: string;
  let variables: Record<string, string>;
  const file = (name: string): string => path.join(folder, `${name}.json`);

  async function serve(drainDelayS: number): Promise<void> {
    gateway = new Server({
      command: 'serve',
      dataDir,
      port: await freePort(),
      variables: { ...variables, DRAIN_DELAY_S: String(drainDelayS) },
    });
    await gateway.start();
  }

  async function genesisIn(at: string, chainId: string): Promise<GenesisDocument> {
    await governedGenesis(at, chainId, [
      '--validator',
      `${validatorKey(0)}=10`,
      '--account',
      `${payer.address}=1000000`,
    ]);
    const parsed = parseGenesis(readFileSync(path.join(at, 'genesis.json')));
    if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
    return parsed.genesis;
  }

  /** @returns the transfer's hash when it was acknowledged; undefined when it was refused, or nobody answered. */
  async function submit(nonce: number): Promise<string | undefined> {
    const { from, to, amount, signature } = signTransaction<Transfer>(
      {
        kind: 'transfer',
        chainId: CHAIN_ID,
        from: payer.address,
        to: addressOfKeyFile(file('canceller')),
        amount: 1n,
        nonce,
      },
      payer.seed,
    );
    const body = JSON.stringify({ from, to, amount: String(amount), nonce, signature });
    const answer = await call(`${gateway.baseUrl}/transactions`, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => undefined);
    return answer?.status === 201 || answer?.status === 202 ? answer.body.txHash : undefined;
  }

  /** Status by hash of every transfer that the gateway lists. */
  async function listed(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { status, body } = await call(
        `${gateway.baseUrl}/transactions?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        { token },
      );
      expect(status).toBe(200);
      for (const each of body.transactions) found.set(each.txHash, each.status);
      cursor = body.nextCursor;
    }
    return found;
  }

  beforeAll(async () => {
    folder = await temporaryFolder('lame-duck');
    dataDir = path.join(folder, 'data');
    pair = await CometbftPair.create({ genesis: await genesisIn(folder, CHAIN_ID), validatorSeed: validatorSeed(0) });
    await pair.start();
    token = await succeeds(
      ['token', 'create', '--owner', 'payer', '--scope', 'transactions:read', '--scope', 'transactions:write'],
      { DATA_DIR: dataDir, ENGINE: 'cometbft' },
    );
    variables = {
      ENGINE: 'cometbft',
      COMETBFT_RPC_URL: pair.rpcUrl,
      GENESIS_FILE: file('genesis'),
      OPERATOR_KEY_FILE: file('canceller'),
    };
    await serve(DELAY_S);
  }, READY_MS_MAX + TEST_MS_MAX);

  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await pair?.dispose();
    await removeTemporaryFolders();
  }, TEST_MS_MAX);

  test(
    'serves everything but /readyz until the drain, exits with 0, and has lost nothing that it acknowledged',
    async () => {
      const acknowledged: { txHash: string; atMs: number }[] = [];
      const sending = (async (): Promise<number> => {
        for (;;) {
          const txHash = await submit(acknowledged.length);
          if (txHash === undefined) return performance.now();
          acknowledged.push({ txHash, atMs: performance.now() });
          await sleep(PACE_MS);
        }
      })();
      while (acknowledged.length < 10) await sleep(POLL_MS);

      const atMs = performance.now();
      const ended = gateway.stop('SIGTERM');
      // The signal takes a moment to arrive.
      while ((await call(`${gateway.baseUrl}/readyz`)).status === 200)
        expect(performance.now() - atMs).toBeLessThan(500 * DELAY_S);
      const statuses = new Set<string>();
      while (performance.now() - atMs < 800 * DELAY_S) {
        const [ready, live, list, rpc] = await Promise.all(
          ['/readyz', '/livez', '/transactions?limit=1', '/rpc/status'].map((route) =>
            call(`${gateway.baseUrl}${route}`, { token }),
          ),
        );
        statuses.add(`${ready?.status} ${ready?.body.code} ${live?.status} ${list?.status} ${rpc?.status}`);
        await sleep(POLL_MS);
      }
      expect([...statuses]).toEqual(['503 shutting_down 200 200 200']);
      expect((await sending) - atMs).toBeGreaterThan(1000 * DELAY_S - POLL_MS);
      expect(acknowledged.filter((each) => each.atMs - atMs > 500 * DELAY_S)).not.toEqual([]);
      expect(await ended).toBe(0);
      expect(performance.now() - atMs).toBeLessThan(1000 * DELAY_S + DRAIN_MS_MAX);

      await serve(0);
      const there = await listed();
      expect(acknowledged.filter(({ txHash }) => !there.has(txHash))).toEqual([]);
      const endMs = performance.now() + READY_MS_MAX;
      const open = async (): Promise<[string, string][]> =>
        [...(await listed())].filter(([, status]) => status !== 'committed');
      for (let left = await open(); left.length > 0; left = await open()) {
        if (performance.now() > endMs) throw new Error(`not settled: ${JSON.stringify(left)}`);
        await sleep(POLL_MS);
      }
    },
    TEST_MS_MAX,
  );

  test(
    'has a backup that verifies with the blocks of its node, and not with those of another chain',
    async () => {
      const backup = path.join(folder, 'backup');
      await succeeds(['backup', '--out', backup], { DATA_DIR: dataDir, GENESIS_FILE: file('genesis') });
      const verified = await txledger(['verify', backup], { COMETBFT_RPC_URL: pair.rpcUrl });
      expect(verified).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`[1-9]\\d* blocks of the node ${new URL(pair.rpcUrl).host}`)),
      });

      const { height } = JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8')).state;
      const genesis = await genesisIn(await temporaryFolder('other-chain'), 'another-net-1');
      const other = await CometbftPair.create({
        genesis,
        validatorSeed: validatorSeed(0),
        config: { 'consensus.timeout_commit': '"1ms"' },
      });
      try {
        await other.start();
        await other.waitForHeight(height + 1);
        const refused = await txledger(['verify', backup], { COMETBFT_RPC_URL: other.rpcUrl });
        expect({ code: refused.code, stderr: refused.stderr }).toEqual({
          code: 1,
          stderr: expect.stringMatching(
            new RegExp(`block ${height} has the hash \\w+ in the database, and \\w+ at the node`),
          ),
        });
      } finally {
        await other.dispose();
      }
    },
    TEST_MS_MAX,
  );

  test(
    'has rows that only the blocks of the node can prove wrong: a transfer and its event in another block',
    async () => {
      await gateway.stop();
      const copy = path.join(folder, 'copy');
      cpSync(dataDir, copy, { recursive: true });
      tamper(
        path.join(copy, 'gateway.db'),
        'UPDATE transfers SET height = height - 1 WHERE seq = (SELECT seq FROM events ORDER BY height, idx LIMIT 1); UPDATE events SET height = height - 1 WHERE seq = (SELECT seq FROM events ORDER BY height, idx LIMIT 1)',
      );
      expect(await txledger(['verify', copy], { GENESIS_FILE: file('genesis') })).toMatchObject({ code: 0 });
      const { code, stderr } = await txledger(['verify', copy], {
        GENESIS_FILE: file('genesis'),
        COMETBFT_RPC_URL: pair.rpcUrl,
      });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/is settled by it in the database, and is not in it at the node/),
      });
    },
    TEST_MS_MAX,
  );
});
