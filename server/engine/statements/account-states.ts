/** The state of an account after the last of its changes before a posting. */
import type { Database } from 'better-sqlite3';
import type { Account } from '../../ledger/index.ts';
import { ordinalOf } from './posting.ts';
import type { PostingLists } from './posting-lists.ts';
import { amountText, type StoredAmount } from './stored-amount.ts';

interface StateRow {
  receiver: number | null;
  senderBalance: StoredAmount;
  senderNonce: number;
  senderVoids: string | null;
  receiverBalance: StoredAmount;
  receiverNonce: number;
  receiverVoids: string | null;
}

export class AccountStates {
  readonly #select;
  readonly #postings: PostingLists;

  constructor(sql: Database, postings: PostingLists) {
    this.#postings = postings;
    this.#select = sql.prepare(
      `SELECT receiver, sender_balance AS senderBalance, sender_nonce AS senderNonce, sender_voids AS senderVoids,
       receiver_balance AS receiverBalance, receiver_nonce AS receiverNonce, receiver_voids AS receiverVoids FROM changes WHERE ordinal = ?`,
    );
  }

  /** Undefined when it had no change before. */
  before(account: number, high: number): Account | undefined {
    const [posting] = this.#postings.list({ account, low: 0, high, order: 'desc', shown: false, limit: 1 });
    return posting === undefined ? undefined : this.after(account, ordinalOf(posting));
  }

  /** After a change that concerns the account. */
  after(account: number, ordinal: number): Account {
    const row = this.#select.get(ordinal) as StateRow;
    // The receiver's side is what a transfer to oneself leaves.
    return row.receiver === account
      ? {
          balance: BigInt(amountText(row.receiverBalance)),
          nonce: row.receiverNonce,
          voids: voidsOf(row.receiverVoids),
        }
      : { balance: BigInt(amountText(row.senderBalance)), nonce: row.senderNonce, voids: voidsOf(row.senderVoids) };
  }
}

const voidsOf = (hex: string | null): bigint => (hex === null ? 0n : BigInt(`0x${hex}`));
