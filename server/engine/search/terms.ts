/**
 * Terms: the keys of the index of transactions. A term is one attribute of an event with its value.
 *
 * Between blocks and queries a term is plain text; on disk it is the first half of its SHA-256, which two terms practically never share.
 */
import { hash } from 'node:crypto';
import type { LedgerEvent } from '../../ledger/index.ts';

/** Bytes of a term's hash that are kept. */
export const TERM_BYTES = 16;

/** No key contains it, so no key and value can be mistaken for another pair. */
const SEPARATOR = '\0';

export function termOf(key: string, value: string): string {
  return `${key}${SEPARATOR}${value}`;
}

/** The terms of a transaction, each once: of every attribute that is marked for indexes. */
export function termsOf(events: readonly LedgerEvent[]): Set<string> {
  const terms = new Set<string>();
  for (const { type, attributes } of events) {
    for (const { key, value, index } of attributes) if (index) terms.add(termOf(`${type}.${key}`, value));
  }
  return terms;
}

/** In hex: a block has thousands of terms, and text is the fastest form of a hash. */
export function termHash(term: string): string {
  return hash('sha256', term, 'hex').slice(0, 2 * TERM_BYTES);
}
