/** Streams that are behind, and whose filters seldom match: together they leave the thread to others for most of the time. */
import { expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { CatchUp } from '../../server/http/events/catch-up.ts';
import type { EventStream } from '../../server/http/events/event-stream.ts';
import { EVENT_SCAN_RESTS } from '../../server/http/limits.ts';
import { realClock } from './support/server.ts';

const STREAMS = 5;
const PAGES = 20;
const READ_MS = 2;

test('a read that finds nothing is followed by a rest', async () => {
  let nowMs = 0;
  let restedMs = 0;
  let reads = 0;
  const clock: Clock = {
    ...realClock,
    monotonicMs: () => nowMs,
    setTimer: (fn, delayMs) => {
      restedMs += delayMs;
      return realClock.setTimer(fn, 0);
    },
  };
  const { promise: allJoined, resolve: done } = Promise.withResolvers<void>();
  let joined = 0;
  const catchUp = new CatchUp({
    gateway: {
      events: async ({ after = { height: 0, index: 0 } }) => {
        nowMs += READ_MS;
        reads += 1;
        const place = { height: after.height + 1, index: 0 };
        return {
          ok: true,
          events: [],
          height: PAGES,
          place,
          scanned: 4096,
          ...(place.height < PAGES && { nextCursor: 'more' }),
        };
      },
    },
    clock,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    join: () => {
      joined += 1;
      if (joined === STREAMS) done();
      return true;
    },
  });
  for (let i = 0; i < STREAMS; i += 1) {
    catchUp.add({
      principal: { tokenId: String(i) },
      filter: {},
      place: { height: 0, index: 0 },
      isOver: false,
      isLive: false,
      isBusy: false,
    } as unknown as EventStream);
  }
  await allJoined;
  expect(reads).toBe(STREAMS * PAGES);
  expect(restedMs).toBeGreaterThanOrEqual(EVENT_SCAN_RESTS * READ_MS * STREAMS * (PAGES - 1));
});
