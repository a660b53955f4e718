/**
 * Refuses a chain.db that does not match the files beside it: a copy of an earlier moment, or a copy of a running service made with `cp`.
 *
 * Data that is made from the blocks (statements, the search index, webhooks' places) is never ahead of the chain and its log, because a
 * block is in the log before any data is made from it. A copy whose pages are of two moments differs in the rows that were written last:
 * the transfers that the newest blocks settled. So these are compared row by row, in some ten milliseconds; `txledger verify` compares all.
 *
 * @module
 */
import { decodeBlock } from '../engine/encoding/index.ts';
import { codesOf, sqliteChainStore } from '../engine/embedded/index.ts';
import { heightIn } from '../engine/sqlite/database.ts';
import { EngineStartError } from '../engine/start-error.ts';
import { decodeTransaction, type GenesisDocument, txHash } from '../ledger/index.ts';
import { ChainRows } from '../store/backup/chain-rows.ts';
import { StoreDamagedError } from '../store/errors.ts';
import type { ChainConnection } from '../store/embedded/connection.ts';
import type { DataDirFile } from './data-dir-files.ts';

/** The newest blocks are compared until they hold TRANSACTIONS_LOOKED_AT transactions, but at most BLOCKS_LOOKED_AT blocks. */
const TRANSACTIONS_LOOKED_AT = 500;
const BLOCKS_LOOKED_AT = 100;

/** Runs when chain.db has every entry of the log. @throws EngineStartError that states the difference. */
export function refuseOldCopy(
  sql: ChainConnection,
  files: Readonly<Record<DataDirFile, string>>,
  genesis: GenesisDocument,
): void {
  const store = sqliteChainStore({ sql, writing: (work) => work() });
  const height = store.height();
  const others: readonly (readonly [name: string, known: number | undefined])[] = [
    ['statements.db', heightIn(files.statements, genesis.hash)],
    ['search.db', heightIn(files.search, genesis.hash)],
    ['a webhook', furthestWebhook(sql)],
  ];
  for (const [name, known] of others) {
    if (known === undefined || known <= height) continue;
    throw new EngineStartError(
      `chain.db is missing or an old copy: ${name} knows block ${known}, and the last block of chain.db is ${height}. The validator signed blocks that are not there, and signing others ` +
        'at these heights would let two histories verify. Put the chain.db back that belongs to it. If it is lost, make a new data folder of the newest backup with `txledger restore`, which says what is lost',
    );
  }
}

/** The highest block whose events were sent to a webhook; its row may be in a file of an earlier version. */
const furthestWebhook = (sql: ChainConnection): number | undefined =>
  sql.prepare<[], number | null>('SELECT max(place_height) FROM webhooks').pluck().get() ?? undefined;

/** Runs before any entry of the log is written into chain.db. @throws EngineStartError that states the difference. */
export function refuseTornCopy(sql: ChainConnection, genesis: GenesisDocument): void {
  const store = sqliteChainStore({ sql, writing: (work) => work() });
  const height = store.height();
  const rows = new ChainRows(sql, genesis);
  let transactions = 0;
  for (let at = height; at > 0 && at > height - BLOCKS_LOOKED_AT && transactions < TRANSACTIONS_LOOKED_AT; at -= 1) {
    const stored = store.block(at);
    const executed = store.executed(at);
    // The engine has a more precise message for a missing or unreadable block.
    if (stored === undefined || executed === undefined) return;
    if (stored.transactionCount === 0) continue;
    transactions += stored.transactionCount;
    checkNewest(
      rows,
      at,
      Number(stored.timeNs / 1_000_000n),
      stored.bytes,
      codesOf(stored.transactionCount, executed.failures),
    );
  }
}

function checkNewest(
  rows: ChainRows,
  height: number,
  timeMs: number,
  bytes: Uint8Array,
  codes: readonly number[],
): void {
  let raws: readonly Uint8Array[];
  try {
    raws = decodeBlock(bytes).transactions;
  } catch {
    return;
  }
  const transactions = raws.map((raw, index) => {
    const decoded = decodeTransaction(raw);
    return { tx: decoded.ok ? decoded.tx : undefined, hash: txHash(raw), code: codes[index] ?? Number.NaN };
  });
  try {
    rows.checkBlock({ height, timeMs, transactions });
  } catch (error) {
    if (!(error instanceof StoreDamagedError)) throw error;
    throw new EngineStartError(
      `chain.db is damaged, or a copy that was made while a service wrote it: ${error.message}. Put back a copy that \`txledger backup\` made (\`txledger restore\`), or the files chain.db, chain.db-wal and chain.db-shm of one stopped service together`,
    );
  }
}
