/**
 * Classes of requests: what each may have of the processor and of the bytes that wait to be sent (DESIGN section 3, row Cost; decision 0123).
 *
 * Payments and cancels are the main job. They come first in the turns of an HTTP thread (gateway/turns.ts), and their bytes are a budget that
 * no other class can use up. Reads of rows and of pages follow in proportion to their weights. What may take long or comes from anyone is held
 * to a tenth of the thread each while payments come in, so that all of it together costs a payment less than half of its own time.
 */
import type { RpcMethod } from '../../gateway/rpc/port.ts';
import { BATCHES, type Kind, MAIN_JOB } from '../../gateway/turns.ts';
import { isBroadcast } from '../rpc/access.ts';
import type { OperationId } from '../typed/types.ts';

const MIB = 1024 * 1024;
/** Of a thread, for each class that is held back while payments come in. */
const HELD_BACK = 0.1;

export interface RequestClass {
  readonly name: 'payment' | 'batch' | 'row' | 'page' | 'stream' | 'search' | 'anonymous';
  readonly kind: Kind;
  /** Place of its bytes in shared memory. */
  readonly index: number;
  /** Bytes of answers that the kernel has not taken, or that are being made, of all requests of the class. */
  readonly unsentBytesMax: number;
}

/** Largest part of a class's bytes that one address may have: four that read nothing fill a class, and only that one. */
const ADDRESSES_THAT_FILL = 4;
export const unsentBytesPerAddressMax = ({ unsentBytesMax }: RequestClass): number =>
  unsentBytesMax / ADDRESSES_THAT_FILL;

/**
 * Payments and cancels one by one, by REST or as a broadcast. Their bytes have no bound: an answer is under 10 KiB, and each connection holds one.
 */
export const PAYMENT: RequestClass = {
  name: 'payment',
  kind: MAIN_JOB,
  index: 0,
  unsentBytesMax: Number.POSITIVE_INFINITY,
};
/** Payments by the thousand: 32 answers of 1 MiB, or bodies that are read, of one address. */
export const BATCH: RequestClass = { name: 'batch', kind: BATCHES, index: 6, unsentBytesMax: 128 * MIB };
/** One row by its key, or a small change. */
export const ROW: RequestClass = { name: 'row', kind: { weight: 8, share: 1 }, index: 1, unsentBytesMax: 16 * MIB };
/** A page of up to 1 MiB, or what is made from a whole block. Events to live streams are its kind of work too. */
export const PAGE: RequestClass = { name: 'page', kind: { weight: 4, share: 1 }, index: 2, unsentBytesMax: 48 * MIB };
/** Answers without a bound, piece by piece: statements as CSV, streams of events that are behind. */
export const STREAM: RequestClass = {
  name: 'stream',
  kind: { weight: 2, share: HELD_BACK },
  index: 3,
  unsentBytesMax: 48 * MIB,
};
/** tx_search and block_search. */
export const SEARCH: RequestClass = {
  name: 'search',
  kind: { weight: 1, share: HELD_BACK },
  index: 4,
  unsentBytesMax: 32 * MIB,
};
/** What comes without a token, searches and broadcasts aside: documents, metrics, the chain's RPC, mistakes. */
export const ANONYMOUS: RequestClass = {
  name: 'anonymous',
  kind: { weight: 1, share: HELD_BACK },
  index: 5,
  unsentBytesMax: 48 * MIB,
};
/** In the order of their index. Their bytes are 320 MiB together, the most that waits to be sent. */
export const CLASSES: readonly RequestClass[] = [PAYMENT, ROW, PAGE, STREAM, SEARCH, ANONYMOUS, BATCH];

const PAYMENTS: ReadonlySet<string> = new Set<OperationId>([
  'submitTransaction',
  'checkTransaction',
  'cancelTransaction',
  'submitCancel',
]);
const PAGES: ReadonlySet<string> = new Set<OperationId>([
  'listTransactions',
  'listEntries',
  'listEvents',
  'getReceipt',
  'listWebhooks',
  'listWebhookDeliveries',
  'replayWebhook',
  'listTokens',
  'listBoundAddresses',
]);

/** Of an operation outside the RPC; without `scopes` it needs no token. */
export function classOfOperation({ id, scopes }: { id: string; scopes: readonly string[] | undefined }): RequestClass {
  if (id === 'submitTransactionBatch') return BATCH;
  if (PAYMENTS.has(id)) return PAYMENT;
  if (scopes === undefined) return ANONYMOUS;
  return PAGES.has(id) ? PAGE : ROW;
}

export const isSearch = (method: string): boolean => method === 'tx_search' || method === 'block_search';

/** Of a method of the RPC, whichever transport it comes through. `isKnown`: who calls has a token. */
export function classOfMethod(method: RpcMethod, isKnown: boolean): RequestClass {
  if (isBroadcast(method)) return PAYMENT;
  if (isSearch(method)) return SEARCH;
  return isKnown ? PAGE : ANONYMOUS;
}
