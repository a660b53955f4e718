import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { chartSvg, niceCeiling, tickText } from '../chart-svg.ts';
import { charts } from '../charts.ts';
import { replaceBlock } from '../documents.ts';
import { DOCUMENT, published } from '../publish.ts';
import { buildsOf, readResults, RESULTS, resultJson } from '../report/recorded-results.ts';

describe('docs/PERFORMANCE.md', () => {
  const builds = buildsOf(readResults());
  const document = readFileSync(DOCUMENT, 'utf8');

  test('its table, charts and model are what docs/bench makes them', () => {
    expect(published(document, builds)).toBe(document);
  });

  test('each chart is drawn from the results, and shown', () => {
    for (const [file, chart] of Object.entries(charts(builds))) {
      expect(readFileSync(path.join(RESULTS, file), 'utf8')).toBe(chartSvg(chart));
      expect(document).toContain(`(bench/${file})`);
    }
  });

  test('the results name no folder and no host', () => {
    for (const result of readResults())
      expect(JSON.stringify(result)).not.toMatch(/"\/|\/(work|home|root|tmp)\/|localhost|127\.0\.0\.1/);
  });
});

test('a block is replaced and what stands around it stays', () => {
  expect(replaceBlock('a\n<!-- x -->\nold\n<!-- /x -->\nb', 'x', 'new')).toBe('a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb');
  expect(() => replaceBlock('a', 'x', 'new')).toThrow('no block x');
});

test('a later result of a build takes the place of the earlier one of its kind, each with its own commit', () => {
  const scale = {
    kind: 'scale' as const,
    machine: { cores: 2, processor: 'p', memoryGib: 1, node: 'v24' },
    noisy: false,
    points: [],
  };
  const builds = buildsOf([
    { ...scale, recordedAt: '2026-01-01', build: 'this', commit: 'old' },
    { ...scale, recordedAt: '2026-01-02', build: 'this', commit: 'new' },
    { ...scale, recordedAt: '2026-01-03', build: 'landed', commit: 'first' },
    {
      kind: 'pieces' as const,
      machine: scale.machine,
      scenarios: {},
      recordedAt: '2026-01-04',
      build: 'this',
      commit: 'newest',
    },
  ]);
  expect(builds.map(({ name, commits }) => [name, commits])).toEqual([
    ['landed', { scale: 'first' }],
    ['this', { scale: 'new', pieces: 'newest' }],
  ]);
});

test('what is written can be read again', () => {
  const value = {
    kind: 'x',
    list: [{ a: 1, b: [1, 2, 'z'.repeat(200)] }],
    deep: { a: { b: { c: { d: 'y'.repeat(200) } } } },
    missing: undefined,
  };
  expect(JSON.parse(resultJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
});

test('an axis ends on a number that people know', () => {
  expect([0, 1, 1.1, 2.4, 3, 9, 119_000].map(niceCeiling)).toEqual([1, 1, 2, 2.5, 5, 10, 200_000]);
  expect([0, 250, 12_500, 1_000_000].map(tickText)).toEqual(['0', '250', '12.5k', '1M']);
});
