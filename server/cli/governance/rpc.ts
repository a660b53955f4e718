/**
 * Calls the chain's RPC at the service, by which governance is read and broadcast, because the API has no operation for it.
 *
 * @module
 */
import { CommandError } from '../failure.ts';
import type { Service } from '../connection.ts';

/** Longest wait for one answer, in milliseconds: above the 10 s by which a service may delay `broadcast_tx_commit`. */
const ANSWER_MS_MAX = 30_000;
/** Characters of a foreign answer that an error repeats. */
const QUOTED_CHARS_MAX = 200;

/** Problems that another token resolves. */
const TOKEN_PROBLEMS = new Set(['insufficient_scope', 'unauthenticated']);
/** The token needs both scopes, because a change is read as well as broadcast. */
const NEW_TOKEN =
  'Where the database is, this makes such a token: txledger token create --owner NAME --scope rpc:broadcast --scope transactions:read';

/** A refusal by the method itself, with CometBFT's text. */
export class RpcMethodError extends Error {
  override readonly name = 'RpcMethodError';
}

interface Envelope {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: string };
  /** Code of a problem that the service answers without an envelope: token missing, scope missing, too many requests. */
  readonly code?: string;
  readonly detail?: string;
}

function unreachable(baseUrl: string, why: string): CommandError {
  return new CommandError(`The service at ${baseUrl} cannot be asked: ${why}.`, 'unreachable', {
    code: 'unreachable',
    retriable: true,
  });
}

async function answerOf(response: Response, baseUrl: string): Promise<Envelope> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    throw unreachable(
      baseUrl,
      `it answered ${response.status} with ${JSON.stringify(text.slice(0, QUOTED_CHARS_MAX))}`,
    );
  }
}

/**
 * Calls one method of the RPC.
 * @throws RpcMethodError for a refusal of the method itself.
 * @throws CommandError when the service refuses the caller, or does not answer.
 */
export async function callRpc<Result>(
  { baseUrl, token }: Service,
  method: string,
  params: object,
  timeoutMs: number,
): Promise<Result> {
  let response: Response;
  let answer: Envelope;
  try {
    response = await fetch(`${baseUrl}/rpc/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(params),
      signal: AbortSignal.timeout(Math.max(1, Math.min(timeoutMs, ANSWER_MS_MAX))),
    });
    answer = await answerOf(response, baseUrl);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { message, cause } = error as Error;
    throw unreachable(baseUrl, cause instanceof Error ? cause.message : message);
  }
  if (answer.error !== undefined) throw new RpcMethodError(answer.error.data ?? answer.error.message);
  if (response.ok) return answer.result as Result;
  const remedy = TOKEN_PROBLEMS.has(answer.code ?? '') ? ` ${NEW_TOKEN}` : '';
  throw new CommandError(`Refused (${response.status} ${answer.code}): ${answer.detail}${remedy}`, 'refused', {
    code: answer.code ?? 'refused',
    status: response.status,
  });
}

/**
 * Broadcasts an empty transaction: the service checks the token before the transaction, and no chain accepts this one.
 * @throws CommandError when the token may not broadcast.
 */
export async function assertMayBroadcast(service: Service, timeoutMs: number): Promise<void> {
  try {
    await callRpc(service, 'broadcast_tx_sync', { tx: '' }, timeoutMs);
  } catch (error) {
    if (!(error instanceof RpcMethodError)) throw error;
  }
}
