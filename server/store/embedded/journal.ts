/**
 * Entries of the journal: transfers accepted and cancels requested since the last block.
 *
 * A row of the journal is a group: one entry on each line, its fields separated by tabs, so that parsing one costs about a microsecond. No
 * field holds either character: addresses, hashes, owners, tokens, Idempotency-Keys and references are printable ASCII by their own rules.
 * A transfer that carries a reference or an end of its validity has a letter of its own and both after its other fields, so any other costs
 * nothing more.
 */
import { StoreDamagedError } from '../errors.ts';
import type { StoredTransfer } from '../types.ts';

/** A transfer that a group accepted. */
export interface AcceptedEntry {
  kind: 'accepted';
  transfer: JournaledTransfer;
  tokenId: string | undefined;
  idempotencyKey: string | undefined;
}

/** Fields of a transfer at its acceptance. */
export type JournaledTransfer = Pick<
  StoredTransfer,
  | 'seq'
  | 'hash'
  | 'from'
  | 'to'
  | 'amount'
  | 'nonce'
  | 'reference'
  | 'validUntil'
  | 'signature'
  | 'owner'
  | 'firstSeenAtMs'
  | 'seenBlockMs'
  | 'seenUptimeMs'
>;

/** A cancel that a client requested. */
export interface CancelEntry {
  kind: 'cancel';
  seq: number;
  atMs: number;
  owner: string;
  tokenId: string;
}

export type JournalEntry = AcceptedEntry | CancelEntry;

const ACCEPTED = 'a';
/** Accepted, with a reference or an end of its validity. */
const WITH_MEMBERS = 'p';
const CANCEL = 'c';
const FIELDS = { [ACCEPTED]: 14, [WITH_MEMBERS]: 16, [CANCEL]: 5 } as const;

/** Beginning of the line of an accepted transfer. */
export const ACCEPTED_LINES: readonly string[] = [`${ACCEPTED}\t`, `${WITH_MEMBERS}\t`];

/** Reference in the line of an accepted transfer, without parsing the line; undefined when it has none. */
export function referenceIn(line: string): string | undefined {
  if (!line.startsWith(WITH_MEMBERS)) return undefined;
  const end = line.lastIndexOf('\t');
  const reference = line.slice(line.lastIndexOf('\t', end - 1) + 1, end);
  return reference === '' ? undefined : reference;
}

export function encodeEntries(entries: readonly JournalEntry[]): string {
  return entries.map(encodeEntry).join('\n');
}

function encodeEntry(entry: JournalEntry): string {
  if (entry.kind === 'cancel') return `${CANCEL}\t${entry.seq}\t${entry.atMs}\t${entry.owner}\t${entry.tokenId}`;
  const {
    seq,
    hash,
    from,
    to,
    amount,
    nonce,
    reference,
    validUntil,
    signature,
    owner = '',
    firstSeenAtMs,
    seenBlockMs,
    seenUptimeMs,
  } = entry.transfer;
  const members =
    reference === undefined && validUntil === undefined ? undefined : `\t${reference ?? ''}\t${validUntil ?? ''}`;
  return `${members === undefined ? ACCEPTED : WITH_MEMBERS}\t${seq}\t${hash}\t${from}\t${to}\t${amount}\t${nonce}\t${signature}\t${owner}\t${firstSeenAtMs}\t${seenBlockMs}\t${seenUptimeMs}\t${entry.tokenId ?? ''}\t${entry.idempotencyKey ?? ''}${members ?? ''}`;
}

/** Throws StoreDamagedError for text that this program never wrote. */
export function decodeEntries(text: string): JournalEntry[] {
  return text.split('\n').map(decodeEntry);
}

function decodeEntry(line: string): JournalEntry {
  const fields = line.split('\t');
  const [kind, seq] = fields;
  if ((kind !== ACCEPTED && kind !== WITH_MEMBERS && kind !== CANCEL) || fields.length !== FIELDS[kind])
    throw damaged(line);
  if (kind === CANCEL) {
    const [, , atMs, owner, tokenId] = fields as [string, string, string, string, string];
    return { kind: 'cancel', seq: Number(seq), atMs: Number(atMs), owner, tokenId };
  }
  const [
    ,
    ,
    hash,
    from,
    to,
    amount,
    nonce,
    signature,
    owner,
    firstSeenAtMs,
    seenBlockMs,
    seenUptimeMs,
    tokenId,
    idempotencyKey,
    reference = '',
    validUntil = '',
  ] = fields as string[];
  if (!AMOUNT_PATTERN.test(amount ?? '')) throw damaged(line);
  return {
    kind: 'accepted',
    transfer: {
      seq: Number(seq),
      hash: hash as string,
      from: from as string,
      to: to as string,
      amount: BigInt(amount as string),
      nonce: Number(nonce),
      reference: reference === '' ? undefined : reference,
      validUntil: validUntil === '' ? undefined : Number(validUntil),
      signature: signature as string,
      owner: owner === '' ? undefined : owner,
      firstSeenAtMs: Number(firstSeenAtMs),
      seenBlockMs: Number(seenBlockMs),
      seenUptimeMs: Number(seenUptimeMs),
    },
    tokenId: tokenId === '' ? undefined : tokenId,
    idempotencyKey: idempotencyKey === '' ? undefined : idempotencyKey,
  };
}

const AMOUNT_PATTERN = /^[1-9][0-9]{0,38}$/;
const EXCERPT_CHARS = 80;

const damaged = (line: string): Error =>
  new StoreDamagedError(
    `the journal holds ${JSON.stringify(line.slice(0, EXCERPT_CHARS))}, which this program never wrote; restore the database from a backup`,
  );
