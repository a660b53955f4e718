/** New events go out in short turns, however many streams want them: the thread serves others in between. */
import { expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import type { EventStream } from '../../server/http/events/event-stream.ts';
import { LiveFeed } from '../../server/http/events/live-feed.ts';
import { EventLog } from './support/event-log.ts';
import { realClock } from './support/server.ts';

const STREAMS = 300;
const LOGGER = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

test('a turn ends after TURN_MS_MAX, and every stream has every event', async () => {
  let nowMs = 0;
  let inTurn = 0;
  let most = 0;
  // Each write takes a millisecond of this clock, and nothing else takes time.
  const clock: Clock = {
    ...realClock,
    monotonicMs: () => nowMs,
    setTimer: (fn, delayMs) =>
      realClock.setTimer(() => {
        inTurn = 0;
        fn();
      }, delayMs),
  };
  const log = new EventLog(0);
  const feed = new LiveFeed({
    gateway: { events: (query) => log.page(query), waitForHeight: (height, ms) => log.waitForHeight(height, ms) },
    clock,
    logger: LOGGER,
    onBehind: () => expect('a stream').toBe('never behind'),
  });
  let written = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const streams = Array.from({ length: STREAMS }, () => ({
    filter: {},
    place: { height: 0, index: Number.MAX_SAFE_INTEGER },
    isLive: false,
    isBusy: false,
    isOver: false,
    write: (_bytes: Buffer, events: number) => {
      nowMs += 1;
      inTurn += 1;
      most = Math.max(most, inTurn);
      written += events;
      if (written >= 3 * STREAMS) done();
      return true;
    },
  }));
  for (const stream of streams) expect(feed.join(stream as unknown as EventStream, 0)).toBe(true);
  log.make({}, {}, {});
  await all;
  expect(written).toBe(3 * STREAMS);
  expect(most).toBeLessThanOrEqual(TURN_MS_MAX);
  feed.close();
  log.close();
});

test('of a delivery that fails no stream misses a part: each reads on from its own place', async () => {
  const log = new EventLog(0);
  const failed = Promise.withResolvers<void>();
  const behind: EventStream[] = [];
  const feed = new LiveFeed({
    gateway: { events: (query) => log.page(query), waitForHeight: (height, ms) => log.waitForHeight(height, ms) },
    clock: realClock,
    logger: { ...LOGGER, error: () => failed.resolve() },
    onBehind: (stream) => void behind.push(stream),
  });
  const streamOf = (write: () => boolean): EventStream =>
    ({
      filter: {},
      place: { height: 0, index: Number.MAX_SAFE_INTEGER },
      isLive: false,
      isBusy: false,
      isOver: false,
      write,
    }) as unknown as EventStream;
  const first = streamOf(() => true);
  const broken = streamOf(() => {
    throw new Error('a defect');
  });
  const last = streamOf(() => true);
  for (const stream of [first, broken, last]) expect(feed.join(stream, 0)).toBe(true);
  log.make({}, {});
  await failed.promise;
  expect([first.place, last.place, feed.placeOf(last)]).toEqual([
    expect.objectContaining({ height: 1, index: 1 }),
    { height: 0, index: Number.MAX_SAFE_INTEGER },
    { height: 0, index: Number.MAX_SAFE_INTEGER },
  ]);
  expect(new Set(behind)).toEqual(new Set([first, broken, last]));
  feed.close();
  log.close();
});
