/**
 * Signs at most one precommit per height.
 *
 * A signature leaves the process only in a block, and a block becomes visible only when the transaction is on disk that holds it together
 * with its signature and sign bytes. So a signature lost in a crash was never seen, and the height may be signed again; every other one is
 * read at the next start, and its height is never signed a second time. Within a process no height is signed twice either, even if the
 * first attempt failed. The order is CometBFT's (privval/file.go, CheckHRS): (height, round, step) only ever grows.
 */
import { precommitSignBytes, type BlockId } from '../encoding/index.ts';
import { EngineStartError } from '../start-error.ts';
import type { ValidatorKey } from '../validator-key.ts';
import type { LastSigned } from './stores.ts';

/** One validator decides alone, so consensus never needs a second round. */
const ROUND = 0;
const STEP_PRECOMMIT = 3;

/** Signing was refused because it could be a second signature at a height. */
export class DoubleSignError extends EngineStartError {
  override readonly name: string = 'DoubleSignError';
}

export interface SignedPrecommit extends LastSigned {
  signature: Uint8Array;
  signBytes: Uint8Array;
}

export class PrecommitSigner {
  readonly #chainId: string;
  readonly #key: ValidatorKey;
  #last: LastSigned | undefined;

  /** `last`: the last signature on disk. */
  constructor(chainId: string, key: ValidatorKey, last: LastSigned | undefined) {
    this.#chainId = chainId;
    this.#key = key;
    this.#last = last;
  }

  /** Throws DoubleSignError when anything was signed at this height or a later one. The caller stores it with the block. */
  sign(height: number, blockId: BlockId, timestampNs: bigint): SignedPrecommit {
    const last = this.#last;
    if (last !== undefined && height <= last.height) {
      throw new DoubleSignError(
        `refusing to sign a block at height ${height}: this validator already signed height ${last.height}, round ${last.round}, step ` +
          `${last.step}; a second signature at a height would let two histories of this chain verify`,
      );
    }
    const signBytes = precommitSignBytes({ chainId: this.#chainId, height, round: ROUND, blockId, timestampNs });
    const signed = { height, round: ROUND, step: STEP_PRECOMMIT, signature: this.#key.sign(signBytes), signBytes };
    this.#last = signed;
    return signed;
  }
}
