/** The ledger's state as rows: accounts with their leaf index, and the governance record. Both engines keep it in this form. */
import type { Database } from 'better-sqlite3';
import type { AccountRow, GovernanceState } from '../../ledger/index.ts';

export const LEDGER_TABLES_SQL = `
  CREATE TABLE accounts (
    leaf INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    balance TEXT NOT NULL,
    nonce INTEGER NOT NULL,
    voids TEXT NOT NULL
  ) STRICT;
  CREATE TABLE governance (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT;
`;

export interface AccountSqlRow {
  leaf: number;
  address: string;
  balance: string;
  nonce: number;
  voids: string;
}

export interface LedgerTables extends LedgerReader {
  /** Call it inside a transaction, with everything else that must be written in the same step. */
  write(accounts: Iterable<AccountRow>, governance: GovernanceState | undefined): void;
  /** Empties both tables; inside a transaction too. */
  clear(): void;
}

export interface LedgerReader {
  /** In leaf order. */
  accounts(): Iterable<AccountRow>;
  /** At most `count` rows in leaf order, from a leaf on. */
  page(fromLeaf: number, count: number): AccountRow[];
  /** Throws when nothing was ever written. */
  governance(): GovernanceState;
}

/** The two tables behind a connection, read only. */
export function ledgerReader(sql: Database): LedgerReader {
  const selectAll = sql.prepare('SELECT leaf, address, balance, nonce, voids FROM accounts ORDER BY leaf');
  const selectPage = sql.prepare(
    'SELECT leaf, address, balance, nonce, voids FROM accounts WHERE leaf >= ? ORDER BY leaf LIMIT ?',
  );
  const selectGovernance = sql.prepare('SELECT record FROM governance').pluck();
  return {
    accounts: () => accountRows(selectAll.iterate() as Iterable<AccountSqlRow>),
    page: (fromLeaf, count) => (selectPage.all(fromLeaf, count) as AccountSqlRow[]).map(accountRow),
    governance: () => JSON.parse(String(selectGovernance.get())) as GovernanceState,
  };
}

export function ledgerTables(sql: Database): LedgerTables {
  const upsertAccount = sql.prepare(
    `INSERT INTO accounts (leaf, address, balance, nonce, voids) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (leaf) DO UPDATE SET balance = excluded.balance, nonce = excluded.nonce, voids = excluded.voids`,
  );
  const upsertGovernance = sql.prepare(
    'INSERT INTO governance (id, record) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record',
  );
  return {
    ...ledgerReader(sql),
    write(accounts, governance) {
      for (const row of accounts) upsertAccount.run(...accountValues(row));
      if (governance) upsertGovernance.run(JSON.stringify(governance));
    },
    clear: () => void sql.exec('DELETE FROM accounts; DELETE FROM governance'),
  };
}

export function accountValues({ leaf, address, account }: AccountRow): [number, string, string, number, string] {
  const voids = account.voids === 0n ? '' : account.voids.toString(16);
  return [leaf, address, account.balance.toString(), account.nonce, voids];
}

export function accountRow({ leaf, address, balance, nonce, voids }: AccountSqlRow): AccountRow {
  return {
    leaf,
    address,
    account: { balance: BigInt(balance), nonce, voids: voids === '' ? 0n : BigInt(`0x${voids}`) },
  };
}

export function* accountRows(rows: Iterable<AccountSqlRow>): Generator<AccountRow> {
  for (const row of rows) yield accountRow(row);
}
