/** Reads statements.db, on a connection of its own: entries, and the state of an account after a block. Every read sees one moment. */
import Database from 'better-sqlite3';
import { AccountNumbers } from './account-numbers.ts';
import { AccountStates } from './account-states.ts';
import { firstPostingOf, ordinalOf, PART, partOf } from './posting.ts';
import { PostingLists } from './posting-lists.ts';
import { amountText, type StoredAmount } from './stored-amount.ts';

const CACHE_KIB = 4 * 1024;

export interface StatementEntry {
  /** Its place in the account's statement, which never changes: greater means later. */
  place: number;
  height: number;
  /** Position of the transaction in its block. */
  index: number;
  blockTimeMs: number;
  /** 64 upper-case hex digits. */
  txHash: string;
  direction: 'in' | 'out';
  counterparty: string;
  /** Decimal digits. */
  amount: string;
  balanceAfter: string;
  reference?: string;
}

export interface EntryRange {
  address: string;
  /** Entries of blocks at or after this time. */
  fromMs?: number | undefined;
  /** Entries of blocks before this time. */
  toMs?: number | undefined;
  /** Place of the last entry of the previous page. */
  after?: number | undefined;
  order: 'asc' | 'desc';
  limit: number;
  /** Entries of blocks above this height are left out. */
  heightMax?: number | undefined;
}

export interface AccountAt {
  height: number;
  blockTimeMs: number;
  balance: bigint;
  nonce: number;
}

interface BlockRow {
  timeMs: number;
  endOrdinal: number;
}

interface ChangeRow {
  height: number;
  position: number;
  hash: Buffer;
  sender: number;
  senderBalance: StoredAmount;
  receiver: number;
  receiverBalance: StoredAmount;
  amount: StoredAmount;
  reference: string | null;
}

export class StatementReader {
  readonly #sql: Database.Database;
  readonly #numbers: AccountNumbers;
  readonly #postings: PostingLists;
  readonly #states: AccountStates;
  readonly #selectHeight;
  readonly #selectBlock;
  readonly #selectChange;

  /** Throws when there is no such file yet. */
  constructor(path: string) {
    const sql = new Database(path, { readonly: true, fileMustExist: true });
    this.#sql = sql;
    try {
      sql.pragma(`cache_size = -${CACHE_KIB}`);
      this.#numbers = new AccountNumbers(sql);
      this.#postings = new PostingLists(sql);
      this.#states = new AccountStates(sql, this.#postings);
      this.#selectHeight = sql.prepare('SELECT height FROM progress').pluck();
      this.#selectBlock = sql.prepare(
        'SELECT time_ms AS timeMs, end_ordinal AS endOrdinal FROM blocks WHERE height = ?',
      );
      this.#selectChange = sql.prepare(
        `SELECT height, position, hash, sender, sender_balance AS senderBalance, receiver, receiver_balance AS receiverBalance, amount, reference
         FROM changes WHERE ordinal = ?`,
      );
    } catch (error) {
      sql.close();
      throw error;
    }
  }

  /** The last block that statements hold; -1 before any. */
  height(): number {
    return this.#selectHeight.get() as number;
  }

  entries(range: EntryRange): StatementEntry[] {
    return this.#snapshot(() => {
      const account = this.#numbers.find(range.address);
      if (account === undefined) return [];
      const { order, limit, after } = range;
      let [low, high] = [
        firstPostingOf(this.#ordinalAt(range.fromMs, 0)),
        firstPostingOf(this.#ordinalAt(range.toMs, Number.MAX_SAFE_INTEGER / 8)),
      ];
      if (range.heightMax !== undefined)
        high = Math.min(high, firstPostingOf(this.#block(range.heightMax)?.endOrdinal ?? Number.MAX_SAFE_INTEGER / 8));
      if (after !== undefined && order === 'asc') low = Math.max(low, after + 1);
      if (after !== undefined && order === 'desc') high = Math.min(high, after);
      return this.#postings
        .list({ account, low, high, order, shown: true, limit })
        .map((posting) => this.#entry(posting));
    });
  }

  /** Undefined for a block that the file does not hold. */
  accountAt(address: string, height: number): AccountAt | undefined {
    return this.#snapshot(() => {
      const block = this.#block(height);
      if (block === undefined || height > this.height()) return undefined;
      const account = this.#numbers.find(address);
      const state = account === undefined ? undefined : this.#states.before(account, firstPostingOf(block.endOrdinal));
      return { height, blockTimeMs: block.timeMs, balance: state?.balance ?? 0n, nonce: state?.nonce ?? 0 };
    });
  }

  close(): void {
    this.#sql.close();
  }

  #snapshot<T>(work: () => T): T {
    return this.#sql.transaction(work)();
  }

  #block(height: number): BlockRow | undefined {
    return this.#selectBlock.get(height) as BlockRow | undefined;
  }

  /** The first change of the blocks from a time on. Times of blocks never run backwards. */
  #ordinalAt(timeMs: number | undefined, otherwise: number): number {
    if (timeMs === undefined) return otherwise;
    let [low, high] = [0, this.height() + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#block(middle)?.timeMs ?? Infinity) < timeMs) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : (this.#block(low - 1)?.endOrdinal ?? otherwise);
  }

  #entry(posting: number): StatementEntry {
    const row = this.#selectChange.get(ordinalOf(posting)) as ChangeRow;
    const isOut = partOf(posting) === PART.out;
    return {
      place: posting,
      height: row.height,
      index: row.position,
      blockTimeMs: this.#block(row.height)?.timeMs ?? 0,
      txHash: row.hash.toString('hex').toUpperCase(),
      direction: isOut ? 'out' : 'in',
      counterparty: this.#numbers.addressOf(isOut ? row.receiver : row.sender),
      amount: amountText(row.amount),
      balanceAfter: amountText(isOut ? row.senderBalance : row.receiverBalance),
      ...(row.reference === null ? {} : { reference: row.reference }),
    };
  }
}
