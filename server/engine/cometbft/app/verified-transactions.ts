/**
 * Transactions that this process has read and verified, by the hash of their bytes.
 *
 * CheckTx, PrepareProposal, ProcessProposal and FinalizeBlock all meet the same bytes. The hash stands for every byte, signature included,
 * so what was found good once is good for as long as the chain is the same. The memory is bounded, and what is forgotten is only verified again.
 *
 * Many at once are verified ahead, their signatures on other threads. That changes when the work is done and nothing of the answers: a
 * signature holds or does not, whatever the state is, and what was not verified ahead is verified when it is read.
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

/** Of each generation. More than a mempool of 50,000 and a block beside it; about 1.5 KiB an entry. */
export const VERIFIED_ENTRIES_MAX = 65_536;

/** Fewer transactions than this that were never seen are verified as they are read: that takes about 3 ms, and waking a thread is not free. */
export const AHEAD_TRANSACTIONS_MIN = 32;

/** Whether each signature holds, in order; spread over threads. */
export type VerifySignatures = (checks: readonly SignatureCheck[]) => Promise<boolean[]>;

export class VerifiedTransactions {
  readonly #chain: ChainContext;
  readonly #verify: VerifySignatures | undefined;
  readonly #good: GenerationCache<string, VerifiedTransaction>;
  /** Found ahead to have a wrong signature and nothing else wrong, until they are read or others are found. */
  #bad = new Set<string>();

  /** Without `verify` nothing is verified ahead. */
  constructor(chain: ChainContext, entriesMax = VERIFIED_ENTRIES_MAX, verify?: VerifySignatures) {
    this.#chain = chain;
    this.#verify = verify;
    this.#good = new GenerationCache(entriesMax);
  }

  /** What these bytes are; verifies them unless this process has before. Refusals are not remembered: bad bytes are free to make. */
  readonly read = (raw: Uint8Array): Verdict => {
    const hash = txHash(raw);
    const known = this.#good.get(hash);
    if (known) return { ok: true, verified: known };
    if (this.#bad.delete(hash)) return INVALID_SIGNATURE;
    // A copy: the bytes are a window on a whole frame from the socket, which would stay in memory with them.
    const verdict = verifyTransaction(this.#chain, Buffer.from(raw), { hash });
    if (verdict.ok) this.#good.set(hash, verdict.verified);
    return verdict;
  };

  /** Verifies the signatures of those that were never seen before they are read; undefined where there is nothing to wait for. */
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
      // What is wrong in another way is refused in its own words when it is read.
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
