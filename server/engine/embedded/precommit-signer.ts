/**
 * Signs one precommit per height, ever.
 *
 * Before a signature leaves this file it is on disk together with its sign bytes, so that after a crash the very same
 * signature is used again. A second, different block at a signed height is refused, whatever the block store says:
 * it may have been restored from an old copy. The rules are CometBFT's (privval/file.go, signVote).
 */
import { precommitSignBytes, type BlockId } from '../encoding/index.ts';
import { readPrecommitTimeNs } from '../encoding/vote-time.ts';
import { EngineStartError } from '../start-error.ts';
import type { ValidatorKey } from '../validator-key.ts';
import type { LastSigned, SignStateStore } from './stores.ts';

/** One validator decides alone, so consensus never needs a second round. */
const ROUND = 0;
const STEP_PRECOMMIT = 3;

/** Signing was refused because it could be a second signature at a height. */
export class DoubleSignError extends EngineStartError {
  override readonly name: string = 'DoubleSignError';
}

export interface SignedPrecommit {
  timestampNs: bigint;
  signature: Uint8Array;
}

export class PrecommitSigner {
  readonly #chainId: string;
  readonly #key: ValidatorKey;
  readonly #store: SignStateStore;
  #last: LastSigned | undefined;

  constructor(chainId: string, key: ValidatorKey, store: SignStateStore) {
    this.#chainId = chainId;
    this.#key = key;
    this.#store = store;
    this.#last = store.read();
  }

  /** Height of the last signature; 0 when there is none. */
  get lastHeight(): number {
    return this.#last?.height ?? 0;
  }

  /**
   * Signs a block, or returns the signature made for it earlier (then with the time signed then, not `timestampNs`).
   * Throws DoubleSignError when anything else was signed at this height or a later one.
   */
  sign(height: number, blockId: BlockId, timestampNs: bigint): SignedPrecommit {
    if (this.#isBehindLast(height)) return this.#repeat(height, blockId);
    const signBytes = precommitSignBytes({ chainId: this.#chainId, height, round: ROUND, blockId, timestampNs });
    const signature = this.#key.sign(signBytes);
    const last = { height, round: ROUND, step: STEP_PRECOMMIT, signature, signBytes };
    this.#store.write(last);
    this.#last = last;
    return { timestampNs, signature };
  }

  /** Whether (height, round, step) would not grow. */
  #isBehindLast(height: number): boolean {
    const last = this.#last;
    if (last === undefined || height > last.height) return false;
    return height < last.height || last.round > ROUND || last.step >= STEP_PRECOMMIT;
  }

  #repeat(height: number, blockId: BlockId): SignedPrecommit {
    const last = this.#last;
    if (last?.height === height && last.signature !== undefined && last.signBytes !== undefined) {
      const timestampNs = readPrecommitTimeNs(last.signBytes);
      if (timestampNs !== undefined) {
        // Equal in every byte: the signed vote was for this chain, height, round and block.
        const again = precommitSignBytes({ chainId: this.#chainId, height, round: ROUND, blockId, timestampNs });
        if (again.equals(last.signBytes)) return { timestampNs, signature: last.signature };
      }
    }
    throw new DoubleSignError(
      `refusing to sign a block at height ${height}: this validator already signed height ${last?.height}, round ` +
        `${last?.round}, step ${last?.step} (priv_validator_state.json), and not this block. If the block store was ` +
        'restored from an older copy, restore the copy that belongs to the signing state; a second signature at a ' +
        'height would let two histories of this chain verify.',
    );
  }
}
