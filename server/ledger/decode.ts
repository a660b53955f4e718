/**
 * Raw bytes to a transaction, or a refusal.
 *
 * JSON.parse alone would be a trap: it takes the last of two equal keys, turns -0 into 0, reads 1e3 and 1.0 as integers and rounds large
 * ones. So it only proposes: every field is checked, the transaction is encoded again, and the bytes must be equal. Thereby bytes that two
 * replicas could read differently are never a transaction.
 */
import { ADDRESS_PATTERN } from './address.ts';
import { latin1Bytes, latin1Text } from './bytes.ts';
import { CHAIN_ID_PATTERN } from './chain.ts';
import { refuse, type Refused } from './codes.ts';
import {
  AMOUNT_MAX,
  GOVERNANCE_BYTES_MAX,
  GOVERNORS_MAX,
  NONCE_MAX,
  REFERENCE_PATTERN,
  TX_BYTES_MAX,
  VALID_UNTIL_MAX,
  VALIDATOR_POWER_MAX,
} from './limits.ts';
import {
  type GovernanceAction,
  type GovernanceSignature,
  paymentMembers,
  type Transaction,
  transactionText,
} from './transaction.ts';

/** Canonical decimal without sign or leading zero; 39 digits hold 2^128 - 1, the exact bound is checked on the value. */
const AMOUNT_PATTERN = /^[1-9][0-9]{0,38}$/;
const SIGNATURE_PATTERN = /^[0-9a-f]{128}$/;
const TX_HASH_PATTERN = /^[0-9A-F]{64}$/;
const PUBLIC_KEY_HEX_PATTERN = /^[0-9a-f]{64}$/;
/** A version of the rules, 1 to RULES_VERSION_MAX. */
const VERSION_PATTERN = /^[1-9][0-9]{0,5}$/;
const EMPTY_PATTERN = /^$/;

/** Form of `subject` and bounds of `power`, for each action. */
const ACTIONS: Readonly<
  Record<GovernanceAction, { readonly subject: RegExp; readonly powerMin: number; readonly powerMax: number }>
> = {
  canceller_add: { subject: ADDRESS_PATTERN, powerMin: 0, powerMax: 0 },
  canceller_remove: { subject: ADDRESS_PATTERN, powerMin: 0, powerMax: 0 },
  governor_add: { subject: ADDRESS_PATTERN, powerMin: 0, powerMax: 0 },
  governor_remove: { subject: ADDRESS_PATTERN, powerMin: 0, powerMax: 0 },
  threshold: { subject: EMPTY_PATTERN, powerMin: 1, powerMax: GOVERNORS_MAX },
  validator_power: { subject: PUBLIC_KEY_HEX_PATTERN, powerMin: 0, powerMax: VALIDATOR_POWER_MAX },
  rules_version: { subject: VERSION_PATTERN, powerMin: 1, powerMax: Number.MAX_SAFE_INTEGER },
};

type Fields = Readonly<Record<string, unknown>>;
interface FieldRule {
  readonly holds: (value: unknown, fields: Fields) => boolean;
  readonly expected: string;
}

