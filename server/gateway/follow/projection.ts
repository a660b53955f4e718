/** Account projection in the form that the ledger reads: the accounts of a block, loaded beforehand. */
import type { Account, ChainContext, GovernanceState, StateView, Transaction } from '../../ledger/index.ts';
import type { Slot, StoredAccount } from '../../store/index.ts';

export class Projection implements StateView {
  readonly chain: ChainContext;
  readonly #governance: GovernanceState;
  readonly #accounts: ReadonlyMap<string, StoredAccount>;

  constructor(chain: ChainContext, governance: GovernanceState, accounts: readonly StoredAccount[]) {
    this.chain = chain;
    this.#governance = governance;
    this.#accounts = new Map(accounts.map((account) => [account.address, account]));
  }

  account(address: string): Account | undefined {
    const stored = this.#accounts.get(address);
    return stored?.onChain === true ? stored : undefined;
  }

  governance(): GovernanceState {
    return this.#governance;
  }

  /** A block is executed on it as a whole. */
  governanceBefore(): GovernanceState {
    return this.#governance;
  }

  /** The row, also of an address that is only named as a receiver. */
  stored(address: string): StoredAccount | undefined {
    return this.#accounts.get(address);
  }
}

/** Every address that executing these may read. */
export function addressesTouched(transactions: readonly (Transaction | undefined)[]): string[] {
  const addresses = transactions.flatMap((tx) => {
    if (tx === undefined || tx.kind === 'governance') return [];
    return tx.kind === 'cancel' ? [tx.from] : [tx.from, tx.to];
  });
  return [...new Set(addresses)];
}

/** Key of one (sender, nonce). */
export const slotKey = ({ from, nonce }: Slot): string => `${from}/${nonce}`;

/** Every (sender, nonce) that they may use. */
export function slotsTouched(transactions: readonly (Transaction | undefined)[]): Slot[] {
  const slots = new Map<string, Slot>();
  for (const tx of transactions) {
    if (tx === undefined || tx.kind === 'governance') continue;
    slots.set(slotKey(tx), { from: tx.from, nonce: tx.nonce });
  }
  return [...slots.values()];
}
