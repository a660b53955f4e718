/**
 * Writes the change log: the effects of each transaction on the accounts that it changed, by the ledger's own rules.
 *
 * The state of an account is read from its last change, so nothing is stored twice; recently used accounts are kept in memory too.
 */
import {
  type Account,
  type BlockContext,
  type ChainContext,
  EMPTY_ACCOUNT,
  type GovernanceState,
  type StateView,
  step,
  type Transaction,
} from '../../ledger/index.ts';
import type { SqliteDatabase } from '../sqlite/database.ts';
import { AccountNumbers } from './account-numbers.ts';
import { AccountStates } from './account-states.ts';
import { firstPostingOf, PART, type Part, postingOf } from './posting.ts';
import { PostingLists } from './posting-lists.ts';
import { storedAmount } from './stored-amount.ts';

/** Accounts that each of two generations keeps in memory, about 0.3 KiB each. */
const ACCOUNTS_KEPT_MAX = 16_384;

export const CHANGE = { opening: 0, transfer: 1, failed: 2, cancel: 3 } as const;

export interface Progress {
  /** The last block that is in the file; -1 in a new one, 0 with the genesis accounts in it. */
  height: number;
  /** Number of the next change. */
  endOrdinal: number;
}

interface Known {
  id: number;
  account: Account;
}

/**
 * The ledger's result differs from the one that the chain recorded: the block is not the one that it claims to be, or this program is not
 * the chain's.
 */
export class OutcomeDiffers extends Error {
  override readonly name = 'OutcomeDiffers';
}

type Side = readonly [id: number | null, balance: number | string | null, nonce: number | null, voids: string | null];
const NO_SIDE: Side = [null, null, null, null];

export class ChangeLog {
  readonly #sql;
  readonly #chain: ChainContext;
  readonly #numbers: AccountNumbers;
  readonly #states: AccountStates;
  readonly #insertNumber;
  readonly #insertChange;
  readonly #insertRecent;
  readonly #insertBlock;
  readonly #updateProgress;
  #newer = new Map<string, Known>();
  #older = new Map<string, Known>();
  #progress: Progress;
  #lastId: number;
  /**
   * By account: one more than the ordinal of its last change, 0 where that has to be looked up. Without it a rarely used account costs a
   * lookup in every run.
   */
  #lastChanges = new Float64Array(1024);
  #isInBlock = false;
  /** Genesis' own, with the accounts that may sign what is being executed. */
  readonly #governance: GovernanceState;

