import { expect, test } from '@jest/globals';
import { TransactionsAhead } from '../../server/app/threads/transactions-ahead.ts';
import { openReadOnly } from '../../server/store/sqlite/library.ts';
import { sqliteChainStore } from '../../server/engine/embedded/index.ts';
import { decodeBlock } from '../../server/engine/encoding/index.ts';
import { pace } from '../../server/cli/progress.ts';
import { counted } from '../../server/app/counted.ts';
import { readGenesisFile } from '../../server/app/backup/genesis-file.ts';
import type { GenesisDocument } from '../../server/ledger/index.ts';
import { unpackFolders } from './support.ts';

const ZERO = '0'.charCodeAt(0);
/** Every thread dies at its first block. */
const DYING = new URL(
  `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1));")}`,
);

async function blocks(change: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes): Promise<{
  read: (height: number) => Uint8Array | undefined;
  height: number;
  counts: number[];
  chain: GenesisDocument;
}> {
  const { chain } = await unpackFolders();
  const sql = openReadOnly(`${chain}/chain.db`);
  const store = sqliteChainStore({ sql, writing: (work) => work() });
  const stored = Array.from({ length: store.height() }, (_, i) => store.block(i + 1)?.bytes as Uint8Array);
  sql.close();
  // The same blocks again, so that there are enough of them for threads.
  const many = Array.from({ length: 100 }, () => stored)
    .flat()
    .slice(0, 200);
  return {
    read: (height) => change(many[height - 1] as Uint8Array),
    height: many.length,
    counts: many.map((bytes) => decodeBlock(bytes).transactions.length),
    chain: readGenesisFile(`${chain}/genesis.json`),
  };
}

async function verdicts(threads: number, from: Awaited<ReturnType<typeof blocks>>, worker?: URL): Promise<number> {
  const ahead = new TransactionsAhead({
    chain: from.chain,
    read: from.read,
    from: 1,
    to: from.height,
    threads,
    ...(worker && { worker }),
  });
  let verified = 0;
  try {
    for (let height = 1; height <= from.height; height += 1) {
      await ahead.ready(height);
      for (let index = 0; index < (from.counts[height - 1] ?? 0); index += 1)
        if (ahead.isVerified(height, index)) verified += 1;
      expect(ahead.isVerified(height, from.counts[height - 1] ?? 0)).toBe(false);
    }
  } finally {
    await ahead.close();
  }
  return verified;
}

test('threads verify every transaction of every block, in order, and none that was changed', async () => {
  const good = await blocks();
  const all = good.counts.reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThan(0);
  expect(await verdicts(2, good)).toBe(all);
  // One digit of the signature for another: still a transaction in the canonical form.
  const bad = await blocks((bytes) => {
    const changed = Uint8Array.from(bytes);
    const [raw] = decodeBlock(bytes).transactions;
    if (raw === undefined) return changed;
    const signature = /"signature":"[0-9a-f]{127}/.exec(Buffer.from(raw).toString('latin1'));
    if (signature === null) throw new Error('a transaction without a signature');
    const at = Buffer.from(bytes).indexOf(raw) + signature.index + signature[0].length;
    changed[at] = changed[at] === ZERO ? ZERO + 1 : ZERO;
    return changed;
  });
  expect(await verdicts(2, bad)).toBe(all - bad.counts.filter((count) => count > 0).length);
});

test('threads that die leave the work to the caller, who waits for none of them', async () => {
  expect(await verdicts(2, await blocks(), DYING)).toBe(0);
});

test('the bar says how long is left, and one of a thing is not many', () => {
  expect(pace(10, 100, 1000)).toBe(', 10 a second');
  expect(pace(50, 150, 5000)).toBe(', 10 a second, 10 s left');
  expect(pace(50, 6050, 5000)).toBe(', 10 a second, 10 min left');
  expect(pace(100, 100, 5000)).toBe(', 20 a second');
  expect([counted(1, 'balance'), counted(0, 'balance'), counted(2, 'balance')]).toEqual([
    '1 balance',
    '0 balances',
    '2 balances',
  ]);
});
