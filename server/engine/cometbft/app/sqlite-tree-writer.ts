/**
 * Writes the tree over accounts that are already in the file: of a genesis, of a restored snapshot, and of a file from a version that kept
 * the tree in memory. It needs the memory of one slice, for any number of accounts.
 */
import type { Database } from 'better-sqlite3';
import { leafHashOf, VectorTree } from '../../../ledger/index.ts';
import type { Logger } from '../../ports.ts';
import type { LedgerReader } from '../../sqlite/ledger-tables.ts';
import { PagedNodes, TILE_LEAVES } from './sqlite-paged-nodes.ts';

/** Accounts of one slice: some 1,000 tiles, 4 MiB, are written together. */
const SLICE_ACCOUNTS = 1_000 * TILE_LEAVES;
/** Accounts between two log lines: about every 3 s. */
const PROGRESS_ACCOUNTS = 10 * SLICE_ACCOUNTS;

/** Writes the tree, inside a transaction and into empty tables. */
export function writeTree(sql: Database, ledger: Pick<LedgerReader, 'page'>, logger: Logger | undefined): void {
  const nodes = new PagedNodes(sql, 0);
  const tree = new VectorTree(nodes);
  for (;;) {
    const rows = ledger.page(tree.size, SLICE_ACCOUNTS);
    for (const row of rows) {
      if (row.leaf !== tree.size) throw new Error(`the stored accounts are damaged at leaf ${tree.size}`);
      tree.set(row.leaf, leafHashOf(row));
    }
    tree.root();
    nodes.save();
    nodes.saved();
    if (tree.size > 0 && tree.size % PROGRESS_ACCOUNTS === 0)
      logger?.info({ accounts: tree.size }, 'writing the tree of the accounts');
    if (rows.length < SLICE_ACCOUNTS) break;
  }
}
