/**
 * The validators of one height, and the check that a commit is theirs (types/validator_set.go and types/validation.go, v0.38).
 *
 * Stricter than CometBFT in one place: a signature counts only when it passes the ledger's STRICT rule, because libraries disagree about
 * the others. One that does not pass counts nothing; it does not prove a false answer, because the validator who made it may have misled an
 * honest node.
 */
import { verifyStrict, type ValidatorPower } from '../../../ledger/index.ts';
import {
  BLOCK_ID_FLAG_ABSENT,
  BLOCK_ID_FLAG_COMMIT,
  BLOCK_ID_FLAG_NIL,
  precommitSignBytes,
  sortValidators,
  upperHex,
  validatorAddress,
  validatorsHash,
  type Commit,
  type CommitSig,
} from '../../encoding/index.ts';
import { Pacer } from '../../pacer.ts';
import type { Clock } from '../../ports.ts';
import { demand } from '../blocks/header-json.ts';

interface Member {
  publicKey: Uint8Array;
  address: string;
  power: bigint;
}

export class ValidatorSet {
  /** Upper-case hex, as headers name the set. */
  readonly hash: string;
  /** In the order of a commit's signatures. */
  readonly #members: readonly Member[];
  readonly #total: bigint;

  constructor(validators: readonly ValidatorPower[]) {
    const keyed = validators.map(({ publicKey, power }) => ({ publicKey: Buffer.from(publicKey, 'hex'), power }));
    this.hash = upperHex(validatorsHash(keyed));
    this.#members = sortValidators(keyed).map(({ publicKey, power }) => ({
      publicKey,
      address: upperHex(validatorAddress(publicKey)),
      power: BigInt(power),
    }));
    this.#total = this.#members.reduce((sum, { power }) => sum + power, 0n);
  }

  get size(): number {
    return this.#members.length;
  }

  /** True when the validator at this place has this address, key and power. */
  names(
    place: number,
    { address, publicKey, power }: { address: unknown; publicKey: Uint8Array; power: bigint },
  ): boolean {
    const member = this.#members[place];
    return (
      member !== undefined &&
      member.address === address &&
      member.power === power &&
      Buffer.from(member.publicKey).equals(publicKey)
    );
  }

  /** In the order of a commit's signatures. */
  get members(): readonly { publicKey: Uint8Array; power: bigint }[] {
    return this.#members;
  }

  has(address: Uint8Array): boolean {
    const text = upperHex(address);
    return this.#members.some((member) => member.address === text);
  }

  /** Throws BlockLie unless validators with more than two thirds of the power signed for this very block. */
  async assertCommitted(chainId: string, commit: Commit, clock: Clock): Promise<void> {
    const { signatures } = commit;
    demand(
      signatures.length === this.#members.length,
      `its commit has ${signatures.length} signatures, there are ${this.#members.length} validators`,
    );
    this.#members.forEach(({ address }, i) => {
      const { blockIdFlag: flag, validatorAddress: signer } = signatures[i] as CommitSig;
      demand(
        flag === BLOCK_ID_FLAG_ABSENT || flag === BLOCK_ID_FLAG_COMMIT || flag === BLOCK_ID_FLAG_NIL,
        `its commit has a signature of the unknown kind ${flag}`,
      );
      // Each validator has its place, so none can sign twice, and no key outside the set can sign.
      if (flag !== BLOCK_ID_FLAG_ABSENT)
        demand(upperHex(signer) === address, `signature ${i} of its commit is not of validator ${address}`);
    });
    const signed = await this.#signedPower(chainId, commit, clock);
    demand(
      this.#isEnough(signed),
      `validators with a power of ${signed} of ${this.#total} signed it: more than two thirds are needed`,
    );
  }

  /** Adds up the power that signed, and stops as soon as it is enough: the remaining signatures change nothing. */
  async #signedPower(chainId: string, { height, round, blockId, signatures }: Commit, clock: Clock): Promise<bigint> {
    const pacer = new Pacer(clock);
    let signed = 0n;
    for (const [i, { publicKey, power }] of this.#members.entries()) {
      const { blockIdFlag, timestampNs, signature } = signatures[i] as CommitSig;
      if (blockIdFlag !== BLOCK_ID_FLAG_COMMIT) continue;
      if (pacer.due) await pacer.pause();
      if (verifyStrict(publicKey, precommitSignBytes({ chainId, height, round, blockId, timestampNs }), signature))
        signed += power;
      if (this.#isEnough(signed)) break;
    }
    return signed;
  }

  #isEnough(power: bigint): boolean {
    return 3n * power > 2n * this.#total;
  }
}
