/** Looking through a long part of the log in which little matches: the thread serves others meanwhile, and a lane has its turns. */
import { expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { TURN_MS_MAX } from '../../server/gateway/limits.ts';
import type { DeliveryContext } from '../../server/gateway/webhooks/delivery/context.ts';
import { eventSource } from '../../server/gateway/webhooks/delivery/event-source.ts';
import type { EventPlace } from '../../server/gateway/webhooks/delivery/ports.ts';
import { SideJobs } from '../../server/gateway/webhooks/delivery/side-jobs.ts';
import { realClock } from '../http/support/server.ts';

const READS = 50;
const READ_MS = 2;
/** Nothing in it matches, and it never ends. */
const on = (place: EventPlace) => ({ events: [], place: { height: place.height + 1, index: 0 } });

test('reads that are answered at once end their turn after TURN_MS_MAX', async () => {
  let nowMs = 0;
  const clock: Clock = { ...realClock, monotonicMs: () => nowMs };
  const source = eventSource({
    list: ({ after = { height: 0, index: 0 } }) => {
      nowMs += READ_MS;
      return { ok: true, ...on(after), height: 1_000_000, nextCursor: 'more', scanned: 0 };
    },
    pollMs: 1000,
    clock,
  });
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  let place: EventPlace = { height: 0, index: 0 };
  for (let i = 0; i < READS; i += 1) ({ place } = await source.after(place, 200));
  isOver = true;
  expect(place.height).toBe(READS);
  expect(turns).toBeGreaterThanOrEqual(Math.floor((READS * READ_MS) / (TURN_MS_MAX + READ_MS)));
});

test('a replay looks on by one read a turn, and ends with its range', async () => {
  let reads = 0;
  const finished: string[] = [];
  const context = {
    clock: realClock,
    events: { after: async (place: EventPlace) => ((reads += 1), on(place)) },
    progress: { finished: (id: string) => void finished.push(id) },
  } as unknown as DeliveryContext;
  const jobs = new SideJobs(context, (events) => [...events]);
  jobs.replace([
    {
      id: 'replay_1',
      endpointId: 'wh_1',
      attempts: 0,
      retryAtMs: 0,
      kind: 'replay',
      after: { height: 1, index: 0 },
      until: { height: 4, index: 0 },
    },
  ]);
  const place = { height: 100, index: 0 };
  for (const read of [1, 2, 3]) {
    expect(await jobs.next(place)).toBe('looking');
    expect(reads).toBe(read);
  }
  expect(finished).toEqual([]);
  expect(await jobs.next(place)).toBeUndefined();
  expect(finished).toEqual(['replay_1']);
});