const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const integerUpTo = (max: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;

const CHAIN_ID: FieldRule = { holds: matches(CHAIN_ID_PATTERN), expected: 'a chain id' };
const ADDRESS: FieldRule = { holds: matches(ADDRESS_PATTERN), expected: 'an address in lower case' };
const SIGNATURE: FieldRule = { holds: matches(SIGNATURE_PATTERN), expected: '128 lower-case hex digits' };
const NONCE: FieldRule = { holds: integerUpTo(NONCE_MAX), expected: 'an integer from 0 to 2^53 - 1' };
const AMOUNT: FieldRule = {
  holds: (value) => typeof value === 'string' && AMOUNT_PATTERN.test(value) && BigInt(value) <= AMOUNT_MAX,
  expected: 'a decimal string from 1 to 2^128 - 1 without leading zeros',
};
const TX_HASH: FieldRule = { holds: matches(TX_HASH_PATTERN), expected: '64 upper-case hex digits' };
const ACTION: FieldRule = {
  holds: (value) => typeof value === 'string' && Object.hasOwn(ACTIONS, value),
  expected: `one of ${Object.keys(ACTIONS).join(', ')}`,
};
/** `kind` is checked before the fields that depend on it: it comes first in the table. */
const actionOf = (fields: Fields) => ACTIONS[fields['kind'] as GovernanceAction];
const POWER: FieldRule = {
  holds: (value, fields) => integerUpTo(actionOf(fields).powerMax)(value) && Number(value) >= actionOf(fields).powerMin,
  expected: `0, for validator_power a power up to 2^53 - 1, for threshold 1 to ${GOVERNORS_MAX}, for rules_version a height`,
};
const SUBJECT: FieldRule = {
  holds: (value, fields) => matches(actionOf(fields).subject)(value),
  expected:
    'the address of a role, for validator_power a key in 64 lower-case hex digits, for rules_version a version, for threshold empty',
};
const isSignature = (value: unknown): value is GovernanceSignature =>
  typeof value === 'object' &&
  value !== null &&
  SIGNATURE.holds((value as Fields)['signature'], {}) &&
  ADDRESS.holds((value as Fields)['signer'], {});
const SIGNATURES: FieldRule = {
  holds: (value) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= GOVERNORS_MAX &&
    value.every(isSignature) &&
    // Another order, or one signer twice, would be a second form of the same transaction.
    value.every(({ signer }, i) => i === 0 || (value[i - 1] as GovernanceSignature).signer < signer),
  expected: `1 to ${GOVERNORS_MAX} signatures, each with its signer, sorted by signer, no signer twice`,
};

const REFERENCE: FieldRule = {
  holds: (value) => value === undefined || matches(REFERENCE_PATTERN)(value),
  expected: 'absent, or 1 to 140 printable ASCII characters without " and \\, not beginning or ending with a space',
};
const VALID_UNTIL: FieldRule = {
  holds: (value) => value === undefined || (Number(value) >= 1 && integerUpTo(VALID_UNTIL_MAX)(value)),
  expected: `absent, or Unix time in whole seconds from 1 to ${VALID_UNTIL_MAX}`,
};

const TRANSFER_FIELDS = {
  amount: AMOUNT,
  chainId: CHAIN_ID,
  from: ADDRESS,
  nonce: NONCE,
  reference: REFERENCE,
  signature: SIGNATURE,
  to: ADDRESS,
  validUntil: VALID_UNTIL,
};
const CANCEL_FIELDS = {
  chainId: CHAIN_ID,
  from: ADDRESS,
  nonce: NONCE,
  signature: SIGNATURE,
  signer: ADDRESS,
  txHash: TX_HASH,
};
const GOVERNANCE_FIELDS = {
  chainId: CHAIN_ID,
  kind: ACTION,
  power: POWER,
  sequence: NONCE,
  signatures: SIGNATURES,
  subject: SUBJECT,
};

/** The first field that breaks its rule, as a sentence; undefined when all hold. */
function fieldFault(fields: Fields, rules: Readonly<Record<string, FieldRule>>): string | undefined {
  for (const name in rules) {
    const rule = rules[name] as FieldRule;
    if (!rule.holds(fields[name], fields)) return `${name} must be ${rule.expected}`;
  }
  return undefined;
}

/** The transaction that these fields describe. A key that only one of the three kinds has distinguishes them. */
function read(fields: Fields): Transaction | string {
  // Each cast is of a value that its rule in the tables above has just checked.
  const field = <T>(name: string) => fields[name] as T;
  if (Object.hasOwn(fields, 'amount')) {
    const fault = fieldFault(fields, TRANSFER_FIELDS);
    return (
      fault ?? {
        kind: 'transfer',
        chainId: field('chainId'),
        from: field('from'),
        to: field('to'),
        amount: BigInt(field<string>('amount')),
        nonce: field('nonce'),
        ...paymentMembers({ reference: field('reference'), validUntil: field('validUntil') }),
        signature: field('signature'),
      }
    );
  }
  if (Object.hasOwn(fields, 'txHash')) {
    const fault = fieldFault(fields, CANCEL_FIELDS);
    return (
      fault ?? {
        kind: 'cancel',
        chainId: field('chainId'),
        from: field('from'),
        nonce: field('nonce'),
        signer: field('signer'),
        txHash: field('txHash'),
        signature: field('signature'),
      }
    );
  }
  if (Object.hasOwn(fields, 'kind')) {
    const fault = fieldFault(fields, GOVERNANCE_FIELDS);
    return (
      fault ?? {
        kind: 'governance',
        chainId: field('chainId'),
        action: field('kind'),
        power: field('power'),
        sequence: field('sequence'),
        signatures: field('signatures'),
        subject: field('subject'),
      }
    );
  }
  return 'neither a transfer (amount), a cancel (txHash) nor governance (kind)';
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The canonical bytes of governance begin with this; a transfer's never do. */
const GOVERNANCE_START = latin1Bytes('{"chainId":');

/** Upper bound of the bytes of a transaction with this beginning: checked before any of it is parsed. */
function bytesMax(raw: Uint8Array): number {
  return GOVERNANCE_START.every((byte, i) => raw[i] === byte) ? GOVERNANCE_BYTES_MAX : TX_BYTES_MAX;
}

/** Reads raw bytes; refuses bytes that are not exactly the canonical encoding of the transaction that they describe. */
export function decodeTransaction(raw: Uint8Array): { readonly ok: true; readonly tx: Transaction } | Refused {
  if (raw.length > TX_BYTES_MAX && raw.length > bytesMax(raw))
    return refuse('malformed', `${raw.length} bytes, a transaction has at most ${bytesMax(raw)}`);
  const text = latin1Text(raw);
  const fields = parseObject(text);
  if (!fields) return refuse('malformed', 'not a JSON object');
  const tx = read(fields);
  if (typeof tx === 'string') return refuse('malformed', tx);
  if (transactionText(tx) !== text) {
    return refuse(
      'malformed',
      'not the canonical bytes: key order, spaces, duplicate or unknown keys, or the form of a number',
    );
  }
  return { ok: true, tx };
}
