import type { Client } from '../client.ts';
import type { ListQuery, Transaction } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { listTransactions } from './listTransactions.ts';

/** Transfers in one page; a page of any size costs the service about the same. */
const PAGE_SIZE_DEFAULT = 100;

/**
 * Every transfer, newest first, read page by page as the loop goes on: `for await (const transaction of eachTransaction(client))`. Each
 * transfer comes exactly once, even while others are submitted; those submitted after the loop began are not included. `timeoutMs`
 * applies to each page.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @example
 * for await (const { txHash, amount, status } of eachTransaction(client, { from: address, status: 'committed' })) {
 *   console.log(txHash, BigInt(amount), status);
 * }
 */
export async function* eachTransaction(
  client: Client,
  options: ListQuery & CallOptions = {},
): AsyncGenerator<Transaction, void, undefined> {
  let cursor = options.cursor;
  for (;;) {
    const page = await listTransactions(client, { limit: PAGE_SIZE_DEFAULT, ...options, ...(cursor && { cursor }) });
    yield* page.transactions;
    if (page.nextCursor === undefined) return;
    cursor = page.nextCursor;
  }
}
