/**
 * Transactions that this process has read and verified, by the hash of their bytes.
 *
 * CheckTx, PrepareProposal, ProcessProposal and FinalizeBlock all receive the same bytes. The hash covers every byte, signature included,
 * so a transaction verified once is valid for as long as the chain is the same. The memory is bounded, and an entry that was dropped is
 * only verified again.
 *
 * Many at once are verified ahead, their signatures on other threads. That changes the time of the work and not the answers: the validity
 * of a signature does not depend on the state, and a transaction that was not verified ahead is verified when it is read.
 */
import { GenerationCache } from '../../generation-cache.ts';
import {
  type ChainContext,
  INVALID_SIGNATURE,
  type SignatureCheck,
  signatureChecks,
  txHash,
  type Verdict,
  type VerifiedTransaction,
  verifyTransaction,
} from '../../../ledger/index.ts';

/** Entries of each generation. More than a mempool of 50,000 and a block beside it; about 1.5 KiB an entry. */
export const VERIFIED_ENTRIES_MAX = 65_536;

/** Fewer new transactions than this are verified as they are read: that takes about 3 ms, and waking a thread has a cost. */
export const AHEAD_TRANSACTIONS_MIN = 32;

/** Returns in order which signatures are valid; spread over threads. */
export type VerifySignatures = (checks: readonly SignatureCheck[]) => Promise<boolean[]>;

export class VerifiedTransactions {
  readonly #chain: ChainContext;
  readonly #verify: VerifySignatures | undefined;
  readonly #good: GenerationCache<string, VerifiedTransaction>;
  /** Hashes with a wrong signature and no other fault, by the verification ahead, until they are read or the next are verified. */
  #bad = new Set<string>();

  /** Without `verify` nothing is verified ahead. */
  constructor(chain: ChainContext, entriesMax = VERIFIED_ENTRIES_MAX, verify?: VerifySignatures) {
    this.#chain = chain;
    this.#verify = verify;
    this.#good = new GenerationCache(entriesMax);
  }

  /** Reads these bytes; verifies them unless this process has before. Refusals are not kept: anyone can make bad bytes at no cost. */
  readonly read = (raw: Uint8Array): Verdict => {
    const hash = txHash(raw);
    const known = this.#good.get(hash);
    if (known) return { ok: true, verified: known };
    if (this.#bad.delete(hash)) return INVALID_SIGNATURE;
    // A copy: the bytes are a view of a whole frame from the socket, which would stay in memory with them.
    const verdict = verifyTransaction(this.#chain, Buffer.from(raw), { hash });
    if (verdict.ok) this.#good.set(hash, verdict.verified);
    return verdict;
  };

  /** Verifies the signatures of new transactions before they are read; undefined when there is nothing to wait for. */
  ahead(raws: readonly Uint8Array[]): Promise<void> | undefined {
    const verify = this.#verify;
    if (verify === undefined || raws.length < AHEAD_TRANSACTIONS_MIN) return undefined;
    const unseen = new Map<string, Uint8Array>();
    for (const raw of raws) {
      const hash = txHash(raw);
      if (this.#good.get(hash) === undefined) unseen.set(hash, raw);
    }
    return unseen.size < AHEAD_TRANSACTIONS_MIN ? undefined : this.#verifyAhead(verify, unseen);
  }

  async #verifyAhead(verify: VerifySignatures, unseen: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const candidates: { verified: VerifiedTransaction; checks: SignatureCheck[] }[] = [];
    for (const [hash, raw] of unseen) {
      const verdict = verifyTransaction(this.#chain, Buffer.from(raw), { hash, signatureVerified: true });
      // A transaction with another fault is refused with its own message when it is read.
      if (verdict.ok)
        candidates.push({ verified: verdict.verified, checks: signatureChecks(this.#chain, verdict.verified.tx) });
    }
    const verdicts = await verify(candidates.flatMap(({ checks }) => checks));
    let at = 0;
    this.#bad = new Set();
    for (const { verified, checks } of candidates) {
      const isGood = verdicts.slice(at, at + checks.length).every(Boolean);
      at += checks.length;
      if (isGood) this.#good.set(verified.hash, verified);
      else this.#bad.add(verified.hash);
    }
  }
}
