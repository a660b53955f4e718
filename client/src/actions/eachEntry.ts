import type { Client } from '../client.ts';
import type { Entry, EntryQuery } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { listEntries } from './listEntries.ts';

/** Entries in one page; a page of any size costs the service about the same. */
const PAGE_SIZE_DEFAULT = 100;

/**
 * Every entry of an account's statement with the balance after it, read page by page as the loop goes on. Each entry comes exactly once,
 * even while blocks are added. `from` is included and `to` is not, so one month's `to` is the next one's `from`. `timeoutMs` applies to
 * each page.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @example
 * for await (const entry of eachEntry(client, { address, from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', order: 'asc' })) {
 *   console.log(entry.blockTime, entry.direction, BigInt(entry.amount), BigInt(entry.balanceAfter), entry.reference ?? '');
 * }
 */
export async function* eachEntry(
  client: Client,
  options: { address: string } & EntryQuery & CallOptions,
): AsyncGenerator<Entry, void, undefined> {
  let cursor = options.cursor;
  for (;;) {
    const page = await listEntries(client, { limit: PAGE_SIZE_DEFAULT, ...options, ...(cursor && { cursor }) });
    yield* page.entries;
    if (page.nextCursor === undefined) return;
    cursor = page.nextCursor;
  }
}
