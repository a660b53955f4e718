/** The names behind the numbers of rows. They never change, so each is looked up once, and a bounded number is remembered. */
import { StoreDamagedError } from '../errors.ts';
import type { ChainConnection } from './connection.ts';
import type { Names, Submitter } from './transfer-rows.ts';

/** About 100 bytes each; with more all are dropped, and read again when they are needed. */
const ADDRESSES_MAX = 16_384;
const SUBMITTERS_MAX = 1024;

export class StoredNames implements Names {
  readonly #addressOf;
  readonly #submitterOf;
  readonly #addresses = new Map<number, string>();
  readonly #submitters = new Map<number, Submitter>();

  constructor(sql: ChainConnection) {
    this.#addressOf = sql.prepare<[number], string>('SELECT address FROM accounts WHERE id = ?').pluck();
    this.#submitterOf = sql.prepare<[number], Submitter>(
      'SELECT owner, token_id AS tokenId FROM submitters WHERE id = ?',
    );
  }

  address(id: number): string {
    return remembered(this.#addresses, ADDRESSES_MAX, id, () => this.#addressOf.get(id), 'account');
  }

  submitter(id: number): Submitter {
    return remembered(this.#submitters, SUBMITTERS_MAX, id, () => this.#submitterOf.get(id), 'submitter');
  }
}

function remembered<T>(map: Map<number, T>, max: number, id: number, find: () => T | undefined, what: string): T {
  const known = map.get(id);
  if (known !== undefined) return known;
  const found = find();
  if (found === undefined)
    throw new StoreDamagedError(
      `a transfer names the ${what} ${id}, which does not exist; restore the database from a backup`,
    );
  if (map.size >= max) map.clear();
  map.set(id, found);
  return found;
}
