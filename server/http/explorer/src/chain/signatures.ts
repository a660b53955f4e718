/** The signatures of a commit, each checked here. */
import { sha256 } from '../../../../../client/src/crypto/sha256.ts';
import { verifySignature } from '../../../../../client/src/crypto/ed25519.ts';
import { upperHex, voteBytes } from '../../../../../client/src/receipt/block.ts';
import { bytesOf, type Commit, type Validator } from './blocks.ts';

/** CometBFT's block_id_flag. */
const ABSENT = 1;
const FOR_NO_BLOCK = 3;

export interface CheckedSignature {
  readonly validator: Validator;
  /** `absent`: this validator's vote did not arrive in time. `nil`: a valid vote for nil. */
  readonly verdict: 'valid' | 'invalid' | 'absent' | 'nil';
  readonly time: string | undefined;
}

export async function checkSignatures(
  chainId: string,
  commit: Commit,
  validators: readonly Validator[],
): Promise<CheckedSignature[]> {
  return await Promise.all(
    validators.map(async (validator, i) => {
      const signed = commit.signatures[i];
      if (signed === undefined || signed.block_id_flag === ABSENT)
        return { validator, verdict: 'absent', time: undefined };
      const key = bytesOf(validator.pub_key.value);
      const address = upperHex((await sha256(key)).subarray(0, 20));
      const isNil = signed.block_id_flag === FOR_NO_BLOCK;
      const isValid =
        address === validator.address &&
        address === signed.validator_address &&
        (await verifySignature(
          key,
          voteBytes(chainId, commit, signed.timestamp, isNil),
          bytesOf(signed.signature ?? ''),
        ));
      return { validator, verdict: isValid ? (isNil ? 'nil' : 'valid') : 'invalid', time: signed.timestamp };
    }),
  );
}

/** Power that signed for the block, and the total power. */
export function powerOf(signatures: readonly CheckedSignature[]): { signed: bigint; total: bigint } {
  const sum = (counts: (signature: CheckedSignature) => boolean): bigint =>
    signatures.reduce(
      (power, signature) => (counts(signature) ? power + BigInt(signature.validator.voting_power) : power),
      0n,
    );
  return { signed: sum(({ verdict }) => verdict === 'valid'), total: sum(() => true) };
}
