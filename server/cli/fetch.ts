/**
 * `fetch` of the command line, over node:http. The built-in `fetch` of Node.js compiles an HTTP parser of its own at its first request, and
 * again at the second one on another connection, which takes longer than the rest of a small command.
 *
 * @module
 */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Statuses whose answers have no body, not even an empty one. */
const WITHOUT_BODY = new Set([204, 205, 304]);

const headersOf = ({ rawHeaders }: http.IncomingMessage): Headers => {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  return headers;
};

/** Sends one request and follows no redirect, because the token is only for this URL. */
export async function fetchByHttp(request: Request): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request: ask } = new URL(url).protocol === 'https:' ? https : http;
  ask(
    url,
    { method, signal, headers: { ...Object.fromEntries(headers), ...(body && { 'content-length': body.length }) } },
    resolve,
  )
    .on('error', reject)
    .end(body);
  const answer = await promise;
  const status = answer.statusCode as number;
  if (WITHOUT_BODY.has(status)) answer.resume();
  return new Response(
    WITHOUT_BODY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>),
    { status, headers: headersOf(answer) },
  );
}
