/**
 * Problem documents (RFC 9457). Status, title and retriable come from the contract's catalogue, so that they are the same for each use of a
 * code; only `detail` and the members of this occurrence are set where the fault is found.
 */
import type { FieldError, Refusal, Sentence } from '../../gateway/types.ts';
import type { Schemas } from '../typed/types.ts';

import { challenge, scopeChallenge } from '../bearer.ts';
import type { ProblemCatalogue, ProblemCode } from '../contract/catalogue.ts';
import { PROBLEM_ERRORS_MAX, RETRY_AFTER_S_DEFAULT } from '../limits.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Bounds of the contract's Problem schema, for text that quotes a client. */
const DETAIL_CHARS_MAX = 1024;
const POINTER_CHARS_MAX = 256;

export interface ProblemInit {
  code: ProblemCode;
  detail: Sentence;
  txHash?: string | undefined;
  errors?: readonly FieldError[] | undefined;
  /** Members that only this code has, such as `signBytes`. */
  members?: Record<string, unknown> | undefined;
  headers?: Record<string, string> | undefined;
  retryAfterS?: number | undefined;
}

export interface Problem {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Statuses after which a client should wait: the contract declares Retry-After for them. */
const WAITING_STATUSES = new Set([429, 503]);

/** `about.target` is absent if no request could be read. */
export function buildProblem(
  catalogue: ProblemCatalogue,
  about: { requestId: string; target?: string },
  init: ProblemInit,
): Problem {
  const entry = catalogue.get(init.code);
  if (entry === undefined) throw new Error(`The problem code ${init.code} is not in the contract.`);
  const problem: Schemas['Problem'] = {
    type: problemType(init.code, about.target, catalogue.publicUrl),
    title: entry.title,
    status: entry.status,
    detail: cut(init.detail, DETAIL_CHARS_MAX),
    code: init.code,
    retriable: entry.retriable,
    requestId: about.requestId,
  };
  if (init.txHash !== undefined) problem.txHash = init.txHash;
  if (init.errors !== undefined && init.errors.length > 0) {
    problem.errors = init.errors.slice(0, PROBLEM_ERRORS_MAX).map(({ pointer, message }) => ({
      pointer: cut(pointer, POINTER_CHARS_MAX),
      message: cut(message, DETAIL_CHARS_MAX),
    }));
  }
  const body = Object.assign(problem as Record<string, unknown>, init.members);
  const headers = { ...init.headers };
  if (WAITING_STATUSES.has(entry.status)) headers['Retry-After'] = String(init.retryAfterS ?? RETRY_AFTER_S_DEFAULT);
  return { status: entry.status, headers, body };
}

/** URL of the explanation of a kind of problem: a fragment of a page of this server. */
export const problemType = (code: string, target?: string, publicUrl?: string): string =>
  placeOf(`docs/errors#${code}`, target, publicUrl);

/**
 * URL of a page of this server. It is absolute if the operator has set the public URL, as RFC 9457 section 3.1.1 prefers. Otherwise it is
 * relative to the request's URL (RFC 3986 section 5.2), because only the client has the path at which a proxy serves this API. Without a
 * request no such path is assumed.
 */
export function placeOf(page: string, target?: string, publicUrl?: string): string {
  if (publicUrl !== undefined) return `${publicUrl}${page}`;
  if (target === undefined) return `/${page}`;
  const [path = ''] = target.split(/[?#]/);
  return `${'../'.repeat(Math.max(0, path.split('/').length - 2)) || './'}${page}`;
}

/** Further members of a refusal, as an answer of its own or as an outcome of a batch or a check. */
type RefusalMembers = Partial<
  Pick<Schemas['InvalidSignatureProblem'], 'signBytes'> &
    Pick<Schemas['TxHashMismatchProblem'], 'expectedTxHash' | 'actualTxHash'> &
    Pick<Schemas['NonceTooLowProblem'], 'nextNonce'> &
    Pick<Schemas['AlreadySettledProblem'], 'transactionStatus'> &
    Pick<Schemas['PlaceAheadProblem'], 'height'> &
    Pick<Schemas['TransactionRefusal'], 'signBytes' | 'expectedTxHash' | 'actualTxHash' | 'nextNonce'>
>;

/** A refusal of the gateway, in the contract's terms. */
export function problemOfRefusal(refusal: Refusal): ProblemInit {
  const { signBytes, expectedTxHash, actualTxHash, nextNonce, status, height, scopes } = refusal.extra ?? {};
  const members: RefusalMembers = {};
  if (signBytes !== undefined) members.signBytes = signBytes;
  if (expectedTxHash !== undefined) members.expectedTxHash = expectedTxHash;
  if (actualTxHash !== undefined) members.actualTxHash = actualTxHash;
  if (nextNonce !== undefined) members.nextNonce = nextNonce;
  if (status !== undefined) members.transactionStatus = status;
  if (height !== undefined) members.height = height;
  return {
    code: refusal.code,
    detail: refusal.detail,
    txHash: refusal.txHash,
    errors: refusal.errors,
    members,
    retryAfterS: refusal.retryAfterS,
    ...(scopes && { headers: { 'WWW-Authenticate': scopeChallenge(scopes) } }),
    ...(refusal.code === 'unauthenticated' && { headers: { 'WWW-Authenticate': challenge(true) } }),
  };
}

/** Cuts a text, but not between the halves of a surrogate pair. */
function cut(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : text
        .slice(0, charsMax - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '') + '…';
}
