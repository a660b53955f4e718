/**
 * Transactions that this process has read and verified, by the hash of their bytes.
 *
 * CheckTx, PrepareProposal, ProcessProposal and FinalizeBlock all meet the same bytes. The hash stands for every byte, signature included,
 * so what was found good once is good for as long as the chain is the same. Two generations bound the memory: when the young one is full it
 * becomes the old one, and what is still in use moves back up. What is forgotten is only verified again.
 */
import { type ChainContext, txHash, type Verdict, type VerifiedTransaction, verifyTransaction } from '../../../ledger/index.ts';

/** Of each generation. More than a mempool of 50,000 and a block beside it; about 1.5 KiB an entry. */
export const VERIFIED_ENTRIES_MAX = 65_536;

export class VerifiedTransactions {
  readonly #chain: ChainContext;
  readonly #entriesMax: number;
  #young = new Map<string, VerifiedTransaction>();
  #old = new Map<string, VerifiedTransaction>();

  constructor(chain: ChainContext, entriesMax = VERIFIED_ENTRIES_MAX) {
    this.#chain = chain;
    this.#entriesMax = entriesMax;
  }

  /** What these bytes are; verifies them unless this process has before. Refusals are not remembered: bad bytes are free to make. */
  readonly read = (raw: Uint8Array): Verdict => {
    const hash = txHash(raw);
    const recent = this.#young.get(hash);
    if (recent) return { ok: true, verified: recent };
    const earlier = this.#old.get(hash);
    if (earlier) return this.#keep(earlier);
    // A copy: the bytes are a window on a whole frame from the socket, which would stay in memory with them.
    const verdict = verifyTransaction(this.#chain, Buffer.from(raw), { hash });
    return verdict.ok ? this.#keep(verdict.verified) : verdict;
  };

  #keep(verified: VerifiedTransaction): Verdict {
    if (this.#young.size >= this.#entriesMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(verified.hash, verified);
    return { ok: true, verified };
  }
}
