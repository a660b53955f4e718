/** A server of this version started on the folder that an earlier one left when it was killed: it answers as that one did, and goes on. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { writeFixtureKeys } from '../app/fixtures/fixture-keys.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const FIXTURES = path.join(ROOT, 'test/app/fixtures');
const TEST_MS_MAX = 3 * READY_MS_MAX;

let server: Server | undefined;
afterEach(async () => {
  await server?.stop('SIGKILL');
  await removeTemporaryFolders();
});

/** Sentences were reworded since, and the detail of a transfer told less. */
const withoutWords = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (key, each) => (key === 'detail' || key === 'nonce' ? undefined : each)));

describe.each(['97c6cf1', '1886462'])('the folder of %s', (name) => {
  const record = JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8'));

  test('is answered for as before, and what was pending is decided as it would have been', async () => {
    const dataDir = await temporaryFolder('upgrade');
    execFileSync('tar', ['xzf', path.join(FIXTURES, `${name}.tar.gz`), '-C', dataDir]);
    writeFixtureKeys(dataDir);
    const early = await txledger(['token', 'list'], { DATA_DIR: dataDir });
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('start the server on it once, which takes everything over into chain.db')]);
    server = new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '100' } });
    await server.start();
    const { token } = await server.development();
    const get = async (where: string): Promise<any> => (await call(`${server!.baseUrl}${where}`, { token })).body;

    const { transactions } = await get('/transactions?limit=1000');
    expect(transactions.map(({ txHash }: any) => txHash)).toEqual(record.transactions.map(({ txHash }: any) => txHash));
    for (const before of record.details) {
      const now = await get(`/transactions/${before.txHash}`);
      if (before.status !== 'pending') expect(withoutWords(now)).toEqual(withoutWords(before));
      else expect(withoutWords(now)).toMatchObject({ txHash: before.txHash, firstSeenAt: before.firstSeenAt, history: expect.arrayContaining(before.history.slice(0, 1)) });
    }
    for (const { height, hash, codes } of record.blocks) {
      expect((await get(`/rpc/block?height=${height}`)).result.block_id.hash).toBe(hash);
      expect(((await get(`/rpc/block_results?height=${height}`)).result.txs_results ?? []).map(({ code }: any) => code)).toEqual(codes);
    }

    const decided = async (amount: string, status: string): Promise<void> => {
      const { txHash } = record.details.find((detail: any) => detail.status === 'pending' && detail.amount === amount);
      const endMs = performance.now() + READY_MS_MAX;
      let found = await get(`/transactions/${txHash}`);
      while (found.status !== status && performance.now() < endMs) found = await get(`/transactions/${txHash}`);
      expect(found.status).toBe(status);
    };
    await decided('6', 'committed');
    await decided('40', 'cancelled');
    await decided('72', 'pending');
    const [payer, payee] = await Promise.all(record.accounts.slice(0, 2).map(({ address }: any) => get(`/accounts/${address}`)));
    expect({ payer: payer.balance, nonce: payer.nonce }).toEqual({ payer: String(BigInt(record.accounts[0].balance) - 6n), nonce: record.accounts[0].nonce + 1 });
    expect(payee.balance).toBe(String(BigInt(record.accounts[1].balance) + 6n));

    expect(await server.stop()).toBe(0);
    const late = JSON.parse((await txledger(['token', 'list', '--all', '--json'], { DATA_DIR: dataDir })).stdout);
    expect(late.tokens.map(({ id }: any) => id)).toEqual(expect.arrayContaining(record.tokens.map(({ id }: any) => id)));
    await server.start();
  }, TEST_MS_MAX);
});