  constructor({ sql }: SqliteDatabase, chain: ChainContext, governance: GovernanceState) {
    this.#sql = sql;
    this.#chain = chain;
    this.#governance = governance;
    this.#numbers = new AccountNumbers(sql);
    this.#states = new AccountStates(sql, new PostingLists(sql));
    this.#insertNumber = this.#numbers.inserter();
    this.#insertChange = sql.prepare(
      `INSERT INTO changes (ordinal, kind, height, position, hash, sender, sender_balance, sender_nonce, sender_voids,
       receiver, receiver_balance, receiver_nonce, receiver_voids, amount, reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertRecent = sql.prepare('INSERT INTO recent (account, posting) VALUES (?, ?)');
    this.#insertBlock = sql.prepare('INSERT INTO blocks (height, time_ms, end_ordinal, hash) VALUES (?, ?, ?, ?)');
    this.#updateProgress = sql.prepare('UPDATE progress SET height = ?, end_ordinal = ?');
    this.#progress = sql.prepare('SELECT height, end_ordinal AS endOrdinal FROM progress').get() as Progress;
    this.#lastId = this.#numbers.last();
  }

  get progress(): Readonly<Progress> {
    return this.#progress;
  }

  begin(): void {
    this.#sql.exec('BEGIN IMMEDIATE');
  }

  /** All changes from here to `endBlock` are of one block. */
  beginBlock(): void {
    this.#sql.exec('SAVEPOINT block');
    this.#isInBlock = true;
  }

  commit(): void {
    this.#sql.exec('COMMIT');
  }

  /** Ends the transaction early: with the whole blocks in it, without the one that was begun. */
  abandonBlock(): void {
    if (this.#isInBlock && this.#sql.inTransaction) this.#sql.exec('ROLLBACK TO block; RELEASE block');
    // On some errors, a full disk among them, SQLite rolls the whole transaction back by itself.
    if (this.#sql.inTransaction) this.#sql.exec('COMMIT');
    this.#isInBlock = false;
    this.#progress = this.#sql.prepare('SELECT height, end_ordinal AS endOrdinal FROM progress').get() as Progress;
    this.#lastId = this.#numbers.last();
    this.#lastChanges.fill(0);
    this.#newer = new Map();
    this.#older = new Map();
  }

  /** An account of the genesis file. */
  addOpening(address: string, balance: bigint): void {
    const account = { ...EMPTY_ACCOUNT, balance };
    const id = this.#numberOf(address);
    this.#keep(address, { id, account });
    this.#insert(CHANGE.opening, 0, 0, null, NO_SIDE, sideOf(id, account), null, undefined);
    this.#post(id, PART.hidden);
    this.#progress.endOrdinal += 1;
  }

  /** Adds a transaction that a block executed, with its code there. Throws OutcomeDiffers. */
  addExecuted(tx: Transaction, hash: Uint8Array, code: number, block: BlockContext, position: number): void {
    const { height } = block;
    // Governance changes no account.
    if (tx.kind === 'governance') return;
    const result = step(this.#viewFor(tx), tx, block);
    const found = result.ok ? result.effect.code : result.refusal.code;
    if (!result.ok || found !== code)
      throw new OutcomeDiffers(
        `transaction ${position} of block ${height} has code ${code}, and the ledger gives ${found}`,
      );
    const after = new Map(result.effect.accounts);
    const sender = after.get(tx.from) as Account;
    const from = this.#know(tx.from).id;
    this.#keep(tx.from, { id: from, account: sender });
    if (tx.kind === 'cancel' || code !== 0) {
      this.#insert(
        tx.kind === 'cancel' ? CHANGE.cancel : CHANGE.failed,
        height,
        position,
        null,
        sideOf(from, sender),
        NO_SIDE,
        null,
        undefined,
      );
      this.#post(from, PART.hidden);
    } else {
      const to = this.#know(tx.to).id;
      const receiver = after.get(tx.to) as Account;
      // A transfer to oneself: the money goes out and comes in again.
      const paid = to === from ? { ...sender, balance: sender.balance - tx.amount } : sender;
      if (to !== from) this.#keep(tx.to, { id: to, account: receiver });
      this.#insert(
        CHANGE.transfer,
        height,
        position,
        hash,
        sideOf(from, paid),
        sideOf(to, receiver),
        tx.amount,
        tx.reference,
      );
      this.#post(from, PART.out);
      this.#post(to, PART.in);
    }
    this.#progress.endOrdinal += 1;
  }

  /** Called when all transactions of a block were added. */
  endBlock(height: number, timeMs: number, hash: Uint8Array): void {
    this.#insertBlock.run(height, timeMs, this.#progress.endOrdinal, hash);
    this.#progress.height = height;
    this.#updateProgress.run(height, this.#progress.endOrdinal);
    this.#sql.exec('RELEASE block');
    this.#isInBlock = false;
  }

  #insert(
    kind: number,
    height: number,
    position: number,
    hash: Uint8Array | null,
    sender: Side,
    receiver: Side,
    amount: bigint | null,
    reference: string | undefined,
  ): void {
    this.#insertChange.run(
      this.#progress.endOrdinal,
      kind,
      height,
      position,
      hash,
      ...sender,
      ...receiver,
      amount === null ? null : storedAmount(amount),
      reference ?? null,
    );
  }

  #post(account: number, part: Part): void {
    this.#insertRecent.run(account, postingOf(this.#progress.endOrdinal, part));
    if (account >= this.#lastChanges.length) {
      const grown = new Float64Array(2 * account);
      grown.set(this.#lastChanges);
      this.#lastChanges = grown;
    }
    this.#lastChanges[account] = this.#progress.endOrdinal + 1;
  }

  /**
   * The code shows that its signer was allowed to cancel: that was checked when the block was executed, and governance is not followed
   * here.
   */
  #viewFor(tx: Transaction): StateView {
    const cancellers = tx.kind === 'cancel' ? [tx.signer] : this.#governance.cancellers;
    const governance = { ...this.#governance, cancellers };
    return {
      chain: this.#chain,
      account: (address) => this.#find(address)?.account,
      governance: () => governance,
      governanceBefore: () => governance,
    };
  }

  #find(address: string): Known | undefined {
    const recent = this.#newer.get(address) ?? this.#older.get(address);
    if (recent !== undefined) return recent;
    const id = this.#numbers.find(address, this.#lastId);
    if (id === undefined) return undefined;
    const last = this.#lastChanges[id] ?? 0;
    const account =
      last > 0 ? this.#states.after(id, last - 1) : this.#states.before(id, firstPostingOf(this.#progress.endOrdinal));
    const known = { id, account: account ?? EMPTY_ACCOUNT };
    this.#keep(address, known);
    return known;
  }

  #know(address: string): Known {
    return this.#find(address) ?? { id: this.#numberOf(address), account: EMPTY_ACCOUNT };
  }

  #numberOf(address: string): number {
    this.#lastId += 1;
    this.#insertNumber(this.#lastId, address);
    return this.#lastId;
  }

  #keep(address: string, known: Known): void {
    if (this.#newer.size >= ACCOUNTS_KEPT_MAX) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(address, known);
  }
}

function sideOf(id: number, { balance, nonce, voids }: Account): Side {
  return [id, storedAmount(balance), nonce, voids === 0n ? null : voids.toString(16)];
}
