/**
 * Reads the body of POST /transactions leniently: returns the faults of its form, and the transfer that was most likely meant, so that one
 * wrong character does not hide other faults.
 *
 * @module
 */
import { BODY_BYTES_MAX } from '../../http/limits.ts';
import type { TransferInput } from '../../gateway/index.ts';
import {
  ADDRESS_PATTERN,
  AMOUNT_MAX,
  NONCE_MAX,
  paymentMembers,
  REFERENCE_PATTERN,
  SIGNATURE_BYTES,
  VALID_UNTIL_MAX,
} from '../../ledger/index.ts';
import { type JsonPath, readStrictText } from '../strict-file.ts';

export interface Finding {
  /** JSON pointer into the body; empty for the body as a whole. */
  readonly pointer: string;
  readonly message: string;
}

export interface ReadRequest {
  /** Faults by the contract's schema, and corrections that were made to continue reading. */
  readonly findings: readonly Finding[];
  /** The problem that results from the form alone; undefined if the form is right. */
  readonly code: 'body_too_large' | 'malformed_json' | 'invalid_request' | undefined;
  /** The transfer in canonical form; undefined if too little of it can be read. */
  readonly meant: TransferInput | undefined;
  /** The transfer exactly as given; only if every field has the right form. */
  readonly given: TransferInput | undefined;
}

const FIELDS: readonly string[] = ['from', 'to', 'amount', 'nonce', 'reference', 'validUntil', 'signature', 'txHash'];
const SIGNATURE_HEX = /^[0-9a-f]{128}$/;
const HASH_HEX = /^[0-9A-Fa-f]{64}$/;
/** Any spelling of a whole number with a canonical form. */
const LOOSE_INTEGER = /^\s*\+?0*([0-9]+)(?:\.0+)?\s*$/;

type Body = Readonly<Record<string, unknown>>;
type Note = (pointer: string, message: string) => void;

/** @returns the text in the schema's form; undefined if it has no such form. */
function readAmount(value: unknown, note: Note): string | undefined {
  if (typeof value !== 'string')
    note(
      '/amount',
      `amount is a JSON ${typeof value}; it must be a string of decimal digits, because a number above 2^53 - 1 loses digits`,
    );
  const [, digits] = LOOSE_INTEGER.exec(String(value)) ?? [];
  const canonical = digits === undefined ? undefined : digits.replace(/^0+(?=.)/, '');
  if (canonical === undefined || canonical === '0' || BigInt(canonical) > AMOUNT_MAX) {
    note('/amount', `amount ${JSON.stringify(value)} is no whole number of minor units from 1 to 2^128 - 1`);
    return undefined;
  }
  if (typeof value === 'string' && value !== canonical)
    note('/amount', `amount ${JSON.stringify(value)} is not canonical; it must be "${canonical}"`);
  return canonical;
}

function readNonce(value: unknown, note: Note): number | undefined {
  if (typeof value !== 'number') note('/nonce', `nonce is a JSON ${typeof value}; it must be a number`);
  const nonce = typeof value === 'string' && LOOSE_INTEGER.test(value) ? Number(value) : value;
  if (typeof nonce === 'number' && Number.isSafeInteger(nonce) && nonce >= 0 && nonce <= NONCE_MAX) return nonce;
  note('/nonce', `nonce ${JSON.stringify(value)} is no integer from 0 to 2^53 - 1`);
  return undefined;
}

/** As in the service, null counts as absent. An unusable value is left out as if it had not been sent. */
function readReference(value: unknown, note: Note): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && REFERENCE_PATTERN.test(value)) return value;
  note(
    '/reference',
    `reference ${JSON.stringify(value)} is not 1 to 140 printable ASCII characters other than " and \\, without a space at either end`,
  );
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return REFERENCE_PATTERN.test(trimmed) ? trimmed : undefined;
}

function readValidUntil(value: unknown, note: Note): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= VALID_UNTIL_MAX) return value;
  const seconds = typeof value === 'string' && LOOSE_INTEGER.test(value) ? Number(value) : undefined;
  const what =
    seconds === undefined
      ? 'no integer from 1 to 253402300799; it is Unix time in whole seconds'
      : 'text; it must be a number';
  note('/validUntil', `validUntil ${JSON.stringify(value)} is ${what}`);
  return seconds !== undefined && seconds >= 1 && seconds <= VALID_UNTIL_MAX ? seconds : undefined;
}

