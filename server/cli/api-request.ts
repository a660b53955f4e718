/**
 * One request to the service without an action in the client package: the management of webhooks. It makes one attempt, because creating
 * and rotating must not happen twice unseen; the caller gets the outcome.
 *
 * @module
 */
import { serviceOf, type ConnectionOptions } from './connection.ts';
import { CommandError } from './failure.ts';
import { interruption } from './interrupt.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path of the contract with its parameters filled in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
}

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly status: number;
  readonly retriable: boolean;
  readonly requestId: string;
  readonly errors?: readonly { pointer: string; message: string }[];
}

/** The message of the first cause, from the platform. */
const rootMessage = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error
    ? rootMessage(error.cause)
    : error instanceof Error
      ? error.message
      : String(error);

/** Undefined for an answer without a body. */
export async function apiRequest<Answer>(
  { method, path, query = {}, body }: ApiRequest,
  options: ConnectionOptions,
): Promise<Answer> {
  const { baseUrl, token } = serviceOf(options);
  const asked = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const url = `${baseUrl}${path}${asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`}`;
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
  const signal = AbortSignal.any([AbortSignal.timeout(options.timeout), interruption()]);
  const { status, text } = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body && { body: JSON.stringify(body) }),
  })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => {
      if (error instanceof CommandError) throw error;
      throw new CommandError(`${method} ${url} had no answer: ${rootMessage(error)}.`, 'unreachable', {
        code: 'unreachable',
        retriable: true,
      });
    });
  const document = parsed(text);
  if (status >= 200 && status < 300 && (text === '' || document !== undefined)) return document as Answer;
  throw refusal(`${method} ${url}`, baseUrl, status, document);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refusal(asked: string, baseUrl: string, status: number, document: unknown): CommandError {
  const problem = document as Partial<Problem> | undefined;
  if (problem?.code === undefined || problem.requestId === undefined) {
    return new CommandError(`${asked} was answered ${status} by something that is not the service.`, 'unreachable', {
      code: 'unreachable',
      retriable: false,
    });
  }
  const { code, detail = '', requestId, errors = [], retriable = false } = problem;
  const fields = errors.map(({ pointer, message }) => `\n  ${pointer}: ${message}`).join('');
  const docsUrl = `${baseUrl}/docs/errors#${code}`;
  return new CommandError(
    `Refused (${status} ${code}): ${detail}${fields}\n${docsUrl}, request ${requestId}`,
    'refused',
    { code, detail, status, retriable, requestId, errors, docsUrl },
  );
}
