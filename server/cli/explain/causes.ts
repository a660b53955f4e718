/**
 * Finds the reason why a signature or a hash is refused, and the necessary change.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { GROUP_ORDER_HEX, hasSmallOrderY, isCanonicalScalar } from '../../ledger/ed25519-strict.ts';
import {
  encodeTransaction,
  parseAddress,
  signBytes,
  txHash,
  verifyStrict,
  type AddressPrefix,
  type Transfer,
  type Unsigned,
} from '../../ledger/index.ts';
import { otherSignings } from './other-signings.ts';

const SCALAR_OFFSET = 32;

const littleEndian = (hex: string): bigint => BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`);

/** The same signature with S reduced below the group order L, as every signer writes it. */
function reduced(signature: Uint8Array): Uint8Array {
  const s =
    littleEndian(Buffer.from(signature.subarray(SCALAR_OFFSET)).toString('hex')) % littleEndian(GROUP_ORDER_HEX);
  const scalar = Buffer.from(s.toString(16).padStart(2 * SCALAR_OFFSET, '0'), 'hex').reverse();
  return Buffer.concat([signature.subarray(0, SCALAR_OFFSET), scalar]);
}

/** Returns the fault for which the STRICT rule refuses a signature before it checks the equation. */
function strictFault(signature: Uint8Array, verifies: (signature: Uint8Array) => boolean): string | undefined {
  if (!isCanonicalScalar(signature)) {
    const rest = verifies(reduced(signature))
      ? 'reduced modulo L it is right, so somebody changed its encoding'
      : 'no usual signer makes one like it';
    return `not STRICT: S, the second half of the signature, is not below the group order L; ${rest}`;
  }
  if (hasSmallOrderY(signature))
    return 'not STRICT: R, the first half of the signature, is a point of small order; no usual signer makes one like it';
  return undefined;
}

export interface KnownFacts {
  readonly prefix: AddressPrefix;
  /** Chains that it may have been signed for by mistake. */
  readonly chainIds: readonly string[];
}

/** @returns undefined when the signature is valid. */
export function signatureCause(
  transfer: Transfer,
  facts: KnownFacts,
  givenHash: string | undefined,
): string | undefined {
  const { signature: hex, ...fields } = transfer;
  const sender = parseAddress(fields.from, facts.prefix);
  if (!sender.ok) return `from names no key: ${sender.message}`;
  const signature = Buffer.from(hex, 'hex');
  const message = signBytes(fields as Unsigned<Transfer>);
  if (verifyStrict(sender.publicKey, message, signature)) return undefined;
  const strict = strictFault(signature, (other) => verifyStrict(sender.publicKey, message, other));
  if (strict !== undefined) return strict;
  for (const other of otherSignings(fields as Unsigned<Transfer>, sender.publicKey, facts)) {
    if (verifyStrict(other.publicKey, other.message, signature)) return other.mistake;
  }
  if (givenHash === undefined)
    return 'no usual mistake explains it: compare the sign bytes, byte for byte, with what was signed, and the key with that of from';
  return givenHash.toUpperCase() === txHash(encodeTransaction(transfer))
    ? 'wrong key: txHash is that of these very fields, so they were not altered; the key that signed is not that of from, or other bytes were signed than hashed'
    : 'altered: txHash is not that of these fields either, so amount, nonce, an address, reference, validUntil or the chain id changed after it was signed';
}

/** Explains why a txHash differs although the signature is valid. @returns undefined when the hash is right or absent. */
export function hashCause(transfer: Transfer, given: string | undefined): string | undefined {
  const expected = txHash(encodeTransaction(transfer));
  const actual = given?.toUpperCase();
  if (actual === undefined || actual === expected) return undefined;
  const { signature, ...fields } = transfer;
  const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex').toUpperCase();
  const raw = Buffer.from(encodeTransaction(transfer)).toString('latin1');
  const others: readonly (readonly [string, string])[] = [
    [
      sha256(signBytes(fields as Unsigned<Transfer>)),
      'it is the hash of the sign bytes; hash the raw transaction, which holds the signature',
    ],
    [sha256(raw.replace(signature, signature.toUpperCase())), 'the signature was hashed in upper case'],
    [sha256(`${raw}\n`), 'a line break behind the raw transaction was hashed too'],
    [sha256(Buffer.from(signature, 'hex')), 'it is the hash of the signature alone'],
  ];
  const found =
    others.find(([hash]) => hash === actual)?.[1] ?? 'it is the hash of something else than the raw transaction';
  return `txHash is ${actual}, that of this transfer is ${expected}: ${found}`;
}
