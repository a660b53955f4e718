/**
 * Classes of requests, with the share of each in processor time and in unsent bytes (DESIGN section 3, row Cost; decision 0123).
 *
 * Payments and cancels are the main job. They come first in the turns of an HTTP thread (gateway/turns.ts), and their bytes are a budget
 * that no other class can use up. Reads of rows and of pages follow in proportion to their weights. Each class of long or anonymous
 * requests is limited to a tenth of the thread while payments arrive, so that all of them together delay a payment by less than half of its
 * own time.
 */
import type { RpcMethod } from '../../gateway/rpc/port.ts';
import { BATCHES, type Kind, MAIN_JOB } from '../../gateway/turns.ts';
import type { Principal } from '../../gateway/types.ts';
import { clientKey } from '../rate-limit.ts';
import { isBroadcast } from '../rpc/access.ts';
import type { OperationId } from '../typed/types.ts';

const MIB = 1024 * 1024;
/** Share of a thread for each class that is held back while payments arrive. */
const HELD_BACK = 0.1;
/** Number of callers that read nothing and fill a class, without effect on other classes. */
const CALLERS_THAT_FILL = 4;

export interface RequestClass {
  readonly kind: Kind;
  /** Index of its bytes in shared memory. */
  readonly index: number;
  /** Bytes of answers that the kernel has not taken, or that are being made, of all requests of the class. */
  readonly unsentBytesMax: number;
  readonly unsentBytesPerCallerMax: number;
}

/** All classes in the order of their index. Their bytes are 320 MiB together, the most that can wait to be sent. */
export const CLASSES: RequestClass[] = [];
function requestClass(kind: Kind, unsentBytesMax: number): RequestClass {
  const unsentBytesPerCallerMax = unsentBytesMax / CALLERS_THAT_FILL;
  const made = { kind, index: CLASSES.length, unsentBytesMax, unsentBytesPerCallerMax };
  CLASSES.push(made);
  return made;
}

/**
 * Single payments and cancels, by REST or as a broadcast; a dry run is no payment and has the class ROW. Their bytes have no bound: an
 * answer is under 10 KiB, and each connection holds one.
 */
export const PAYMENT = requestClass(MAIN_JOB, Number.POSITIVE_INFINITY);
/**
 * Payments by the thousand: 32 answers of 1 MiB of one caller. Long bodies of any caller with a token count here too, whatever their
 * target.
 */
export const BATCH = requestClass(BATCHES, 128 * MIB);
/** One row by its key, or a small change. */
export const ROW = requestClass({ weight: 8, share: 1 }, 16 * MIB);
/** A page of up to 1 MiB, or an answer made from a whole block. Events for live streams are this kind of work too. */
export const PAGE = requestClass({ weight: 4, share: 1 }, 48 * MIB);
/** Answers without a bound, piece by piece: statements as CSV, streams of events that are behind. */
export const STREAM = requestClass({ weight: 2, share: HELD_BACK }, 48 * MIB);
/** tx_search and block_search. */
export const SEARCH = requestClass({ weight: 1, share: HELD_BACK }, 32 * MIB);
/** Requests without a token, except searches and broadcasts: documents, metrics, the chain's RPC, invalid requests. */
export const ANONYMOUS = requestClass({ weight: 1, share: HELD_BACK }, 48 * MIB);

/**
 * The key by which turns, searches and bytes are shared: the owner of a token, from any number of addresses, or the address of a client
 * without a token. The sign before an address is not allowed in the name of an owner.
 */
export const callerOf = (principal: Pick<Principal, 'owner'> | undefined, address: string | undefined): string =>
  principal?.owner ?? `@${clientKey(address ?? '')}`;

const PAYMENTS: readonly OperationId[] = ['submitTransaction', 'cancelTransaction', 'submitCancel'];
const PAGES: readonly OperationId[] = [
  'listTransactions',
  'listEntries',
  'listEvents',
  'getReceipt',
  'listWebhooks',
  'listWebhookDeliveries',
  'replayWebhook',
  'listTokens',
  'listBoundAddresses',
];
const BY_OPERATION: ReadonlyMap<string, RequestClass> = new Map([
  ['submitTransactionBatch', BATCH],
  ...PAYMENTS.map((id) => [id, PAYMENT] as const),
  ...PAGES.map((id) => [id, PAGE] as const),
]);

/** The class of an operation outside the RPC; without `scopes` it needs no token. */
export const classOfOperation = ({ id, scopes }: { id: string; scopes: readonly string[] | undefined }): RequestClass =>
  BY_OPERATION.get(id) ?? (scopes === undefined ? ANONYMOUS : ROW);

export const isSearch = (method: string): boolean => method === 'tx_search' || method === 'block_search';

/** The class of a method of the RPC, on any transport. `isKnown`: the caller has a token. */
export function classOfMethod(method: RpcMethod, isKnown: boolean): RequestClass {
  if (isBroadcast(method)) return PAYMENT;
  if (isSearch(method)) return SEARCH;
  return isKnown ? PAGE : ANONYMOUS;
}
