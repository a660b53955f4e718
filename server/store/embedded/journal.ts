/**
 * Entries of the journal: what was accepted and what was asked for since the last block.
 *
 * A row of the journal is a group: one entry a line, its fields apart by tabs, so that taking one apart costs about a microsecond. No field
 * holds either character: addresses, hashes, owners, tokens and Idempotency-Keys are visible ASCII by their own rules.
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

/** What is known of a transfer when it is accepted. */
export type JournaledTransfer = Pick<
  StoredTransfer,
  'seq' | 'hash' | 'from' | 'to' | 'amount' | 'nonce' | 'signature' | 'owner' | 'firstSeenAtMs' | 'seenBlockMs' | 'seenUptimeMs'
>;

/** A cancel that a client asked for. */
export interface CancelEntry {
  kind: 'cancel';
  seq: number;
  atMs: number;
  owner: string;
  tokenId: string;
}

export type JournalEntry = AcceptedEntry | CancelEntry;

const ACCEPTED = 'a';
const CANCEL = 'c';
const FIELDS = { [ACCEPTED]: 14, [CANCEL]: 5 } as const;

export function encodeEntries(entries: readonly JournalEntry[]): string {
  return entries.map(encodeEntry).join('\n');
}

function encodeEntry(entry: JournalEntry): string {
  if (entry.kind === 'cancel') return `${CANCEL}\t${entry.seq}\t${entry.atMs}\t${entry.owner}\t${entry.tokenId}`;
  const { seq, hash, from, to, amount, nonce, signature, owner = '', firstSeenAtMs, seenBlockMs, seenUptimeMs } = entry.transfer;
  return `${ACCEPTED}\t${seq}\t${hash}\t${from}\t${to}\t${amount}\t${nonce}\t${signature}\t${owner}\t${firstSeenAtMs}\t${seenBlockMs}\t${seenUptimeMs}\t${entry.tokenId ?? ''}\t${entry.idempotencyKey ?? ''}`;
}

/** Throws StoreDamagedError for text that this program never wrote. */
export function decodeEntries(text: string): JournalEntry[] {
  return text.split('\n').map(decodeEntry);
}

function decodeEntry(line: string): JournalEntry {
  const fields = line.split('\t');
  const [kind, seq] = fields;
  if ((kind !== ACCEPTED && kind !== CANCEL) || fields.length !== FIELDS[kind]) throw damaged(line);
  if (kind === CANCEL) {
    const [, , atMs, owner, tokenId] = fields as [string, string, string, string, string];
    return { kind: 'cancel', seq: Number(seq), atMs: Number(atMs), owner, tokenId };
  }
  const [, , hash, from, to, amount, nonce, signature, owner, firstSeenAtMs, seenBlockMs, seenUptimeMs, tokenId, idempotencyKey] = fields as string[];
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

const damaged = (line: string): Error => new StoreDamagedError(`the journal holds ${JSON.stringify(line.slice(0, EXCERPT_CHARS))}, which this program never wrote; restore the database from a backup`);
