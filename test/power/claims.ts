/**
 * What a server has told its clients, read from what it sent: of each transfer that it was accepted and what became of it, and of heights which block
 * is there. None of it may ever be taken back.
 */
import type { LogRecord } from './recording.ts';

export type Claim = { at: number } & (
  | { kind: 'transfer'; txHash: string; status: string; height: number | undefined; isCancelRequested: boolean }
  | { kind: 'block'; height: number; hash: string }
);

interface Piece {
  at: number;
  bytes: Buffer;
}

/** In the order of the recording; `at` is the record with which the last byte of the answer was sent. */
export function claimsOf(records: readonly LogRecord[]): Claim[] {
  const connections = new Map<number, Piece[]>();
  for (const [at, { kind, file, offset, bytes }] of records.entries()) {
    const pieces = connections.get(file) ?? [];
    if (kind === 'sent') {
      connections.set(file, pieces);
      pieces.push({ at, bytes });
    } else if (kind === 'sentShort') {
      // The system took less than was to be sent; the rest comes again.
      const last = pieces.at(-1);
      if (last !== undefined) last.bytes = last.bytes.subarray(0, offset);
    }
  }
  return [...connections.values()].flatMap(claimsOfConnection).sort((a, b) => a.at - b.at);
}

function* answersOf(pieces: readonly Piece[]): Generator<{ at: number; status: number; body: Buffer }> {
  const all = Buffer.concat(pieces.map(({ bytes }) => bytes));
  const ends = pieces.map(({ bytes }) => bytes.length);
  for (let index = 1; index < ends.length; index += 1) ends[index] = (ends[index] ?? 0) + (ends[index - 1] ?? 0);
  const sentWith = (end: number): number => pieces[ends.findIndex((reached) => reached >= end)]?.at ?? 0;
  for (let from = 0; from < all.length;) {
    const headEnd = all.indexOf('\r\n\r\n', from);
    const head = all.toString('latin1', from, headEnd < 0 ? from : headEnd);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
    // Another protocol, or an answer that was cut off by the end.
    if (status === undefined) return;
    const bodyFrom = headEnd + 4;
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const { body, end } = /^transfer-encoding: chunked$/im.test(head)
      ? chunked(all, bodyFrom)
      : { body: all.subarray(bodyFrom, bodyFrom + length), end: bodyFrom + length };
    if (end > all.length) return;
    yield { at: sentWith(end), status: Number(status), body };
    from = end;
  }
}

function chunked(all: Buffer, from: number): { body: Buffer; end: number } {
  const chunks: Buffer[] = [];
  for (let at = from; ;) {
    const lineEnd = all.indexOf('\r\n', at);
    if (lineEnd < 0) return { body: Buffer.alloc(0), end: Infinity };
    const size = Number.parseInt(all.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(all.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}

function claimsOfConnection(pieces: readonly Piece[]): Claim[] {
  const claims: Claim[] = [];
  for (const { at, status, body } of answersOf(pieces)) {
    if (status < 200 || status > 299 || body[0] !== '{'.charCodeAt(0)) continue;
    claims.push(...claimsOfBody(at, JSON.parse(body.toString())));
  }
  return claims;
}

/** Of every object in the body of an answer, however deep. */
export function* claimsOfBody(at: number, body: unknown): Generator<Claim> {
  if (typeof body !== 'object' || body === null) return;
  if (!Array.isArray(body)) yield* claimsOfObject(at, body as Fields);
  for (const value of Object.values(body)) yield* claimsOfBody(at, value);
}

type Fields = Readonly<Record<string, unknown>>;

function* claimsOfObject(at: number, fields: Fields): Generator<Claim> {
  const { txHash, status, height, latest_block_height: tip, latest_block_hash: hash } = fields;
  if (typeof txHash === 'string' && typeof status === 'string')
    yield {
      at,
      kind: 'transfer',
      txHash,
      status,
      height: typeof height === 'number' ? height : undefined,
      isCancelRequested: (fields['reason'] as Fields | undefined)?.['code'] === 'cancel_requested',
    };
  if (typeof tip === 'string' && typeof hash === 'string' && hash !== '')
    yield { at, kind: 'block', height: Number(tip), hash };
}
