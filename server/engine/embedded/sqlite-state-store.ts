/**
 * The executed state in SQLite: accounts with their leaf index, governance, and what each height did.
 *
 * One transaction a height. It is not fsynced on every commit, because a lost tail is made again from the blocks; the
 * order of commits survives, so what is found after a power cut is the state of some earlier height, whole.
 */
import { sha256 } from '../encoding/index.ts';
import { SqliteDatabase, type ChainIdentity } from '../sqlite/database.ts';
import { LEDGER_TABLES_SQL, ledgerTables } from '../sqlite/ledger-tables.ts';
import type { StateStore, StateUpdate, StoredResult } from './stores.ts';

const SCHEMA_SQL = `
  ${LEDGER_TABLES_SQL}
  CREATE TABLE heights (
    height INTEGER PRIMARY KEY,
    app_hash BLOB NOT NULL,
    results_hash BLOB NOT NULL,
    results TEXT NOT NULL
  ) STRICT;
  CREATE TABLE transactions (
    hash_prefix INTEGER NOT NULL,
    height INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (hash_prefix, height, position)
  ) STRICT, WITHOUT ROWID;
`;

/** The second step: one result a line, so that a single one is read without the others. All of it is made again from the blocks. */
const MIGRATIONS: readonly string[] = [SCHEMA_SQL, `DROP TABLE accounts; DROP TABLE governance; DROP TABLE heights; DROP TABLE transactions; ${SCHEMA_SQL}`];

/** Six bytes stay exact in a number; the rare collision is a second candidate for the caller to compare. */
const HASH_PREFIX_BYTES = 6;
/** Rough size of one changed row in the log, for the checkpoint policy: a page is rewritten for it. */
const ROW_BYTES_ESTIMATE = 4096;

export function openSqliteStateStore(path: string, identity: ChainIdentity): StateStore {
  const database = new SqliteDatabase({
    path,
    identity,
    migrations: MIGRATIONS,
    durability: 'normal',
  });
  const { sql } = database;
  const ledger = ledgerTables(sql);
  const insertHeight = sql.prepare('INSERT INTO heights (height, app_hash, results_hash, results) VALUES (?, ?, ?, ?)');
  const insertTransaction = sql.prepare('INSERT INTO transactions (hash_prefix, height, position) VALUES (?, ?, ?)');
  const selectLast = sql.prepare(
    'SELECT height, app_hash AS appHash, results_hash AS resultsHash FROM heights ORDER BY height DESC LIMIT 1',
  );
  const selectHeight = sql.prepare('SELECT app_hash AS appHash, results FROM heights WHERE height = ?');
  const selectTransaction = sql.prepare(
    'SELECT height, position AS "index" FROM transactions WHERE hash_prefix = ? ORDER BY height, position',
  );

  const save = sql.transaction((update: StateUpdate) => {
    ledger.write(update.accounts, update.governance);
    insertHeight.run(update.height, update.appHash, update.resultsHash, resultsText(update.results));
    // In key order, so that neighbours share a page visit.
    const places = update.transactions.map((raw, position) => ({ prefix: prefixOf(sha256(raw)), position }));
    places.sort((a, b) => a.prefix - b.prefix);
    for (const { prefix, position } of places) insertTransaction.run(prefix, update.height, position);
  });

  return {
    load() {
      const last = selectLast.get() as { height: number; appHash: Buffer; resultsHash: Buffer } | undefined;
      if (last === undefined) return undefined;
      return { ...last, governance: ledger.governance(), accounts: ledger.accounts() };
    },
    save(update) {
      save.immediate(update);
      database.wrote((update.accounts.length + update.transactions.length + 1) * ROW_BYTES_ESTIMATE);
    },
    executed(height) {
      const row = selectHeight.get(height) as { appHash: Buffer; results: string } | undefined;
      return row && { appHash: row.appHash, results: JSON.parse(row.results) as StoredResult[] };
    },
    results(height) {
      const row = selectHeight.get(height) as { results: string } | undefined;
      return row && ((index) => resultAt(row.results, index));
    },
    locate: (hash) => selectTransaction.all(prefixOf(hash)) as { height: number; index: number }[],
    maintain: (idle) => database.maintain(idle),
    close: () => database.close(),
  };
}

/** A JSON list with one result a line, so that one can be read without parsing the others. JSON has no line break inside a string. */
function resultsText(results: readonly StoredResult[]): string {
  return `[${results.map((result) => JSON.stringify(result)).join(',\n')}]`;
}

function resultAt(text: string, index: number): StoredResult | undefined {
  let start = 0;
  for (let i = 0; i < index; i++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
  }
  const end = text.indexOf('\n', start);
  // Without the bracket before the first, and the comma or bracket behind each.
  const line = text.slice(index === 0 ? 1 : start, (end < 0 ? text.length : end) - 1);
  return line === '' ? undefined : (JSON.parse(line) as StoredResult);
}

function prefixOf(hash: Uint8Array): number {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).readUIntBE(0, HASH_PREFIX_BYTES);
}
