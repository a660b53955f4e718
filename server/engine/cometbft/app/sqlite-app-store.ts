/**
 * The application's state in SQLite: chain, height, app hash, governance, accounts and the tree over them, all of one block in one
 * transaction.
 *
 * A commit is not fsynced: the node keeps every block and executes again what an application lost. The order of commits survives a power
 * cut, so afterwards the file holds the complete state of some earlier height.
 */
import { type AccountRow, leafHashOf } from '../../../ledger/index.ts';
import type { Logger } from '../../ports.ts';
import { SqliteDatabase } from '../../sqlite/database.ts';
import { LEDGER_TABLES_SQL, type LedgerReader, ledgerTables } from '../../sqlite/ledger-tables.ts';
import { FACTS_PAGE, headOf, openReader, SELECT_STATE, type StateSqlRow } from './sqlite-app-reader.ts';
import { ACCOUNT_INDEX_SQL, DROP_ACCOUNT_INDEX_SQL, PagedAccounts } from './sqlite-paged-accounts.ts';
import { NODE_TABLES_SQL, PagedNodes } from './sqlite-paged-nodes.ts';
import type { AppStore, StateChange, StoredState } from './store.ts';
import { writeTree } from './sqlite-tree-writer.ts';

const MIGRATIONS: readonly string[] = [
  `
    ${LEDGER_TABLES_SQL}
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      chain_id TEXT NOT NULL,
      address_prefix TEXT NOT NULL,
      height INTEGER NOT NULL,
      app_hash BLOB NOT NULL
    ) STRICT;
  `,
  NODE_TABLES_SQL,
];
/** Rough size of one changed row in the log, for the checkpoint policy: a page is rewritten for it. */
const ROW_BYTES_ESTIMATE = 4096;

export interface AppStoreOptions {
  /** Logs an upgrade that takes long. */
  readonly logger?: Logger;
  /** Cache size for accounts, and the same for nodes; set by tests. */
  readonly cacheBytesMax?: number;
}

/**
 * Opens or creates the store. The caller holds the lock on the folder. Throws EngineStartError when the file was not written by this
 * program.
 */
export function openSqliteAppStore(path: string, { logger, cacheBytesMax }: AppStoreOptions = {}): AppStore {
  const database = new SqliteDatabase({ path, migrations: MIGRATIONS });
  const { sql } = database;
  const ledger = ledgerTables(sql);
  const selectState = sql.prepare(SELECT_STATE);
  const insertState = sql.prepare(
    'INSERT INTO state (id, chain_id, address_prefix, height, app_hash) VALUES (1, ?, ?, ?, ?)',
  );
  const updateState = sql.prepare('UPDATE state SET height = ?, app_hash = ? WHERE height = ? - 1');
  const needsTree = sql
    .prepare('SELECT EXISTS (SELECT 1 FROM accounts) AND NOT EXISTS (SELECT 1 FROM tree_tiles)')
    .pluck();
  let pages: { accounts: PagedAccounts; nodes: PagedNodes } | undefined;

  /** Builds the index and the tree from all accounts. */
  const index = (): void => {
    sql.exec('DELETE FROM tree_tiles; DELETE FROM tree_roots');
    writeTree(sql, ledger, logger);
    sql.exec(ACCOUNT_INDEX_SQL);
  };
  const openPages = (): { accounts: PagedAccounts; nodes: PagedNodes } => {
    const accounts: PagedAccounts = new PagedAccounts({ sql, verify: (row) => verifyRow(nodes, row), cacheBytesMax });
    const nodes = new PagedNodes(sql, accounts.size, cacheBytesMax);
    return { accounts, nodes };
  };

  // A file of a version that kept the tree in memory.
  if (needsTree.get() === 1) {
    logger?.info({ path }, 'upgrading app.db: the tree of the accounts moves from memory into the file');
    sql.transaction(index).immediate();
    sql.pragma('wal_checkpoint(TRUNCATE)');
  }

  const replace = sql.transaction(({ chain, height, appHash, accounts, governance }: StoredState) => {
    ledger.clear();
    sql.exec(DROP_ACCOUNT_INDEX_SQL);
    sql.exec('DELETE FROM state');
    ledger.write(accounts, governance);
    insertState.run(chain.chainId, chain.addressPrefix, height, appHash);
    index();
  });
  const commit = sql.transaction(({ height, appHash, accounts, governance }: StateChange) => {
    ledger.write(accounts, governance);
    pages?.nodes.save();
    if (updateState.run(height, appHash, height).changes !== 1)
      throw new Error(`app.db is not at height ${height - 1}`);
  });

  return {
    load() {
      const row = selectState.get() as StateSqlRow | undefined;
      return row && { ...headOf(row), governance: ledger.governance(), accounts: accountsIn(ledger) };
    },
    pages: () => (pages = openPages()),
    replace(state) {
      pages = undefined;
      replace.immediate(state);
      // A state of millions of accounts leaves a log as large as the file.
      sql.pragma('wal_checkpoint(TRUNCATE)');
    },
    commit(change) {
      commit.immediate(change);
      database.wrote((change.accounts.length + (pages?.nodes.unsaved ?? 0) + 1) * ROW_BYTES_ESTIMATE);
      pages?.accounts.saved();
      pages?.nodes.saved();
    },
    reader: () => openReader(path),
    maintain: (idle) => database.maintain(idle),
    close: () => database.close(),
  };
}

/**
 * Iterates over accounts a page at a time, starting when the first is read: an open query would block the connection for everything else.
 */
function* accountsIn(ledger: LedgerReader): Generator<AccountRow> {
  for (let next = 0; ;) {
    const page = ledger.page(next, FACTS_PAGE);
    yield* page;
    if (page.length < FACTS_PAGE) return;
    next = (page.at(-1) as AccountRow).leaf + 1;
  }
}

/** Detects bytes that changed on the disk when they are read, before anything is decided by them. */
function verifyRow(nodes: PagedNodes, row: AccountRow): void {
  if (Buffer.compare(nodes.level(0).read(row.leaf), leafHashOf(row)) === 0) return;
  throw new Error(`app.db is damaged: account ${row.address} is not what its tree commits to`);
}
