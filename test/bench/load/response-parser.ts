/**
 * Reads HTTP/1.1 answers from a connection: status and body, found by Content-Length or its chunks (RFC 9112, section 7.1; without trailers). All that the loader needs, at a tenth of what
 * node:http's client costs, which would take the cores that the server under test is to have.
 */
const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const HEX = 16;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
/** `HTTP/1.1 ` stands before it. */
const STATUS_AT = 9;
const STATUS_DIGITS = 3;

/** The body is a view of bytes that are overwritten later: read it before you return. */
export type OnResponse = (status: number, body: Buffer) => void;

export class ResponseParser {
  readonly #onResponse: OnResponse;
  /** What came of an answer that is not complete. */
  #rest: Buffer | undefined;

  constructor(onResponse: OnResponse) {
    this.#onResponse = onResponse;
  }

  /** Takes what the socket brought: a part of an answer, or several answers. */
  feed(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    let start = 0;
    while (start < bytes.length) {
      const headEnd = bytes.indexOf(HEAD_END, start);
      if (headEnd < 0) break;
      const bodyStart = headEnd + HEAD_END.length;
      const found = bodyAt(bytes, bodyStart, bytes.toString('latin1', start, headEnd));
      if (found === undefined) break;
      const { body, end } = found;
      const status = Number(bytes.toString('latin1', start + STATUS_AT, start + STATUS_AT + STATUS_DIGITS));
      this.#onResponse(status, body);
      start = end;
    }
    // The socket reads the next bytes into the same buffer, so what is kept is copied.
    if (start < bytes.length) this.#rest = Buffer.from(bytes.subarray(start));
  }
}

interface Found {
  body: Buffer;
  /** Where the next answer begins. */
  end: number;
}

/** Undefined while the body is not complete. */
function bodyAt(bytes: Buffer, start: number, head: string): Found | undefined {
  const digits = CONTENT_LENGTH.exec(head)?.[1];
  if (digits === undefined) {
    if (!CHUNKED.test(head))
      throw new Error(`an answer without Content-Length, which the loader cannot read:\n${head}`);
    return chunksAt(bytes, start);
  }
  const end = start + Number(digits);
  return end > bytes.length ? undefined : { body: bytes.subarray(start, end), end };
}

function chunksAt(bytes: Buffer, start: number): Found | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const sizeEnd = bytes.indexOf(LINE_END, at);
    if (sizeEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), HEX);
    const chunk = sizeEnd + LINE_END.length;
    const end = chunk + size + LINE_END.length;
    if (end > bytes.length) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(chunk, chunk + size));
    at = end;
  }
}
