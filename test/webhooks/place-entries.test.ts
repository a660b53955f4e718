/** How far webhooks have come is said in the log seldom, for all of them at once, and without a gap after a failure. */
import { beforeEach, expect, test } from '@jest/globals';
import { PLACE_ENTRY_MS, PLACES_OF_ENTRY_MAX } from '../../server/gateway/webhooks/delivery/limits.ts';
import { type EndpointPlace, PlaceEntries } from '../../server/gateway/webhooks/delivery/place-entries.ts';
import { ManualClock } from '../gateway/support/manual-clock.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const at = (id: string, height: number) => ({ id, place: { height, index: 0 } });
const progress = (id: string, height: number) => ({ ...at(id, height), revision: 1, failing: undefined });

let clock: ManualClock;
let entries: (readonly EndpointPlace[])[];
let isAway: boolean;
/** What comes while an entry is under way. */
let meanwhile: () => void;
let places: PlaceEntries;
beforeEach(() => {
  [clock, entries, isAway, meanwhile] = [new ManualClock(0), [], false, () => undefined];
  places = new PlaceEntries({
    append: async (made) => {
      meanwhile();
      if (isAway) throw new Error('away');
      entries.push(made);
    },
    clock,
    logger,
  });
});

test('however often rows are written, one entry in ten seconds has the last places of all', async () => {
  places.loaded([at('a', 1), at('b', 1)]);
  for (let height = 2; height <= 90; height += 1) {
    places.saved([progress('a', height)]);
    if (height === 50) places.saved([progress('b', 7)]);
    await clock.advance(100);
  }
  expect(entries).toEqual([]);
  await clock.advance(PLACE_ENTRY_MS - 8900);
  expect(entries).toEqual([[at('a', 90), at('b', 7)]]);
  await clock.advance(3 * PLACE_ENTRY_MS);
  expect(entries).toHaveLength(1);
});

test('a place that the log has, and an attempt that failed, are no reason for one', async () => {
  places.loaded([at('a', 5)]);
  places.saved([progress('a', 5)]);
  await clock.advance(2 * PLACE_ENTRY_MS);
  await places.close();
  expect(entries).toEqual([]);
});

test('what could not be appended goes with the next one, unless there is a later place', async () => {
  places.loaded([at('a', 1), at('b', 1)]);
  isAway = true;
  places.saved([progress('a', 2), progress('b', 2)]);
  meanwhile = () => places.saved([progress('a', 3)]);
  await clock.advance(PLACE_ENTRY_MS);
  isAway = false;
  meanwhile = () => undefined;
  await clock.advance(PLACE_ENTRY_MS);
  expect(entries).toEqual([[at('a', 3), at('b', 2)]]);
});

test('very many places are several entries, and what one of them lacks goes with the next', async () => {
  const ids = Array.from({ length: PLACES_OF_ENTRY_MAX + 2 }, (_, i) => `wh_${i}`);
  places.loaded(ids.map((id) => at(id, 1)));
  meanwhile = () => (isAway = entries.length === 1);
  places.saved(ids.map((id) => progress(id, 2)));
  await clock.advance(PLACE_ENTRY_MS);
  expect(entries.map(({ length }) => length)).toEqual([PLACES_OF_ENTRY_MAX]);
  [isAway, meanwhile] = [false, () => undefined];
  await places.close();
  expect(entries.flat()).toEqual(ids.map((id) => at(id, 2)));
  expect(entries).toHaveLength(2);
});

test('the end says what is left, and nothing is begun behind it', async () => {
  places.loaded([at('a', 1)]);
  places.saved([progress('a', 2)]);
  await places.close();
  places.saved([progress('a', 3)]);
  await clock.advance(2 * PLACE_ENTRY_MS);
  expect(entries).toEqual([[at('a', 2)]]);
});
