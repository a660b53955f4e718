/** The error codes of the contract with their status, written down once more: a server that changes one is found out here. */
import { expect, expectEqual, show } from './expect.ts';
import type { Answer } from './http.ts';

export interface Problem {
  readonly status: number;
  readonly retriable: boolean;
}

const FINAL = false;
const RETRIABLE = true;
const problem = (status: number, retriable: boolean): Problem => ({ status, retriable });

export const CATALOGUE = {
  malformed_json: problem(400, FINAL),
  invalid_request: problem(400, FINAL),
  unauthenticated: problem(401, FINAL),
  insufficient_scope: problem(403, FINAL),
  not_submitter: problem(403, FINAL),
  origin_not_allowed: problem(403, FINAL),
  not_found: problem(404, FINAL),
  method_not_allowed: problem(405, FINAL),
  not_acceptable: problem(406, FINAL),
  request_timeout: problem(408, RETRIABLE),
  nonce_too_low: problem(409, FINAL),
  nonce_conflict: problem(409, FINAL),
  nonce_cancelled: problem(409, FINAL),
  already_settled: problem(409, FINAL),
  receipt_not_ready: problem(409, RETRIABLE),
  height_not_reached: problem(409, RETRIABLE),
  place_ahead: problem(409, FINAL),
  too_many_webhooks: problem(409, FINAL),
  webhook_busy: problem(409, RETRIABLE),
  webhook_disabled: problem(409, FINAL),
  webhook_exists: problem(409, FINAL),
  body_too_large: problem(413, FINAL),
  unsupported_media_type: problem(415, FINAL),
  host_not_allowed: problem(421, FINAL),
  invalid_address: problem(422, FINAL),
  invalid_signature: problem(422, FINAL),
  tx_hash_mismatch: problem(422, FINAL),
  insufficient_funds: problem(422, FINAL),
  nonce_too_high: problem(422, FINAL),
  idempotency_key_reused: problem(422, FINAL),
  validity_passed: problem(422, FINAL),
  below_opening_minimum: problem(422, FINAL),
  webhook_url_refused: problem(422, FINAL),
  rate_limited: problem(429, RETRIABLE),
  too_many_pending: problem(429, RETRIABLE),
  headers_too_large: problem(431, FINAL),
  internal: problem(500, RETRIABLE),
  pool_full: problem(503, RETRIABLE),
  engine_unavailable: problem(503, RETRIABLE),
  store_unavailable: problem(503, RETRIABLE),
  shutting_down: problem(503, RETRIABLE),
  server_busy: problem(503, RETRIABLE),
} as const satisfies Record<string, Problem>;

export type Code = keyof typeof CATALOGUE;
export const CODES = Object.keys(CATALOGUE) as readonly Code[];

/** Holds an answer against everything that every problem has. */
export function expectProblem(answer: Answer, code: Code, pointer?: string): void {
  const { status, retriable } = CATALOGUE[code];
  const name = `${answer.method} ${answer.path.slice(0, 100)}`;
  expect(
    answer.status === status,
    `${name}: expected ${status} ${code}, got ${answer.status} ${show(answer.body ?? answer.text)}`,
  );
  expectEqual(answer.headers['content-type'], 'application/problem+json', `${name}: the media type of a problem`);
  const { body } = answer;
  expectEqual(body.code, code, `${name}: code`);
  expectEqual(body.status, status, `${name}: status in the body`);
  expectEqual(body.retriable, retriable, `${name}: retriable`);
  for (const member of ['title', 'detail', 'requestId']) {
    expect(
      typeof body[member] === 'string' && body[member] !== '',
      `${name}: a problem needs ${member}, got ${show(body)}`,
    );
  }
  expect(
    typeof body.type === 'string' && new URL(body.type, answer.url).href === `${answer.baseUrl}/docs/errors#${code}`,
    `${name}: type leads to where ${code} is explained, got ${show(body.type)}`,
  );
  expectEqual(body.requestId, answer.headers['x-request-id'], `${name}: requestId and X-Request-Id are one`);
  expectEqual(answer.headers['cache-control'], 'no-store', `${name}: Cache-Control`);
  if (pointer === undefined) return;
  const pointers = (body.errors ?? []).map((error: { pointer?: string }) => error.pointer);
  expect(pointers.includes(pointer), `${name}: errors names ${pointer}, got ${show(body.errors)}`);
}
