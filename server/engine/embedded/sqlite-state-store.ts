/**
 * The executed state in SQLite: accounts with their leaf index, governance, and what each height did.
 *
 * One transaction a height. It is not fsynced on every commit, because a lost tail is made again from the blocks; the
 * order of commits survives, so what is found after a power cut is the state of some earlier height, whole.
 */
import { sha256 } from '../encoding/index.ts';
import { SqliteDatabase, type ChainIdentity } from './sqlite-database.ts';
import type { StateStore, StateUpdate, StoredResult } from './stores.ts';
import type { AccountRow, GovernanceState } from '../../ledger/index.ts';

/** 2: one result a line, so that a single one is read without the others. */
const SCHEMA_VERSION = 2;
const SCHEMA_SQL = `
  CREATE TABLE accounts (
    leaf INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    balance TEXT NOT NULL,
    nonce INTEGER NOT NULL,
    voids TEXT NOT NULL
  ) STRICT;
  CREATE TABLE governance (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT;
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

/** Six bytes stay exact in a number; the rare collision is a second candidate for the caller to compare. */
const HASH_PREFIX_BYTES = 6;
/** Rough size of one changed row in the log, for the checkpoint policy: a page is rewritten for it. */
const ROW_BYTES_ESTIMATE = 4096;

interface AccountSqlRow {
  leaf: number;
  address: string;
  balance: string;
  nonce: number;
  voids: string;
}

export function openSqliteStateStore(path: string, identity: ChainIdentity): StateStore {
  const database = new SqliteDatabase({
    path,
    identity,
    schemaVersion: SCHEMA_VERSION,
    schemaSql: SCHEMA_SQL,
    durability: 'normal',
    derived: true,
  });
  const { sql } = database;
  const upsertAccount = sql.prepare(
    `INSERT INTO accounts (leaf, address, balance, nonce, voids) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (leaf) DO UPDATE SET balance = excluded.balance, nonce = excluded.nonce, voids = excluded.voids`,
  );
  const upsertGovernance = sql.prepare(
    'INSERT INTO governance (id, record) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record',
  );
  const insertHeight = sql.prepare('INSERT INTO heights (height, app_hash, results_hash, results) VALUES (?, ?, ?, ?)');
  const insertTransaction = sql.prepare('INSERT INTO transactions (hash_prefix, height, position) VALUES (?, ?, ?)');
  const selectAccounts = sql.prepare('SELECT leaf, address, balance, nonce, voids FROM accounts ORDER BY leaf');
  const selectGovernance = sql.prepare('SELECT record FROM governance').pluck();
  const selectLast = sql.prepare(
    'SELECT height, app_hash AS appHash, results_hash AS resultsHash FROM heights ORDER BY height DESC LIMIT 1',
  );
  const selectHeight = sql.prepare('SELECT app_hash AS appHash, results FROM heights WHERE height = ?');
  const selectTransaction = sql.prepare(
    'SELECT height, position AS "index" FROM transactions WHERE hash_prefix = ? ORDER BY height, position',
  );

  const save = sql.transaction((update: StateUpdate) => {
    for (const row of update.accounts) upsertAccount.run(...accountValues(row));
    if (update.governance) upsertGovernance.run(JSON.stringify(update.governance));
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
      const governance = JSON.parse(String(selectGovernance.get())) as GovernanceState;
      return { ...last, governance, accounts: accountRows(selectAccounts.iterate() as Iterable<AccountSqlRow>) };
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

function accountValues({ leaf, address, account }: AccountRow): [number, string, string, number, string] {
  const voids = account.voids === 0n ? '' : account.voids.toString(16);
  return [leaf, address, account.balance.toString(), account.nonce, voids];
}

function* accountRows(rows: Iterable<AccountSqlRow>): Generator<AccountRow> {
  for (const { leaf, address, balance, nonce, voids } of rows) {
    const account = { balance: BigInt(balance), nonce, voids: voids === '' ? 0n : BigInt(`0x${voids}`) };
    yield { leaf, address, account };
  }
}
