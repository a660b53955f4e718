/**
 * What a page of tx_search costs as the chain grows: the same methods, stores and index as in the product, over blocks of 100
 * synthetic transactions each.
 *
 *   node test/bench/tx-search.ts [transactions ...]      default 1000 100000
 *
 * A million take about a minute and a gigabyte of temporary disk. Prints, for each size and query, the best and the median of
 * many answers in milliseconds, for the first page, one in the middle and the last, and what indexing cost a transaction.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arguments } from '../../server/engine/rpc/arguments.ts';
import { sqliteChainStore } from '../../server/engine/embedded/index.ts';
import { resultsOf } from '../../server/engine/results.ts';
import { BlockReader } from '../../server/engine/embedded/rpc/block-reader.ts';
import type { RpcContext } from '../../server/engine/embedded/rpc/context.ts';
import { TRANSACTION_METHODS } from '../../server/engine/embedded/rpc/transactions.ts';
import { SearchIndex } from '../../server/engine/search/search-index.ts';
import { compositeEvents, Searcher } from '../../server/engine/search/searcher.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import type { Chain } from '../../server/engine/embedded/chain.ts';
import { EMPTY_COMMIT, EMPTY_ROOT, encodeBlock, sha256 } from '../../server/engine/encoding/index.ts';
import { encodeTransaction } from '../../server/ledger/index.ts';
import { openChainFile } from '../engine/support/chain-file.ts';
import { devAddress } from '../ledger/support.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { unsignedHeader } from '../engine/support/unsigned-header.ts';

const TRANSACTIONS_PER_BLOCK = 100;
const ACCOUNTS = 10_000;
const ROUNDS = 60;
const PER_PAGE = 30;
const identity = { chainId: 'bench', genesisHash: 'AB' };
const logger = {
  debug() {},
  info() {},
  warn() {},
  error: (fields: object, message: string) => console.error(message, fields),
};

/** Looks like an address, and is the address of no key. */
const party = (i: number) =>
  `txlt1${sha256(Buffer.from(String(i)))
    .toString('hex')
    .slice(0, 58)
    .replaceAll('1', 'q')
    .replaceAll('b', 'z')}`;
const parties = Array.from({ length: ACCOUNTS }, (_, i) => party(i));

/** A transfer as it stands in a block, whose signature is not looked at. */
function transaction(ordinal: number): Uint8Array {
  // Every second payment is the hot account's, one receiver is rare.
  const from = ordinal % 2 === 0 ? devAddress(0) : (parties[(ordinal * 7919) % ACCOUNTS] as string);
  const to = ordinal % 1000 === 7 ? devAddress(9) : (parties[(ordinal * 104_729) % ACCOUNTS] as string);
  return encodeTransaction({
    kind: 'transfer',
    chainId: identity.chainId,
    from,
    to,
    amount: BigInt(ordinal + 1),
    nonce: ordinal,
    signature: 'a'.repeat(128),
  });
}

async function measure(transactions: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-bench-search-'));
  const file = openChainFile(folder);
  const chain = sqliteChainStore(file.database);
  const store = openSqliteSearchStore(join(folder, 'search.db'), identity);
  const tip = { height: 0 };
  const reader = new BlockReader({ store: chain, tip } as unknown as Chain);
  const source = {
    height: () => tip.height,
    events: (height: number) => reader.resultsOnce(height).map(({ events }) => events),
  };
  const index = new SearchIndex({ store, source, clock: realClock, logger });
  let indexUs = 0;
  for (let height = 1; height <= transactions / TRANSACTIONS_PER_BLOCK; height++) {
    const raws = Array.from({ length: TRANSACTIONS_PER_BLOCK }, (_, i) =>
      transaction((height - 1) * TRANSACTIONS_PER_BLOCK + i),
    );
    const results = resultsOf(raws, []);
    const bytes = encodeBlock({
      header: unsignedHeader(identity.chainId, height),
      transactions: raws,
      lastCommit: EMPTY_COMMIT,
    });
    const id = { hash: sha256(bytes), parts: { total: 1, hash: EMPTY_ROOT } };
    const block = { height, id, bytes, timeNs: 0n, transactionCount: raws.length };
    // The lookup by hash is no part of what is measured, and the dearest to fill.
    const nothing = {
      commit: Buffer.alloc(0),
      appHash: EMPTY_ROOT,
      resultsHash: EMPTY_ROOT,
      failures: [],
      transactions: [],
      accounts: [],
      governance: undefined,
    };
    const signed = { height, round: 0, step: 3, signature: undefined, signBytes: undefined };
    chain.append({ ...nothing, block, signed }, () => {});
    tip.height = height;
    // CPU time, because the writing of segments happens between blocks, when the index finds the time.
    const before = process.cpuUsage();
    index.add(
      height,
      results.map(({ events }) => events),
    );
    await new Promise<void>((resolve) => {
      realClock.setTimer(resolve, 0);
    });
    const { user, system } = process.cpuUsage(before);
    indexUs += user + system;
    chain.maintain(height % 100 === 0);
  }
  while (index.height < tip.height) await new Promise((resolve) => realClock.setTimer(() => resolve(undefined), 1));

  const events = (place: { height: number; index: number }) =>
    compositeEvents(place.height, '', reader.transaction(place.height, place.index)?.result.events ?? []);
  const searcher = new Searcher({ index, clock: realClock, height: () => tip.height, locate: () => undefined, events });
  const context = { searcher, reader, clock: realClock } as unknown as RpcContext;
  console.log(`${transactions} transactions, indexed with ${(indexUs / transactions).toFixed(1)} us of CPU each`);
  const half = Math.floor(tip.height / 2);
  for (const query of [
    `transfer.from='${devAddress(0)}'`,
    `transfer.to='${devAddress(9)}'`,
    `tx.height > ${half}`,
    `transfer.from='${devAddress(0)}' AND tx.height > ${half} AND tx.height < ${half + 100}`,
  ]) {
    const answer = async (page: number, order_by: string) => {
      const args = new Arguments({ query, page, per_page: PER_PAGE, order_by });
      return TRANSACTION_METHODS.tx_search(context, args);
    };
    const { total_count } = JSON.parse((await answer(1, 'asc')).text) as { total_count: string };
    const pages = Math.max(1, Math.ceil(Number(total_count) / PER_PAGE));
    const figures: string[] = [];
    for (const [name, page] of [
      ['first', 1],
      ['middle', Math.ceil(pages / 2)],
      ['last', pages],
    ] as const) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const before = performance.now();
        await answer(page, round % 2 === 0 ? 'asc' : 'desc');
        times.push(performance.now() - before);
      }
      times.sort((a, b) => a - b);
      figures.push(`${name} ${times[0]?.toFixed(2)} / ${times[Math.floor(ROUNDS / 2)]?.toFixed(2)}`);
    }
    console.log(
      `  ${query.replace(/txlt1\w+/g, (address) => `${address.slice(0, 9)}..`).padEnd(70)} ${total_count.padStart(7)} found, ms a page (best / median): ${figures.join(', ')}`,
    );
  }
  index.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
}

const sizes = process.argv.slice(2).map(Number);
for (const size of sizes.length > 0 ? sizes : [1_000, 100_000]) await measure(size);
