import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Entry } from '../../client/src/index.ts';
import { amountsIn } from '../../server/cli/amounts.ts';
import { call, txledger } from './support/server.ts';
import { withOwnChain, type Chain } from './support/development.ts';
import { cases } from '../support/many-cases.ts';

/** Statements of a real server: read at once after what they must hold, over kills, and after the file is gone. */
const chain = withOwnChain({ BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'info' });

const TEST_MS_MAX = 240_000;
const ACCOUNTS = 4;

async function entriesOf(running: Chain, address: string, query = ''): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let cursor = ''; ;) {
    const answer = await running.get(`/accounts/${address}/entries?limit=50${query}${cursor}`);
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    all.push(...answer.body.entries);
    if (answer.body.nextCursor === undefined) return all;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
}

/** Once nothing is pending: entries, balances at heights and CSV are one account of the same. */
async function expectConsistent(running: Chain): Promise<Entry[][]> {
  while ((await running.list('&status=pending')).length > 0) await sleep(50);
  const opening = 10n ** 15n;
  return await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, at) => {
      const { address } = running.account(at);
      const entries = (await entriesOf(running, address)).reverse();
      let balance = opening;
      for (const [index, { direction, amount, balanceAfter, height }] of entries.entries()) {
        balance += direction === 'in' ? BigInt(amount) : -BigInt(amount);
        expect(balanceAfter).toBe(String(balance));
        if (entries[index + 1]?.height === height || index % 10 > 0) continue;
        expect((await running.get(`/accounts/${address}?height=${height}`)).body.balance).toBe(balanceAfter);
      }
      expect((await running.get(`/accounts/${address}`)).body.balance).toBe(String(balance));
      const csv = await call(`${running.server.baseUrl}/accounts/${address}/entries?order=asc`, {
        token: running.dev.token,
        headers: { accept: 'text/csv' },
      });
      expect(
        csv.body
          .split('\r\n')
          .slice(1, -1)
          .map((line: string) => line.split(',')[3]),
      ).toEqual(entries.map(({ txHash }) => txHash));
      return entries;
    }),
  );
}

test('a service without transactions keeps no statements until one is asked for', async () => {
  const running = chain();
  const file = path.join(running.server.dataDir, 'statements.db');
  expect(existsSync(file)).toBe(false);
  expect(await running.get(`/accounts/${running.account(0).address}/entries`)).toMatchObject({
    status: 200,
    body: { entries: [] },
  });
  expect(existsSync(file)).toBe(true);
});

test(
  'what was answered as committed is in the statement of both sides at once',
  async () => {
    const running = chain();
    const [from, to] = [running.account(0), running.account(1)];
    for (let nonce = 0; nonce < 25; nonce++) {
      const sent = await running.submit(running.signed(0, 1, BigInt(nonce + 1), nonce), { prefer: 'wait=10' });
      expect(sent.body.status).toBe('committed');
      for (const { address } of [from, to]) {
        const { body } = await running.get(`/accounts/${address}/entries?limit=1`);
        expect(body.entries[0]).toMatchObject({
          txHash: sent.body.txHash,
          height: sent.body.height,
          amount: String(nonce + 1),
        });
      }
    }
    await expectConsistent(running);
  },
  TEST_MS_MAX,
);

test(
  'a block of the future is 404, and the one that was the last is not',
  async () => {
    const running = chain();
    const { height } = (await running.get('/chain')).body;
    expect((await running.get(`/accounts/${running.account(0).address}?height=${height}`)).status).toBe(200);
    expect(
      (await running.get(`/accounts/${running.account(0).address}?height=${height + 100_000}`)).body,
    ).toMatchObject({ status: 404, code: 'not_found' });
    expect((await running.get(`/accounts/${running.account(0).address}?height=0`)).body).toMatchObject({
      balance: String(10n ** 15n),
      nonce: 0,
    });
  },
  TEST_MS_MAX,
);

test(
  'a cancel moves the nonce and no money',
  async () => {
    const running = chain();
    const { address } = running.account(2);
    const waiting = running.signed(2, 1, 5n, 1);
    await running.submit(waiting);
    const { body } = await running.cancel(waiting.txHash);
    const first = await running.submit(running.signed(2, 1, 7n, 0), { prefer: 'wait=10' });
    expect((await running.get(`/accounts/${address}?height=${body.height}`)).body).toMatchObject({
      nonce: 0,
      balance: String(10n ** 15n),
    });
    expect((await running.get(`/accounts/${address}?height=${first.body.height}`)).body).toMatchObject({
      nonce: 2,
      balance: String(10n ** 15n - 7n),
    });
    expect(await entriesOf(running, address)).toHaveLength(1);
  },
  TEST_MS_MAX,
);

test(
  'are exact over kills under load, and the same when they are made again',
  async () => {
    const running = chain();
    const file = path.join(running.server.dataDir, 'statements.db');
    const nonces = new Map<number, number>();
    for (let at = 0; at < ACCOUNTS; at++) nonces.set(at, await running.nextNonce(running.account(at).address));
    for (let kill = 0; kill < 3; kill++) {
      for (let round = 0; round < cases(4, 12); round++) {
        await Promise.all(
          Array.from({ length: ACCOUNTS }, async (_, from) => {
            const nonce = nonces.get(from) as number;
            nonces.set(from, nonce + 1);
            const { status } = await running.submit(
              running.signed(from, (from + round) % ACCOUNTS, BigInt(1 + round), nonce),
            );
            expect(status).toBe(202);
          }),
        );
      }
      await running.server.stop('SIGKILL');
      // A thread of its own finds a file that was cut off, or none, and makes it again while the server serves.
      if (kill === 1) truncateSync(file, Math.floor(statSync(file).size / 2));
      if (kill === 2) rmSync(file);
      await running.server.start();
      await expectConsistent(running);
    }
    const before = await expectConsistent(running);
    await running.server.stop();
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    await running.server.start();
    const after = await expectConsistent(running);
    for (const [at, entries] of before.entries()) expect(after[at]?.slice(0, entries.length)).toEqual(entries);
    expect(existsSync(file)).toBe(true);
  },
  TEST_MS_MAX,
);

test(
  'txledger statement prints a table, CSV and JSON',
  async () => {
    const running = chain();
    const { address } = running.account(1);
    const variables = { DATA_DIR: running.server.dataDir };
    const entries = (await entriesOf(running, address)).reverse();
    const [table, csv, json] = await Promise.all([
      txledger(['statement', address], variables),
      txledger(['statement', 'dev-1', '--csv', '--from', '2020-01-01'], variables),
      txledger(['statement', 'dev-1', '--json', '--order', 'desc', '--to', '2020-01-01'], variables),
    ]);
    const lines = table.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(entries.length + 1);
    const last = entries.at(-1) as Entry;
    const shown = amountsIn({ code: 'DEV', scale: 2 });
    expect(lines.at(-1)).toMatch(
      new RegExp(
        `^${last.blockTime} +${last.height} +[+-]${shown(last.amount)} +${shown(last.balanceAfter)} +${last.counterparty} +${last.txHash}`,
      ),
    );
    const whole = await call(`${running.server.baseUrl}/accounts/${address}/entries?order=asc`, {
      token: running.dev.token,
      headers: { accept: 'text/csv' },
    });
    expect(csv.stdout).toBe(whole.body);
    expect(JSON.parse(json.stdout)).toEqual({ entries: [] });
    expect((await txledger(['statement', 'dev-1', '--from', 'yesterday'], variables)).stderr).toContain(
      'expected a day such as 2026-11-01',
    );
  },
  TEST_MS_MAX,
);
