/**
 * Reads a request body into one buffer, with a bound, before anything else examines it.
 *
 * The usual body parsers inflate Content-Encodings, guess charsets and answer with their own texts; this reader does none of it. A body
 * that is too large is refused as soon as possible: at once by its Content-Length, otherwise at the first byte beyond the bound.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import { BODY_BYTES_MAX, BODY_STEP_BYTES } from './limits.ts';

/**
 * `gone`: the client disconnected, or its time ran out, before the body was complete; no answer can be sent. `busy`: the budget for bodies
 * has no room.
 */
export type BodyRead = { ok: true; bytes: Buffer } | { ok: false; reason: 'too_large' | 'gone' | 'busy' };

const EMPTY: Buffer = Buffer.alloc(0);

/** `keepRoom` reserves room for the whole body so far; without it a body of any length is accepted. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  keepRoom?: (bytes: number) => boolean,
): Promise<BodyRead> | BodyRead {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) return { ok: true, bytes: EMPTY };
  if (declared !== undefined && Number(declared) > bytesMax) return { ok: false, reason: 'too_large' };
  // `Expect: 100-continue`: the client sends the body only after this line, so an earlier refusal has cost no transfer.
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();

  return new Promise((resolve) => {
    let first = EMPTY;
    let rest: Buffer[] | undefined;
    let length = 0;
    let room = BODY_BYTES_MAX;
    const finish = (outcome: BodyRead): void => {
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onGone);
      request.off('error', onGone);
      // An error after this point has no reader and must not become an uncaught exception.
      request.on('error', ignore);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      const isTooLarge = length > bytesMax;
      const needsMore = keepRoom !== undefined && length > room;
      while (length > room) room += BODY_STEP_BYTES;
      if (isTooLarge || (needsMore && !keepRoom(Math.min(room, bytesMax)))) {
        finish({ ok: false, reason: isTooLarge ? 'too_large' : 'busy' });
        // The rest is discarded: a client that is still sending would lose the answer if the connection were cut. The request deadline
        // bounds it.
        request.resume();
      } else if (length === chunk.length) first = chunk;
      else (rest ??= [first]).push(chunk);
    };
    const onEnd = (): void => finish({ ok: true, bytes: rest === undefined ? first : Buffer.concat(rest, length) });
    const onGone = (): void => finish({ ok: false, reason: 'gone' });
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onGone);
    request.on('error', onGone);
  });
}

function ignore(): void {}