function readAddress(name: 'from' | 'to', value: unknown, note: Note): string | undefined {
  if (typeof value !== 'string') {
    note(`/${name}`, `${name} is ${value === undefined ? 'missing' : 'not a string'}; it must be an address`);
    return undefined;
  }
  const meant = value.trim().toLowerCase();
  if (!ADDRESS_PATTERN.test(meant)) {
    note(
      `/${name}`,
      `${name} has not the form of an address: txl1 or txlt1 and 58 lower-case characters of the bech32 alphabet`,
    );
    return undefined;
  }
  if (meant !== value) note(`/${name}`, `${name} is not in lower case, or has spaces around it`);
  return meant;
}

/** Recognises the same bytes in another notation, so that this fault is reported instead of a wrong signature. */
function readSignature(value: unknown, note: Note): string | undefined {
  if (typeof value !== 'string') {
    note(
      '/signature',
      `signature is ${value === undefined ? 'missing' : 'not a string'}; it must be 128 lower-case hex digits`,
    );
    return undefined;
  }
  if (SIGNATURE_HEX.test(value)) return value;
  const bare = value.trim().replace(/^0x/i, '');
  if (SIGNATURE_HEX.test(bare.toLowerCase())) {
    const what = bare === value ? 'is in upper case' : 'has a prefix or spaces around its digits';
    note('/signature', `signature ${what}; it must be 128 lower-case hex digits and nothing else`);
    return bare.toLowerCase();
  }
  const decoded = /^[A-Za-z0-9+/_-]{86}(==)?$/.test(bare) ? Buffer.from(bare, 'base64url') : undefined;
  if (decoded?.length === SIGNATURE_BYTES) {
    note('/signature', 'signature is in base64; it must be 128 lower-case hex digits');
    return decoded.toString('hex');
  }
  const foreign = /[^0-9a-fA-F]/.exec(bare)?.[0];
  const what =
    foreign === undefined
      ? `has ${bare.length} hex digits`
      : `has ${bare.length} characters, among them ${JSON.stringify(foreign)}, which is no hex digit`;
  note('/signature', `signature ${what}; it must be 128 lower-case hex digits (64 bytes)`);
  return undefined;
}

function readHash(value: unknown, note: Note): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && HASH_HEX.test(value)) return value;
  note('/txHash', 'txHash is not 64 hex digits; it may also be left out');
  const bare = typeof value === 'string' ? value.trim().replace(/^0x/i, '') : '';
  return HASH_HEX.test(bare) ? bare : undefined;
}

/** The result for a body that allows no further findings: it has more than one meaning, or is not a transfer. */
const unusable = (code: NonNullable<ReadRequest['code']>, message: string, path: JsonPath = []): ReadRequest => ({
  findings: [{ pointer: pointerOf(path), message }],
  code,
  meant: undefined,
  given: undefined,
});

/** Formats a JSON pointer (RFC 6901). */
const pointerOf = (path: JsonPath): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export function readRequest(bytes: Buffer): ReadRequest {
  if (bytes.length > BODY_BYTES_MAX)
    return unusable('body_too_large', `it has ${bytes.length} bytes, and the service takes at most ${BODY_BYTES_MAX}`);
  const read = readStrictText(bytes, 'body');
  if (!read.ok) return unusable('malformed_json', read.detail, read.path);
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value))
    return unusable('invalid_request', 'this is not a JSON object');
  const body = read.value as Body;
  const findings: Finding[] = [];
  const note: Note = (pointer, message) => findings.push({ pointer, message });
  for (const name of Object.keys(body).filter((key) => !FIELDS.includes(key)))
    note(
      `/${name}`,
      `${name} is no field of a transfer${name === 'chainId' ? '; the service adds its own chain id' : ''}`,
    );
  const from = readAddress('from', body['from'], note);
  const to = readAddress('to', body['to'], note);
  const amount = readAmount(body['amount'], note);
  const nonce = readNonce(body['nonce'], note);
  const reference = readReference(body['reference'], note);
  const validUntil = readValidUntil(body['validUntil'], note);
  const signature = readSignature(body['signature'], note);
  const txHash = readHash(body['txHash'], note);
  const complete = from !== undefined && to !== undefined && amount !== undefined && nonce !== undefined;
  const meant = complete
    ? {
        from,
        to,
        amount,
        nonce,
        ...paymentMembers({ reference, validUntil }),
        signature: signature ?? '',
        ...(txHash === undefined ? {} : { txHash }),
      }
    : undefined;
  return findings.length === 0
    ? { findings, code: undefined, meant, given: meant }
    : { findings, code: 'invalid_request', meant, given: undefined };
}
