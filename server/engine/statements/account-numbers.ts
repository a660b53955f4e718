/** Maps addresses to account numbers, and back. Numbers are assigned in the order in which the chain first names an account. */
import type { Database } from 'better-sqlite3';

/** Accounts of one segment of the index over addresses, which are random: a new account writes a page of the newest segment. */
const SEGMENT_ACCOUNTS = 65_536;

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** 50 bits, which stay exact in a number; the row distinguishes addresses that share them. */
const PREFIX_CHARACTERS = 10;

/** The first bits of an address's key. */
function prefixOf(address: string): number {
  const start = address.indexOf('1') + 1;
  let prefix = 0;
  for (let at = start; at < start + PREFIX_CHARACTERS; at++)
    prefix = prefix * ALPHABET.length + ALPHABET.indexOf(address[at] as string);
  return prefix;
}

export class AccountNumbers {
  readonly #selectIds;
  readonly #selectAddress;
  readonly #selectLast;
  readonly #sql: Database;

  constructor(sql: Database) {
    this.#sql = sql;
    this.#selectIds = sql.prepare('SELECT id FROM accounts_by_address WHERE segment = ? AND prefix = ?').pluck();
    this.#selectAddress = sql.prepare('SELECT address FROM accounts WHERE id = ?').pluck();
    this.#selectLast = sql.prepare('SELECT coalesce(max(id), -1) FROM accounts').pluck();
  }

  /** The highest assigned number; -1 before the first. */
  last(): number {
    return this.#selectLast.get() as number;
  }

  addressOf(id: number): string {
    return this.#selectAddress.get(id) as string;
  }

  find(address: string, last = this.last()): number | undefined {
    const prefix = prefixOf(address);
    for (let segment = Math.floor(Math.max(last, 0) / SEGMENT_ACCOUNTS); segment >= 0; segment--) {
      for (const id of this.#selectIds.all(segment, prefix) as number[]) if (this.addressOf(id) === address) return id;
    }
    return undefined;
  }

  /** Used by the writer only. */
  inserter(): (id: number, address: string) => void {
    const insert = this.#sql.prepare('INSERT INTO accounts (id, address) VALUES (?, ?)');
    const insertPrefix = this.#sql.prepare('INSERT INTO accounts_by_address (segment, prefix, id) VALUES (?, ?, ?)');
    return (id, address) => {
      insert.run(id, address);
      insertPrefix.run(Math.floor(id / SEGMENT_ACCOUNTS), prefixOf(address), id);
    };
  }
}
