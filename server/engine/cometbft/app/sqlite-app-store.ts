/**
 * The application's state in SQLite: chain, height, app hash, accounts and governance, all of one block in one transaction.
 *
 * A commit is not fsynced: the node keeps every block and executes again what an application lost. The order of commits survives a power
 * cut, so what is found afterwards is the state of some earlier height, whole.
 */
import Database from 'better-sqlite3';
import { type AccountRow, type AddressPrefix, LedgerState } from '../../../ledger/index.ts';
import { upperHex } from '../../encoding/index.ts';
import { EngineStartError } from '../../start-error.ts';
import { SqliteDatabase } from '../../sqlite/database.ts';
import { LEDGER_TABLES_SQL, ledgerReader, ledgerTables } from '../../sqlite/ledger-tables.ts';
import type { AppStore, StateChange, StateReader, StoredState } from './store.ts';

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
];
const SELECT_STATE =
  'SELECT chain_id AS chainId, address_prefix AS addressPrefix, height, app_hash AS appHash FROM state';

/** Rows read at a time where the whole state is read without changing the file. */
const FACTS_PAGE = 10_000;

/** Rough size of one changed row in the log, for the checkpoint policy: a page is rewritten for it. */
const ROW_BYTES_ESTIMATE = 4096;

interface StateSqlRow {
  chainId: string;
  addressPrefix: AddressPrefix;
  height: number;
  appHash: Buffer;
}

function headOf({ chainId, addressPrefix, height, appHash }: StateSqlRow): Pick<StoredState, 'chain' | 'height' | 'appHash'> {
  return { chain: { chainId, addressPrefix }, height, appHash };
}

/** A connection of its own, whose transaction keeps seeing what was committed when it began. */
function openReader(path: string): StateReader | undefined {
  const sql = new Database(path, { readonly: true });
  sql.exec('BEGIN');
  const row = sql.prepare(SELECT_STATE).get() as StateSqlRow | undefined;
  if (!row) {
    sql.close();
    return undefined;
  }
  const ledger = ledgerReader(sql);
  return { ...headOf(row), governance: ledger.governance(), page: (leaf, count) => ledger.page(leaf, count), close: () => void sql.close() };
}

/** The caller holds the lock on the folder. Throws EngineStartError when the file is none of this program's. */
export function openSqliteAppStore(path: string): AppStore {
  const database = new SqliteDatabase({ path, migrations: MIGRATIONS });
  const { sql } = database;
  const ledger = ledgerTables(sql);
  const selectState = sql.prepare(SELECT_STATE);
  const insertState = sql.prepare('INSERT INTO state (id, chain_id, address_prefix, height, app_hash) VALUES (1, ?, ?, ?, ?)');
  const updateState = sql.prepare('UPDATE state SET height = ?, app_hash = ? WHERE height = ? - 1');

  const replace = sql.transaction(({ chain, height, appHash, accounts, governance }: StoredState) => {
    ledger.clear();
    sql.exec('DELETE FROM state');
    ledger.write(accounts, governance);
    insertState.run(chain.chainId, chain.addressPrefix, height, appHash);
  });
  const commit = sql.transaction(({ height, appHash, accounts, governance }: StateChange) => {
    ledger.write(accounts, governance);
    if (updateState.run(height, appHash, height).changes !== 1) throw new Error(`app.db is not at height ${height - 1}`);
  });

  return {
    load() {
      const row = selectState.get() as StateSqlRow | undefined;
      return row && { ...headOf(row), governance: ledger.governance(), accounts: ledger.accounts() };
    },
    replace: (state) => void replace.immediate(state),
    commit(change) {
      commit.immediate(change);
      database.wrote((change.accounts.length + 1) * ROW_BYTES_ESTIMATE);
    },
    reader: () => openReader(path),
    maintain: (idle) => database.maintain(idle),
    close: () => database.close(),
  };
}

/** What an app.db holds, in numbers, without changing it; undefined when nothing was ever stored. */
export function factsOfApp(path: string): (Pick<StoredState, 'chain' | 'height' | 'appHash'> & { supply: bigint; accounts: number }) | undefined {
  const reader = openReader(path);
  if (reader === undefined) return undefined;
  try {
    const { chain, height, appHash } = reader;
    let supply = 0n;
    let accounts = 0;
    for (let page = reader.page(0, FACTS_PAGE); page.length > 0; page = reader.page(accounts, FACTS_PAGE)) {
      for (const { account } of page) supply += account.balance;
      accounts += page.length;
    }
    return { chain, height, appHash, supply, accounts };
  } finally {
    reader.close();
  }
}


/** Whether the accounts of an app.db give the application hash that was recorded with them. Throws EngineStartError where they do not. */
export function checkAppState(path: string): { height: number; accounts: number } {
  const reader = openReader(path);
  if (reader === undefined) throw new EngineStartError(`${path} holds no state`);
  try {
    const { chain, height, appHash, governance } = reader;
    const accounts: AccountRow[] = [];
    for (let page = reader.page(0, FACTS_PAGE); page.length > 0; page = reader.page(accounts.length, FACTS_PAGE)) accounts.push(...page);
    const state = restored(path, chain, { accounts, governance, height });
    if (Buffer.compare(state.appHash, appHash) !== 0) {
      throw new EngineStartError(`the accounts of ${path} give the application hash ${upperHex(state.appHash)} at height ${height}, where ${upperHex(appHash)} was recorded`);
    }
    return { height, accounts: accounts.length };
  } finally {
    reader.close();
  }
}

function restored(path: string, ...stored: Parameters<typeof LedgerState.restore>): LedgerState {
  try {
    return LedgerState.restore(...stored);
  } catch (error) {
    throw new EngineStartError(`${path} is damaged: ${(error as Error).message}`);
  }
}
