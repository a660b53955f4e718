/** Validator addresses and the validator set hash (types/validator_set.go, ValidatorSet.Hash; types/validator.go, Validator.Bytes). */
import { merkleRoot } from './merkle.ts';
import { bytesField, message, messageField, varintField } from './proto.ts';
import { sha256 } from './sha256.ts';

const ADDRESS_BYTES = 20;

export interface Validator {
  /** 32-byte Ed25519 key. */
  publicKey: Uint8Array;
  power: number;
}

/** The first 20 bytes of the public key's SHA-256. */
export function validatorAddress(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey).subarray(0, ADDRESS_BYTES);
}

/** The set in its one order: by voting power, highest first, then by address. */
export function sortValidators(validators: readonly Validator[]): Validator[] {
  return validators.toSorted(
    (a, b) => b.power - a.power || Buffer.compare(validatorAddress(a.publicKey), validatorAddress(b.publicKey)),
  );
}

export function validatorsHash(validators: readonly Validator[]): Uint8Array {
  return merkleRoot(sortValidators(validators).map(encodeSimpleValidator));
}

/** SimpleValidator{1 PublicKey{1 ed25519}, 2 voting_power}. */
function encodeSimpleValidator(validator: Validator): Buffer {
  return message(messageField(1, bytesField(1, validator.publicKey)), varintField(2, validator.power));
}
