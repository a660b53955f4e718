/**
 * The application's accounts in its SQLite file, behind a bounded cache.
 *
 * The rows that a block wrote are pinned in memory until it is saved; everything else can be read again. So memory does not grow with the
 * number of accounts.
 */
import type { Database } from 'better-sqlite3';
import type { AccountRow, AccountTable } from '../../../ledger/index.ts';
import { type AccountSqlRow, accountRow } from '../../sqlite/ledger-tables.ts';
import { GenerationCache } from '../../generation-cache.ts';

/** Memory for recently used accounts: as many as some hundred blocks of transfers between random accounts touch. */
export const ACCOUNT_CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Heap bytes of one account, measured with a million. */
const ACCOUNT_BYTES = 488;

/**
 * Characters at the end of an address that the index holds: 80 bits, the checksum among them. Two accounts that share them are
 * distinguished by the whole address; whole addresses would make the index four times as large.
 */
const ADDRESS_END = 16;

/** Created after many accounts were written, because that is several times faster than updating it with each. */
export const ACCOUNT_INDEX_SQL = `CREATE INDEX IF NOT EXISTS accounts_by_address ON accounts (substr(address, -${ADDRESS_END}))`;
export const DROP_ACCOUNT_INDEX_SQL = 'DROP INDEX IF EXISTS accounts_by_address';

/** Accounts of one page where all of them are read in order. */
const PAGE_ACCOUNTS = 1_000;

export interface PagedAccountsParts {
  readonly sql: Database;
  /** Throws when a row is not the one that the tree commits to. */
  readonly verify: (row: AccountRow) => void;
  readonly cacheBytesMax?: number | undefined;
}

export class PagedAccounts implements AccountTable {
  readonly #parts: PagedAccountsParts;
  readonly #select;
  readonly #selectPage;
  /** false: no such account. */
  readonly #cache: GenerationCache<string, AccountRow | false>;
  /** Rows not saved yet, in the order of first write, and so new ones by leaf. */
  #unsaved = new Map<string, AccountRow>();
  #size: number;

  constructor(parts: PagedAccountsParts) {
    this.#parts = parts;
    this.#cache = new GenerationCache((parts.cacheBytesMax ?? ACCOUNT_CACHE_BYTES_MAX) / ACCOUNT_BYTES / 2);
    const columns = 'SELECT leaf, address, balance, nonce, voids FROM accounts';
    this.#select = parts.sql.prepare(`${columns} WHERE substr(address, -${ADDRESS_END}) = ? AND address = ?`);
    this.#selectPage = parts.sql.prepare(`${columns} WHERE leaf >= ? ORDER BY leaf LIMIT ${PAGE_ACCOUNTS}`);
    // Leaves are dense, and counting ten million rows takes seconds.
    this.#size = Number(parts.sql.prepare('SELECT coalesce(max(leaf) + 1, 0) FROM accounts').pluck().get());
  }

  get size(): number {
    return this.#size;
  }

  get(address: string): AccountRow | undefined {
    const found = this.#unsaved.get(address) ?? this.#cache.get(address) ?? this.#read(address);
    return found === false ? undefined : found;
  }

  set(address: string, row: AccountRow): void {
    if (row.leaf === this.#size) this.#size += 1;
    this.#unsaved.set(address, row);
  }

  /** Called when the written rows are in the file. */
  saved(): void {
    for (const [address, row] of this.#unsaved) this.#cache.set(address, row);
    this.#unsaved = new Map();
  }

  *values(): Generator<AccountRow> {
    let next = 0;
    for (;;) {
      const page = this.#selectPage.all(next) as AccountSqlRow[];
      for (const row of page) yield this.#unsaved.get(row.address) ?? accountRow(row);
      next += page.length;
      if (page.length < PAGE_ACCOUNTS) break;
    }
    for (const row of this.#unsaved.values()) if (row.leaf >= next) yield row;
  }

  #read(address: string): AccountRow | false {
    const row = this.#select.get(address.slice(-ADDRESS_END), address) as AccountSqlRow | undefined;
    const found = row !== undefined && accountRow(row);
    if (found !== false) this.#parts.verify(found);
    this.#cache.set(address, found);
    return found;
  }
}
