/** Reads an app.db without changing it: a view of one height for snapshots, and the facts that a backup or a check needs. */
import Database from 'better-sqlite3';
import type { AddressPrefix } from '../../../ledger/index.ts';
import { ledgerReader } from '../../sqlite/ledger-tables.ts';
import type { StateReader, StoredState } from './store.ts';

export const SELECT_STATE =
  'SELECT chain_id AS chainId, address_prefix AS addressPrefix, height, app_hash AS appHash FROM state';

/** Rows read at a time where the whole state is read. */
export const FACTS_PAGE = 10_000;

export interface StateSqlRow {
  chainId: string;
  addressPrefix: AddressPrefix;
  height: number;
  appHash: Buffer;
}

export function headOf({
  chainId,
  addressPrefix,
  height,
  appHash,
}: StateSqlRow): Pick<StoredState, 'chain' | 'height' | 'appHash'> {
  return { chain: { chainId, addressPrefix }, height, appHash };
}

/** Opens a connection whose transaction keeps seeing what was committed when it began. */
export function openReader(path: string): StateReader | undefined {
  const sql = new Database(path, { readonly: true });
  sql.exec('BEGIN');
  const row = sql.prepare(SELECT_STATE).get() as StateSqlRow | undefined;
  if (!row) {
    sql.close();
    return undefined;
  }
  const ledger = ledgerReader(sql);
  return {
    ...headOf(row),
    governance: ledger.governance(),
    page: (leaf, count) => ledger.page(leaf, count),
    close: () => void sql.close(),
  };
}

/** The contents of an app.db in numbers, read without changing it; undefined when nothing was ever stored. */
export function factsOfApp(
  path: string,
): (Pick<StoredState, 'chain' | 'height' | 'appHash'> & { supply: bigint; accounts: number }) | undefined {
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
