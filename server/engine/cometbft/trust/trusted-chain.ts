/**
 * The chain as this gateway has verified it, trusting no node: from the genesis file, or from a checkpoint that a gateway derived from it,
 * block by block to the newest verified one.
 *
 * A block is accepted when validators with more than two thirds of the power signed its id. Which validators those are follows from the
 * governance transactions and the evidence of the blocks before it: a change in block H is in `next_validators_hash` of H + 1 and signs
 * from H + 2 on.
 */
import {
  BLOCKS_UNTIL_SIGNING,
  governanceAfter,
  sameValidators,
  type ChainContext,
  type GovernanceState,
  type Misbehavior,
} from '../../../ledger/index.ts';
import { headerHash, upperHex, type Commit, type Header } from '../../encoding/index.ts';
import type { Checkpoint, ValidatorSetAt } from '../../port.ts';
import type { Clock } from '../../ports.ts';
import { demand } from '../blocks/header-json.ts';
import { HEADERS_KEPT_MAX } from '../limits.ts';
import { ValidatorSet } from './validator-set.ts';

/** The facts kept of a verified header. */
export interface KnownHeader {
  /** Upper-case hex. */
  hash: string;
  lastResultsHash: Uint8Array;
  appHash: Uint8Array;
}

export interface SignedHeader {
  header: Header;
  commit: Commit;
}

export interface FollowedBlock {
  header: Header;
  /** Upper-case hex. */
  hash: string;
  transactions: readonly Uint8Array[];
  misbehavior: readonly Misbehavior[];
}

export class TrustedChain {
  readonly #chain: ChainContext;
  readonly #clock: Clock;
  readonly #sets: { at: ValidatorSetAt; set: ValidatorSet | undefined }[];
  /** Recent verified headers, the oldest first. */
  readonly #headers = new Map<number, KnownHeader>();
  #governance: GovernanceState;
  #height: number;
  #hash: string;
  #commitsVerified = 0;

  constructor(chain: ChainContext, checkpoint: Checkpoint, clock: Clock) {
    this.#chain = chain;
    this.#clock = clock;
    this.#sets = checkpoint.validatorSets.map((at) => ({ at, set: undefined }));
    this.#governance = checkpoint.governance;
    this.#height = checkpoint.height;
    this.#hash = checkpoint.hash;
  }

  get chainId(): string {
    return this.#chain.chainId;
  }

  /** The newest verified block; 0 and '' before the first. */
  get height(): number {
    return this.#height;
  }

  get hash(): string {
    return this.#hash;
  }

  get commitsVerified(): number {
    return this.#commitsVerified;
  }

  /** Returns the header of a recent verified block. */
  header(height: number): KnownHeader | undefined {
    return this.#headers.get(height);
  }

  /** The validator sets that the blocks up to a height decided. */
  sets(height: number): ValidatorSetAt[] {
    return this.#sets.map(({ at }) => at).filter((at) => at.height <= height + BLOCKS_UNTIL_SIGNING);
  }

  /**
   * Throws BlockLie unless the header belongs to the chain: it names the derived validators, and they signed it. The height is at most one
   * above the newest verified block's: who signs further ahead is not known yet. A header that was verified before is not verified again;
   * `thisCommit` requests it where the commit itself is the answer.
   */
  async assertSigned({ header, commit }: SignedHeader, { thisCommit = false } = {}): Promise<void> {
    const { height } = header;
    if (height < 1 || height > this.#height + 1)
      throw new RangeError(`the validators of block ${height} are not known at ${this.#height}`);
    const hash = upperHex(headerHash(header));
    demand(header.chainId === this.#chain.chainId, `it is a block of chain ${header.chainId}`);
    demand(commit.height === height, `its commit is of block ${commit.height}`);
    demand(upperHex(commit.blockId.hash) === hash, 'its commit is of another block');
    const signers = this.#setAt(height);
    demand(upperHex(header.validatorsHash) === signers.hash, 'its validators are not those that the chain decided');
    demand(
      upperHex(header.nextValidatorsHash) === this.#setAt(height + 1).hash,
      'its next validators are not those that the chain decided',
    );
    demand(signers.has(header.proposerAddress), 'its proposer is no validator');
    const known = this.#headers.get(height);
    demand(known === undefined || known.hash === hash, 'it is another block than the one that was verified before');
    if (known !== undefined && !thisCommit) return;
    await signers.assertCommitted(this.#chain.chainId, commit, this.#clock);
    this.#commitsVerified += 1;
    if (height <= this.#height) this.#remember(header, hash);
  }

  /** The validators that sign a block, which is at most two above the newest verified one; undefined when that is not known. */
  validatorsAt(height: number): ValidatorSet | undefined {
    return height < 1 || height > this.#height + BLOCKS_UNTIL_SIGNING ? undefined : this.#setAt(height);
  }

  /** Advances by one block, which was verified and follows the newest one. */
  advance({ header, hash, transactions, misbehavior }: FollowedBlock): void {
    if (header.height !== this.#height + 1)
      throw new RangeError(`block ${header.height} does not come after ${this.#height}`);
    const before = this.#governance;
    this.#governance = governanceAfter(this.#chain, before, transactions, {
      height: header.height,
      timeNs: header.timeNs,
      misbehavior,
    });
    if (!sameValidators(before.validators, this.#governance.validators)) {
      this.#sets.push({
        at: { height: header.height + BLOCKS_UNTIL_SIGNING, validators: this.#governance.validators },
        set: undefined,
      });
    }
    this.#height = header.height;
    this.#hash = hash;
    this.#remember(header, hash);
  }

  #setAt(height: number): ValidatorSet {
    const entry = this.#sets.findLast(({ at }) => at.height <= height);
    if (entry === undefined) throw new RangeError(`no validators are known for block ${height}`);
    entry.set ??= new ValidatorSet(entry.at.validators);
    return entry.set;
  }

  #remember({ height, lastResultsHash, appHash }: Header, hash: string): void {
    this.#headers.delete(height);
    this.#headers.set(height, { hash, lastResultsHash, appHash });
    for (const oldest of this.#headers.keys()) {
      if (this.#headers.size <= HEADERS_KEPT_MAX) break;
      this.#headers.delete(oldest);
    }
  }
}
