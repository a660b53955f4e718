/**
 * A service's log of events behind a `fetch`, after the contract of GET /events, on a network that does what a test says; and a clock that
 * runs only while nothing else happens.
 */
import type { Environment, LedgerEvent } from '../../../client/src/index.ts';
import { problemExample } from './contract.ts';

export function eventAt(
  height: number,
  index: number,
  txHash = `${height}`.padStart(60, '0') + `${index}`.padStart(4, '0'),
): LedgerEvent {
  const transaction = { txHash, from: 'a', to: 'b', amount: '1', nonce: index, status: 'committed' };
  return {
    id: `${height}-${index}`,
    type: 'transaction.committed',
    timestamp: '2026-11-22T12:00:00Z',
    data: { height, index, transaction },
  } as LedgerEvent;
}

/** What one connection does to the text that the service sends. */
export interface Connection {
  /** Sizes of the pieces, in turn again and again. */
  readonly pieces?: readonly number[];
  /** After so many bytes it is over; then it ends in peace, fails, or says nothing more. */
  readonly cutAfter?: number;
  readonly ends?: 'peace' | 'failure' | 'silence';
  /** An answer in place of the stream. */
  readonly answer?: () => Response;
  /** So many events before the place that was asked for come again. */
  readonly repeats?: number;
  readonly lineEnd?: '\n' | '\r\n' | '\r';
}

export function refuse(code: string, headers: Record<string, string> = {}): () => Response {
  const body = { ...problemExample(code), requestId: 'r-1' };
  return () =>
    new Response(JSON.stringify(body), {
      status: body.status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    });
}

export class EventLog {
  readonly events: LedgerEvent[] = [];
  height = 0;
  /** Id and genesis hash, as streams begin with them; undefined: of a service that does not say them. */
  chain: string | undefined;
  /** Blocks that are made while a stream is open, oldest first; the next one is made at each heartbeat. */
  readonly coming: LedgerEvent[][] = [];
  /** What the next connections do; then each passes everything untouched. */
  connections: Connection[] = [];
  /** What the next pages are answered in place of a page. */
  pageAnswers: (() => Response)[] = [];
  readonly streamRequests: URL[] = [];
  readonly pageRequests: URL[] = [];
  /** Streams that are open, and pieces that were taken from them. */
  open = 0;
  piecesTaken = 0;
  readonly fetch = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted();
    // Time is skipped here, so a loop that waits for what never comes would be a busy one.
    if (this.streamRequests.length + this.pageRequests.length > REQUESTS_MAX) return refuse('not_found')();
    const url = new URL(request.url);
    if (request.headers.get('accept') === 'text/event-stream') return this.#stream(url);
    this.pageRequests.push(url);
    return this.pageAnswers.shift()?.() ?? this.#page(url);
  };

  block(events: LedgerEvent[] = []): void {
    this.height = events.at(-1)?.data.height ?? this.height + 1;
    this.events.push(...events);
  }

  after(place: string): LedgerEvent[] {
    const [height, index = Infinity] = place.split('-').map(Number) as [number, number?];
    return this.events.filter(({ data }) => data.height > height || (data.height === height && data.index > index));
  }

  #page(url: URL): Response {
    // A poller is how this log grows where there is no stream.
    const next = url.searchParams.get('order') === 'asc' ? this.coming.shift() : undefined;
    if (next) this.block(next);
    const { after = '0', cursor = 'f0', limit = '10', order } = Object.fromEntries(url.searchParams);
    const all = order === 'asc' ? this.after(after) : this.events.toReversed();
    const from = Number(cursor.slice(1));
    // Small pages, every other one empty, as a scan with a bound has them.
    const to =
      cursor.startsWith('f') && all.length > from + PAGE_EVENTS_MAX
        ? from
        : from + Math.min(Number(limit), PAGE_EVENTS_MAX);
    const nextCursor = to === from ? `e${from}` : to < all.length ? `f${to}` : undefined;
    return Response.json({ events: all.slice(from, to), height: this.height, ...(nextCursor && { nextCursor }) });
  }

  #stream(url: URL): Response {
    this.streamRequests.push(url);
    const {
      answer,
      pieces = [Infinity],
      cutAfter = Infinity,
      ends = 'failure',
      repeats = 0,
      lineEnd = '\n',
    } = this.connections.shift() ?? {};
    if (answer) return answer();
    const texts = this.#texts(url.searchParams.get('after') ?? `${this.height}`, repeats);
    let left = Buffer.alloc(0);
    let bytes = 0;
    let piece = 0;
    this.open += 1;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (left.length === 0) {
            const { value } = texts.next();
            // Nothing more to say until someone hangs up.
            if (value === undefined) return new Promise(() => undefined);
            left = Buffer.from(value.replaceAll('\n', lineEnd));
          }
          const size = Math.min(pieces[piece++ % pieces.length] as number, left.length, cutAfter - bytes);
          if (size > 0) {
            this.piecesTaken += 1;
            controller.enqueue(new Uint8Array(left.subarray(0, size)));
          }
          left = left.subarray(size);
          bytes += size;
          if (bytes < cutAfter) return undefined;
          if (ends === 'silence') return new Promise(() => undefined);
          this.open -= 1;
          if (ends === 'peace') controller.close();
          else controller.error(new TypeError('terminated'));
        },
        cancel: () => void (this.open -= 1),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  }

  *#texts(after: string, repeats: number): Generator<string, undefined, undefined> {
    yield `\uFEFFretry: 300\n${this.chain === undefined ? '' : `: chain ${this.chain}\n`}\n`;
    const first = this.after(after);
    const from = this.events.length - first.length;
    let sent = 0;
    for (const event of this.events.slice(Math.max(0, from - repeats))) yield textOf(event);
    sent = this.events.length;
    for (;;) {
      yield `: height ${this.height}\n\n`;
      const next = this.coming.shift();
      if (!next) return undefined;
      this.block(next);
      for (; sent < this.events.length; sent++) yield textOf(this.events[sent] as LedgerEvent);
    }
  }
}

const PAGE_EVENTS_MAX = 3;
const REQUESTS_MAX = 2_000;

function textOf(event: LedgerEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Turns of the event loop without anything happening after which time goes on. */
const IDLE_TURNS = 4;

/** Time that is skipped while everything waits for it; `pauses` are the delays that passed, in order. */
export function skippedTime(random: () => number = () => 0.5): Omit<Environment, 'fetch'> & { pauses: number[] } {
  const timers = new Map<object, { atMs: number; delayMs: number; callback: () => void }>();
  const pauses: number[] = [];
  let nowMs = 0;
  let turns = 0;
  let isTurning = false;
  const turn = (): void => {
    isTurning = timers.size > 0;
    if (!isTurning) return;
    turns += 1;
    if (turns > IDLE_TURNS) {
      const [key, first] = [...timers].reduce((one, other) => (other[1].atMs < one[1].atMs ? other : one));
      timers.delete(key);
      nowMs = Math.max(nowMs, first.atMs);
      pauses.push(first.delayMs);
      turns = 0;
      first.callback();
    }
    setImmediate(turn);
  };
  return {
    pauses,
    random,
    nowMs: () => nowMs,
    setTimer: (callback, delayMs) => {
      const key = {};
      timers.set(key, { atMs: nowMs + delayMs, delayMs, callback });
      turns = 0;
      if (!isTurning) {
        isTurning = true;
        setImmediate(turn);
      }
      return () => {
        turns = 0;
        timers.delete(key);
      };
    },
  };
}
