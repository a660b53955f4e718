/**
 * Stateless checks of a transaction: bytes, chain, addresses, signature.
 *
 * They are separate from `step` because they are the expensive part and because their answer never changes: the same bytes are checked once
 * when they arrive and need not be checked again by the same process.
 */
import { parseAddress } from './address.ts';
import { fromHex } from './bytes.ts';
import type { ChainContext } from './chain.ts';
import { refuse, type Refused } from './codes.ts';
import { decodeTransaction } from './decode.ts';
import { isStrictPublicKey, verifyStrict } from './ed25519.ts';
import { type Governance, signaturesOf, signBytes, type Transaction, txHash } from './transaction.ts';

/** A transaction whose bytes, addresses and signature are valid for one chain. */
export interface VerifiedTransaction {
  readonly tx: Transaction;
  readonly raw: Uint8Array;
  /** 64 upper-case hex digits. */
  readonly hash: string;
}

export type Verdict = { readonly ok: true; readonly verified: VerifiedTransaction } | Refused;

/** Options for reading the transactions of a block. */
export interface ReadOptions {
  /** True when this very process has verified the signature of these bytes before. */
  readonly signatureVerified?: (raw: Uint8Array) => boolean;
  /** Reads and verifies bytes as `verifyTransaction` does, for a caller that caches its results: then nothing is decoded again. */
  readonly read?: (raw: Uint8Array) => Verdict;
}

export interface VerifyOptions {
  /** Leaves the signature out: only for bytes whose signature this very process has verified before. */
  readonly signatureVerified?: boolean;
  /** The hash of these bytes where the caller has it: then it is not computed again. */
  readonly hash?: string;
  /** The decoded bytes, where the caller has decoded them: then they are not decoded again. */
  readonly tx?: Transaction;
}

/** True when the subject of a governance transaction is an address. */
function isRole({ action }: Governance): boolean {
  return action !== 'validator_power' && action !== 'threshold' && action !== 'rules_version';
}

/** The signers come first, in the order of signaturesOf: their keys verify the signatures. */
function addressesOf(tx: Transaction): readonly (readonly [field: string, address: string])[] {
  switch (tx.kind) {
    case 'transfer':
      return [
        ['from', tx.from],
        ['to', tx.to],
      ];
    case 'cancel':
      return [
        ['signer', tx.signer],
        ['from', tx.from],
      ];
    case 'governance':
      return [
        ...tx.signatures.map(({ signer }, i) => [`signatures[${i}].signer`, signer] as const),
        ...(isRole(tx) ? [['subject', tx.subject] as const] : []),
      ];
  }
}

/** The refusal of a transaction that has no fault except its signature. */
export const INVALID_SIGNATURE: Refused = refuse(
  'invalid_signature',
  'the signature does not verify for these bytes and this key',
);

/** One signature to verify. */
export interface SignatureCheck {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** The signatures of a transaction with valid addresses, to be verified elsewhere: it is valid when all of them are. */
export function signatureChecks({ addressPrefix }: ChainContext, tx: Transaction): SignatureCheck[] {
  const message = signBytes(tx);
  return signaturesOf(tx).flatMap(({ signer, signature }) => {
    const parsed = parseAddress(signer, addressPrefix);
    return parsed.ok ? [{ publicKey: parsed.publicKey, message, signature: fromHex(signature) }] : [];
  });
}

export function verifyTransaction(chain: ChainContext, raw: Uint8Array, options: VerifyOptions = {}): Verdict {
  const decoded = options.tx === undefined ? decodeTransaction(raw) : { ok: true as const, tx: options.tx };
  if (!decoded.ok) return decoded;
  const { tx } = decoded;
  if (tx.chainId !== chain.chainId)
    return refuse('wrong_chain', `signed for ${tx.chainId}, this chain is ${chain.chainId}`);

  const keys: Uint8Array[] = [];
  for (const [field, address] of addressesOf(tx)) {
    const parsed = parseAddress(address, chain.addressPrefix);
    if (!parsed.ok) return refuse('invalid_address', `${field}: ${parsed.message}`);
    keys.push(parsed.publicKey);
  }
  if (tx.kind === 'governance' && tx.action === 'validator_power' && !isStrictPublicKey(fromHex(tx.subject))) {
    return refuse('governance_subject', 'subject: the validator key is not canonical or of small order');
  }
  if (options.signatureVerified !== true) {
    const message = signBytes(tx);
    const isGood = signaturesOf(tx).every(({ signature }, i) =>
      verifyStrict(keys[i] as Uint8Array, message, fromHex(signature)),
    );
    if (!isGood) return INVALID_SIGNATURE;
  }
  return { ok: true, verified: { tx, raw, hash: options.hash ?? txHash(raw) } };
}

/** One transaction of a block. */
export function readTransaction(
  chain: ChainContext,
  raw: Uint8Array,
  { signatureVerified, read }: ReadOptions,
): Verdict {
  return read === undefined
    ? verifyTransaction(chain, raw, { signatureVerified: signatureVerified?.(raw) === true })
    : read(raw);
}
