/**
 * Reads HTTP/1.1 answers from a connection: status and body, found by Content-Length. All that the loader needs, at a tenth of what
 * node:http's client costs, which would take the cores that the server under test is to have.
 */
const HEAD_END = Buffer.from('\r\n\r\n');
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
      const end = bodyStart + bodyLength(bytes.toString('latin1', start, headEnd));
      if (end > bytes.length) break;
      const status = Number(bytes.toString('latin1', start + STATUS_AT, start + STATUS_AT + STATUS_DIGITS));
      this.#onResponse(status, bytes.subarray(bodyStart, end));
      start = end;
    }
    // The socket reads the next bytes into the same buffer, so what is kept is copied.
    if (start < bytes.length) this.#rest = Buffer.from(bytes.subarray(start));
  }
}

function bodyLength(head: string): number {
  const digits = CONTENT_LENGTH.exec(head)?.[1];
  if (digits === undefined) throw new Error(`an answer without Content-Length, which the loader cannot read:\n${head}`);
  return Number(digits);
}
