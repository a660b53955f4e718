import { expect, test } from '@jest/globals';
import { RunCache } from '../../server/engine/search/run-cache.ts';

const run = (count: number) => ({ first: 0, end: 10, count, offsets: () => [] });

test('a run is loaded once, also when there is none', () => {
  const cache = new RunCache(10);
  let loads = 0;
  const load = (found: ReturnType<typeof run> | undefined) => () => {
    loads += 1;
    return found;
  };
  for (let i = 0; i < 3; i++) {
    expect(cache.get('a', 1, load(run(7)))?.count).toBe(7);
    expect(cache.get('a', 2, load(undefined))).toBeUndefined();
    expect(cache.get('b', 1, load(run(8)))?.count).toBe(8);
  }
  expect(loads).toBe(3);
});

test('the term asked for least recently gives way, the one asked for now never', () => {
  const cache = new RunCache(4);
  const loaded: string[] = [];
  const get = (term: string, segment: number) =>
    cache.get(term, segment, () => {
      loaded.push(`${term}${segment}`);
      return run(1);
    });
  for (const segment of [1, 2]) for (const term of ['a', 'b']) get(term, segment);
  get('a', 1);
  get('c', 1);
  expect(loaded.splice(0)).toEqual(['a1', 'b1', 'a2', 'b2', 'c1']);
  get('a', 1);
  get('a', 2);
  get('b', 1);
  expect(loaded.splice(0)).toEqual(['b1']);
  // One term may be longer than the cache; it is kept whole while it is asked for.
  for (let segment = 1; segment <= 9; segment++) get('d', segment);
  for (let segment = 1; segment <= 9; segment++) get('d', segment);
  expect(loaded.length).toBe(9);
});
