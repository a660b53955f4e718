/** Waits that share a stream of events: each looks when its transfer is told of, and loses nothing where there is no stream. */
import { describe, expect, test } from '@jest/globals';
import {
  type Client,
  createClient,
  type LedgerEvent,
  waitForTransaction,
  type WaitResult,
} from '../../client/src/index.ts';
import { OTHERS_EVENTS_MAX } from '../../client/src/limits.ts';
import { eventAt, EventLog, refuse, skippedTime } from './support/event-log.ts';

const hashOf = (at: number): string => at.toString(16).toUpperCase().padStart(64, '0');
const BLOCK_MS = 30_000;

/** A service whose blocks settle a transfer each, and what it was asked for. */
class Service {
  readonly log = new EventLog();
  readonly looks = new Map<string, number>();
  readonly settled = new Set<string>();
  readonly time = skippedTime();
  readonly client: Client;
  refusesStreams = false;
  /** What the answers to looks wait for. */
  held: Promise<void> | undefined;
  #tell: (() => void)[] = [];

  /** `events`: what becomes of a request for events. */
  constructor(events?: () => Response) {
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === '/events')
        return events && request.headers.get('accept') === 'text/event-stream' ? events() : this.#events(request);
      const txHash = pathname.slice('/transactions/'.length);
      this.looks.set(txHash, (this.looks.get(txHash) ?? 0) + 1);
      const status = this.settled.has(txHash) ? 'committed' : 'pending';
      await this.held;
      return Response.json({ txHash, status });
    };
    this.client = createClient({ baseUrl: 'http://ledger.test', environment: { ...this.time, fetch } });
  }

  /** A stream that tells of blocks as they are made, with heartbeats. */
  async #events(request: Request): Promise<Response> {
    if (this.refusesStreams) return refuse('server_busy')();
    if (request.headers.get('accept') !== 'text/event-stream') return this.log.fetch(request);
    this.log.streamRequests.push(new URL(request.url));
    let told = this.log.after(new URL(request.url).searchParams.get('after')!).length * -1 + this.log.events.length;
    let stop: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (text: string): void => controller.enqueue(new Uint8Array(Buffer.from(text)));
        write('retry: 200\n\n');
        const tell = (): void => {
          for (; told < this.log.events.length; told++) {
            const event = this.log.events[told] as LedgerEvent;
            write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
          }
        };
        tell();
        this.#tell.push(tell);
        const beat = (): void => {
          write(`: height ${this.log.height}\n\n`);
          stop = this.time.setTimer(beat, 15_000);
        };
        beat();
        this.log.open += 1;
        this.cut = () => {
          stop();
          this.#tell = this.#tell.filter((other) => other !== tell);
          this.log.open -= 1;
          controller.error(new TypeError('terminated'));
        };
      },
      cancel: () => {
        stop();
        this.log.open -= 1;
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  cut = (): void => undefined;

  /** Makes a block that settles these. */
  block(...hashes: string[]): void {
    for (const hash of hashes) this.settled.add(hash);
    this.log.block(hashes.map((hash, index) => eventAt(this.log.height + 1, index, hash)));
    for (const tell of this.#tell) tell();
  }

  wait(hash: string): Promise<WaitResult> {
    return waitForTransaction(this.client, { txHash: hash, timeoutMs: 600_000 });
  }

  get lookCount(): number {
    return [...this.looks.values()].reduce((sum, count) => sum + count, 0);
  }
}

const hashes = Array.from({ length: 50 }, (_, at) => hashOf(at));

/** Waits for all; the blocks that settle them come one by one. */
async function run(service: Service, waited: readonly string[] = hashes): Promise<string[]> {
  const results = waited.map((hash) => service.wait(hash));
  for (const [at, hash] of waited.entries()) service.time.setTimer(() => service.block(hash), BLOCK_MS + at * 1000);
  return (await Promise.all(results)).map(({ outcome }) => outcome);
}

const some = hashes.slice(0, 15);
const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('waits', () => {
  test('of many share one stream, and ask for a fraction of what they would by themselves', async () => {
    const alone = new Service(refuse('not_found'));
    expect(new Set(await run(alone))).toEqual(new Set(['committed']));
    const shared = new Service();
    expect(new Set(await run(shared))).toEqual(new Set(['committed']));
    expect(shared.log.streamRequests).toHaveLength(1);
    expect(shared.lookCount * 3).toBeLessThan(alone.lookCount);
    await idle();
    expect(shared.log.open).toBe(0);
  });

  test('one or two at a time ask for no events', async () => {
    const service = new Service();
    expect(await run(service, hashes.slice(0, 2))).toEqual(['committed', 'committed']);
    expect([service.log.streamRequests.length, service.log.pageRequests.length]).toEqual([0, 0]);
  });

  test('learn of a payment that a block executed under another signature by either hash', async () => {
    const service = new Service();
    const waits = hashes.slice(0, 3).map((hash) => service.wait(hash));
    service.time.setTimer(() => {
      for (const hash of hashes.slice(0, 3)) service.settled.add(hash);
      const executed = eventAt(service.log.height + 1, 0, hashOf(77));
      service.log.events.push({
        ...executed,
        data: { ...executed.data, transaction: { ...executed.data.transaction, executedAs: hashes[0] as string } },
      });
      service.block();
    }, 5_000);
    await Promise.all(waits);
    expect(service.looks.get(hashes[0] as string)).toBeLessThan(10);
  });

  test.each([
    ['has no events', refuse('not_found')],
    ['has no stream of them', refuse('not_acceptable')],
    ['has no room for another stream', refuse('server_busy')],
    [
      'keeps its bytes back',
      () => new Response(new ReadableStream({}), { headers: { 'content-type': 'text/event-stream' } }),
    ],
    ['cuts every stream at once', () => new Response('', { headers: { 'content-type': 'text/event-stream' } })],
  ])('go on as before where a service %s', async (_, events) => {
    const alone = new Service(refuse('not_found'));
    const outcomes = await run(alone, some);
    const service = new Service(events);
    expect(await run(service, some)).toEqual(outcomes);
    // Each wait looks as often as it would alone, give or take what the machine's order of things makes.
    expect(Math.abs(service.lookCount - alone.lookCount)).toBeLessThan(alone.lookCount / 10);
  });

  test('look for themselves while the stream is cut, and miss nothing of what was told meanwhile', async () => {
    const service = new Service();
    for (const ms of [31_500, 40_200, 61_700]) service.time.setTimer(() => service.cut(), ms);
    expect(new Set(await run(service))).toEqual(new Set(['committed']));
    expect(service.log.streamRequests.length).toBeGreaterThan(3);
  });

  test('whose stream is gone look as often as without one', async () => {
    const service = new Service();
    const waits = hashes.slice(0, 5).map((hash) => service.wait(hash));
    service.time.setTimer(() => {
      service.cut();
      service.refusesStreams = true;
    }, 11_000);
    let settledMs = 0;
    service.time.setTimer(() => {
      settledMs = service.time.nowMs();
      for (const hash of hashes.slice(0, 5)) service.settled.add(hash);
    }, 12_000);
    await Promise.all(waits);
    expect(service.time.nowMs() - settledMs).toBeLessThan(4_000);
  });

  test('do not rely on a stream that came while they looked: what it began behind, it does not tell', async () => {
    const service = new Service();
    let release: () => void = () => undefined;
    service.held = new Promise((resolve) => (release = resolve));
    const first = service.wait(hashes[0] as string);
    await idle();
    // Its look has seen it pending, and the answer is on its way.
    service.held = undefined;
    service.block(hashes[0] as string);
    const others = hashes.slice(1, 5).map((hash) => service.wait(hash));
    service.time.setTimer(release, 10);
    const startMs = service.time.nowMs();
    expect((await first).outcome).toBe('committed');
    expect(service.time.nowMs() - startMs).toBeLessThan(5_000);
    service.block(...hashes.slice(1, 5));
    await Promise.all(others);
  });

  test('give the stream up when it tells of others all the time', async () => {
    const service = new Service();
    const waits = hashes.slice(0, 5).map((hash) => service.wait(hash));
    service.time.setTimer(() => {
      service.log.block(Array.from({ length: OTHERS_EVENTS_MAX + 2 }, (_, index) => eventAt(1, index)));
      service.block();
    }, 2_000);
    let openMeanwhile = -1;
    service.time.setTimer(() => {
      openMeanwhile = service.log.open;
      for (const hash of hashes.slice(0, 5)) service.settled.add(hash);
    }, 20_000);
    expect(new Set((await Promise.all(waits)).map(({ outcome }) => outcome))).toEqual(new Set(['committed']));
    expect(openMeanwhile).toBe(0);
    expect(service.log.streamRequests).toHaveLength(1);
  });

  test('end with their signal, and the stream with the last of them', async () => {
    const service = new Service();
    const abort = new AbortController();
    const waits = hashes
      .slice(0, 4)
      .map((txHash) =>
        waitForTransaction(service.client, { txHash, signal: abort.signal, timeoutMs: 1e9 }).catch(
          (error: unknown) => error,
        ),
      );
    await idle();
    expect(service.log.open).toBe(1);
    abort.abort(new Error('enough'));
    expect(new Set(await Promise.all(waits))).toEqual(new Set([abort.signal.reason]));
    await idle();
    expect(service.log.open).toBe(0);
  });
});
