/** Refusals of a stream, before any part of it was sent. */
import type { Clause, Sentence } from '../../gateway/types.ts';
import type { StreamBounds } from '../options.ts';
import type { ProblemInit } from '../problem/problem.ts';

/** Parameters that pages have and streams do not. */
const OF_PAGES = ['limit', 'cursor', 'order'];

export const SHUTTING_DOWN: ProblemInit = {
  code: 'shutting_down',
  detail: 'The service is shutting down. Send the request again in a moment, over a new connection.',
};

/** Refuses them by the raw request, because the validated query has the defaults of pages. Its form was checked before. */
export function notOfStreams(url: string): ProblemInit | undefined {
  const given = new URLSearchParams(url.split('?')[1] ?? '');
  const name = OF_PAGES.find((candidate) => given.has(candidate));
  if (name === undefined) return undefined;
  const detail: Sentence = `A stream has no pages. Leave ${name} out, or ask for application/json.`;
  return { code: 'invalid_request', detail, errors: [{ pointer: `#/query/${name}`, message: 'Only pages have it.' }] };
}

export function noPlace(full: 'all' | 'address' | 'token', { all, perAddress, perToken }: StreamBounds): ProblemInit {
  const details: Record<typeof full, Sentence> = {
    all: `No more than ${all} event streams may be open. Wait until some are closed, or read pages.`,
    address: `No more than ${perAddress} event streams of one address may be open. Close some: one stream can serve many listeners.`,
    token: `No more than ${perToken} event streams of one token may be open. Close some: one stream can serve many listeners.`,
  };
  return { code: 'rate_limited', detail: details[full] };
}

export function noSuchPlace(name: 'after' | 'Last-Event-ID'): ProblemInit {
  const where: Clause = name === 'after' ? 'The parameter after' : 'The header Last-Event-ID';
  const pointer = name === 'after' ? '#/query/after' : '#/header/last-event-id';
  const message = 'It must be the id of an event or the height of a block, each number at most 2^53 - 1.';
  return {
    code: 'invalid_request',
    detail: `${where} is no place in the log. Send the id of an event or the height of a block.`,
    errors: [{ pointer, message }],
  };
}
