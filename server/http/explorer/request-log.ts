/**
 * The last requests of a development server, for the explorer to show. They are in memory that all HTTP threads share, because each of them
 * answers some of the requests and any of them may serve the list.
 *
 * An entry never holds a token, a header, a body or a query, because a page shows it. Requests of the explorer's own pages are left out: an
 * open page would push out everything else.
 */
import type { IncomingMessage } from 'node:http';

/** As many as a person reads. */
export const REQUESTS_KEPT = 100;
/** A path of an account is 73 characters; a longer one is cut off. */
export const PATH_CHARS_MAX = 200;
/** A request id has at most 128 characters (request-id.ts); with the path and the numbers an entry stays below this. */
const ENTRY_BYTES_MAX = 768;

const LOCK = 0;
const COUNT = 1;
const HEADER_WORDS = 2;
/** A lock is held for some microseconds. */
const SPINS_MAX = 100;
const LOCK_WAIT_MS = 1;
/**
 * A thread that was terminated while it wrote never releases the lock; a living one never holds it for so long. After this many waits the
 * log is not written again, and the process can end.
 */
const LOCK_WAITS_MAX = 100;

/**
 * Interval at which the answered requests of a thread are written to the shared memory, at most as many as are kept: so a busy server does
 * not pay for each request. It is too short for a person to notice.
 */
const FLUSH_MS = 200;

/** Text that looks like a secret of a token, anywhere in a path. */
const TOKEN = /txl_[A-Za-z0-9]+_[A-Za-z0-9_-]+/g;

/** Hides tokens in text that a client wrote and that people are shown. */
export const withoutTokens = (text: string): string => (text.includes('txl_') ? text.replace(TOKEN, 'txl_...') : text);

/** Can be sent to another thread. */
export interface RequestLogMemory {
  buffer: SharedArrayBuffer;
}

export interface LoggedRequest {
  /** Counts the requests of this process from 1. */
  sequence: number;
  /** The time when it was answered, RFC 3339. */
  at: string;
  method: string;
  path: string;
  status: number;
  /** The problem code of the answer; absent if it has none. */
  code?: string;
  /** Bytes of the answer's body. */
  bytes: number;
  durationMs: number;
  requestId: string;
}

export function requestLogMemory(): RequestLogMemory {
  return {
    buffer: new SharedArrayBuffer(
      (HEADER_WORDS + REQUESTS_KEPT) * Int32Array.BYTES_PER_ELEMENT + REQUESTS_KEPT * ENTRY_BYTES_MAX,
    ),
  };
}

/** True for a request that a page of this service sends for its own content. */
export function isOwnRead({ headers, method }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && (method === 'GET' || method === 'HEAD');
}

/** A request in the form of the thread that answered it. */
export interface AnsweredRequest extends Omit<LoggedRequest, 'sequence' | 'at' | 'code'> {
  atMs: number;
  code: string | undefined;
}

export class RequestLog {
  readonly #words: Int32Array;
  readonly #bytes: Buffer;
  /** The last requests of this thread that are not written yet, in a ring. */
  readonly #waiting: AnsweredRequest[] = [];
  #waitingCount = 0;

  constructor({ buffer }: RequestLogMemory) {
    this.#words = new Int32Array(buffer, 0, HEADER_WORDS + REQUESTS_KEPT);
    this.#bytes = Buffer.from(buffer, this.#words.byteLength);
  }

  add(request: AnsweredRequest): void {
    this.#waiting[this.#waitingCount % REQUESTS_KEPT] = request;
    this.#waitingCount += 1;
    if (this.#waitingCount === 1) setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  /** Writes the waiting requests, so that every thread can read them. */
  flush(): void {
    const [waiting, kept] = [this.#waitingCount, Math.min(this.#waitingCount, REQUESTS_KEPT)];
    const texts = Array.from({ length: kept }, (_, i) =>
      textOf(this.#waiting[(waiting - kept + i) % REQUESTS_KEPT] as AnsweredRequest),
    );
    this.#waitingCount = 0;
    this.#locked(() => {
      const last = (this.#words[COUNT] as number) + waiting;
      texts.forEach((text, i) => {
        const slot = (last - kept + i) % REQUESTS_KEPT;
        this.#words[HEADER_WORDS + slot] = this.#bytes.write(text, slot * ENTRY_BYTES_MAX, ENTRY_BYTES_MAX);
      });
      this.#words[COUNT] = last;
    });
  }

  /**
   * Returns the requests after a sequence number, the latest first. A number above the last one is from an earlier process: then all are
   * returned.
   */
  after(sequence: number): LoggedRequest[] {
    if (this.#waitingCount > 0) this.flush();
    const texts: [number, string][] = [];
    this.#locked(() => {
      const count = this.#words[COUNT] as number;
      const seen = sequence > count ? 0 : sequence;
      for (let at = count; at > Math.max(seen, count - REQUESTS_KEPT, 0); at -= 1) {
        const slot = (at - 1) % REQUESTS_KEPT;
        const first = slot * ENTRY_BYTES_MAX;
        texts.push([at, this.#bytes.toString('utf8', first, first + (this.#words[HEADER_WORDS + slot] as number))]);
      }
    });
    return texts.map(([at, text]) => ({ sequence: at, ...(JSON.parse(text) as Omit<LoggedRequest, 'sequence'>) }));
  }

  /** Runs `work` with the lock, and not without it: the thread that holds it may have left half an entry. */
  #locked(work: () => void): void {
    for (let tries = 0; Atomics.compareExchange(this.#words, LOCK, 0, 1) !== 0; tries += 1) {
      if (tries >= SPINS_MAX + LOCK_WAITS_MAX) return;
      if (tries >= SPINS_MAX) Atomics.wait(this.#words, LOCK, 1, LOCK_WAIT_MS);
    }
    try {
      work();
    } finally {
      Atomics.store(this.#words, LOCK, 0);
    }
  }
}

function textOf({ atMs, path, code, ...request }: AnsweredRequest): string {
  const [plain = ''] = path.split('?', 1);
  return JSON.stringify({
    at: new Date(atMs).toISOString(),
    ...request,
    ...(code !== undefined && { code }),
    path: withoutTokens(plain).slice(0, PATH_CHARS_MAX),
  });
}
