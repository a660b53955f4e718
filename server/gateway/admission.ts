/**
 * Stateless checks of a submitted transfer: everything that needs no store.
 *
 * They run on the caller's thread because the signature check costs more than all the rest of a submission together. The order is part of
 * the contract: addresses, then signature, then the hash.
 */
import type { ChainContext, Transfer, Unsigned } from '../ledger/index.ts';
import {
  AMOUNT_MAX,
  encodeTransaction,
  NONCE_MAX,
  parseAddress,
  paymentMembers,
  REFERENCE_PATTERN,
  signBytes,
  txHash,
  VALID_UNTIL_MAX,
  verifyStrict,
} from '../ledger/index.ts';
import { refuse, refuseAddress, refuseField } from './refusals.ts';
import type { FieldError, Refusal, TransferInput } from './types.ts';

const AMOUNT_PATTERN = /^[1-9][0-9]{0,38}$/;
const SIGNATURE_PATTERN = /^[0-9a-f]{128}$/;
const HASH_PATTERN = /^[0-9A-Fa-f]{64}$/;
const REFERENCE_RULE =
  'A reference is 1 to 140 printable ASCII characters other than " and \\, without a space at either end.';
const VALID_UNTIL_RULE = 'A validUntil is Unix time in whole seconds, an integer from 1 to 253402300799.';

const isValidUntil = (value: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= VALID_UNTIL_MAX;

/** A transfer that passed the stateless checks: its signature is verified, its hash computed. Structured-cloneable. */
export interface AdmittedTransfer {
  from: string;
  to: string;
  /** Minor units. */
  amount: bigint;
  nonce: number;
  reference?: string | undefined;
  validUntil?: number | undefined;
  signature: string;
  txHash: string;
}

/** One signature to verify. */
export interface SignatureCheck {
  /** 32 bytes. */
  publicKey: Uint8Array;
  message: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
}

export type Admission = { ok: true; transfer: AdmittedTransfer } | Refusal;

/** A transfer whose form and addresses are valid, and the bytes over which its signature has to be verified. */
export interface PreparedTransfer {
  input: TransferInput;
  unsigned: Unsigned<Transfer>;
  check: SignatureCheck;
}

export function admitTransfer(chain: ChainContext, input: TransferInput): Admission {
  const prepared = prepareTransfer(chain, input);
  if (!prepared.ok) return prepared;
  const { publicKey, message, signature } = prepared.transfer.check;
  return finishTransfer(prepared.transfer, verifyStrict(publicKey, message, signature));
}

/** The checks before the signature. */
export function prepareTransfer(
  chain: ChainContext,
  input: TransferInput,
): { ok: true; transfer: PreparedTransfer } | Refusal {
  const malformed = shapeFault(input);
  if (malformed !== undefined) return malformed;
  const from = parseAddress(input.from, chain.addressPrefix);
  if (!from.ok) return refuseAddress('/from', from, chain.addressPrefix);
  const to = parseAddress(input.to, chain.addressPrefix);
  if (!to.ok) return refuseAddress('/to', to, chain.addressPrefix);

  const unsigned = unsignedTransfer(chain, input);
  const check: SignatureCheck = {
    publicKey: from.publicKey,
    message: signBytes(unsigned),
    signature: Buffer.from(input.signature, 'hex'),
  };
  return { ok: true, transfer: { input, unsigned, check } };
}

/** The bytes that its sender signs; its form is valid. */
export function unsignedTransfer({ chainId }: ChainContext, input: TransferInput): Unsigned<Transfer> {
  const { from, to, amount, nonce } = input;
  return { kind: 'transfer', chainId, from, to, amount: BigInt(amount), nonce, ...paymentMembers(input) };
}

/** The checks after the signature: `verified` is its result. */
export function finishTransfer({ input, unsigned, check }: PreparedTransfer, verified: boolean): Admission {
  const { amount } = unsigned;
  if (!verified) {
    const message =
      'The signature does not verify for the sign bytes in signBytes and the key in from. Compare these bytes with those that were signed.';
    return refuseField('invalid_signature', '/signature', message, {
      extra: { signBytes: Buffer.from(check.message).toString() },
    });
  }

  const hash = txHash(encodeTransaction({ ...unsigned, signature: input.signature }));
  if (input.txHash !== undefined && input.txHash.toUpperCase() !== hash) {
    const extra = { expectedTxHash: hash, actualTxHash: input.txHash.toUpperCase() };
    return refuseField(
      'tx_hash_mismatch',
      '/txHash',
      'The txHash is not that of this transfer; expectedTxHash is. Compare the raw bytes that were hashed, or leave txHash out.',
      { txHash: hash, extra },
    );
  }
  const { from, to, nonce, reference, validUntil, signature } = input;
  return { ok: true, transfer: { from, to, amount, nonce, reference, validUntil, signature, txHash: hash } };
}

/** The contract's schema refuses these before; only a caller other than the HTTP layer gets here. */
function shapeFault(input: TransferInput): Refusal | undefined {
  const faults: (FieldError & { ok: boolean })[] = [
    {
      pointer: '/amount',
      message: 'An amount is a string of decimal digits, from 1 to 2^128-1.',
      ok: AMOUNT_PATTERN.test(input.amount) && BigInt(input.amount) <= AMOUNT_MAX,
    },
    {
      pointer: '/nonce',
      message: 'A nonce is an integer from 0 to 2^53-1.',
      ok: Number.isSafeInteger(input.nonce) && input.nonce >= 0 && input.nonce <= NONCE_MAX,
    },
    {
      pointer: '/reference',
      message: REFERENCE_RULE,
      ok: input.reference === undefined || REFERENCE_PATTERN.test(input.reference),
    },
    {
      pointer: '/validUntil',
      message: VALID_UNTIL_RULE,
      ok: input.validUntil === undefined || isValidUntil(input.validUntil),
    },
    {
      pointer: '/signature',
      message: 'A signature is 128 lower-case hex digits.',
      ok: SIGNATURE_PATTERN.test(input.signature),
    },
    {
      pointer: '/txHash',
      message: 'A txHash is 64 hex digits.',
      ok: input.txHash === undefined || HASH_PATTERN.test(input.txHash),
    },
  ];
  const found = faults.filter((fault) => !fault.ok);
  if (found.length === 0) return undefined;
  return refuse('invalid_request', 'The transfer is malformed. Correct each place that errors names.', {
    errors: found.map(({ pointer, message }) => ({ pointer, message })),
  });
}
