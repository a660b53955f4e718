/** Queries of subscriptions: who is found for an event, what that costs, and who is ended for costing too much. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { RpcEventType } from '../../server/engine/port.ts';
import { matchesQuery, type CompositeEvents } from '../../server/engine/rpc/query-match.ts';
import { MATCH_COST_PER_BLOCK_MAX, QueryIndex } from '../../server/engine/rpc/query-index.ts';
import { parseQuery } from '../../server/engine/rpc/query.ts';

const transfer = (height: number, sender: string, amount = '1'): CompositeEvents => ({
  'transfer.sender': [sender],
  'transfer.amount': [amount],
  'tx.hash': ['AB'],
  'tx.height': [String(height)],
  'tm.event': ['Tx'],
});

function indexOf(queries: readonly string[], costMax?: number): QueryIndex {
  const index = new QueryIndex(costMax);
  queries.forEach((query, id) => index.add(id, query));
  index.beginBlock(5);
  return index;
}

/** Values and tags that are met often, with all the ways in which a condition can find an event. */
const TAGS = [
  'transfer.sender',
  'transfer.amount',
  'transfer',
  'tx',
  'tx.hash',
  'tx.height',
  'tm.event',
  'a.b.c',
  'a.b',
  'constructor',
  '__proto__',
];
const TEXTS = ['', 'Tx', 'NewBlock', 'x', 'AB', '5', '05', '5.0', '8atom'];
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom(...TAGS), fc.constantFrom('=', 'CONTAINS'), fc.constantFrom(...TEXTS))
    .map(([tag, operator, text]) => `${tag} ${operator} '${text}'`),
  fc
    .tuple(fc.constantFrom(...TAGS), fc.constantFrom('=', '<', '>=', '<=', '>'), fc.constantFrom('5', '5.0', '8', '0'))
    .map((parts) => parts.join(' ')),
  fc.constantFrom(...TAGS).map((tag) => `${tag} EXISTS`),
  fc.constantFrom('tm.event', 'a.b.c').map((tag) => `${tag} = DATE 2026-11-21`),
);
const query = fc.array(condition, { minLength: 1, maxLength: 4 }).map((conditions) => conditions.join(' AND '));
const event = fc.tuple(
  fc.constantFrom<RpcEventType>('Tx', 'NewBlock'),
  fc.dictionary(
    fc.constantFrom('transfer.sender', 'transfer.amount', 'a.b.c', 'a.b', 'constructor'),
    fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 3 }),
  ),
);

describe('an event', () => {
  test('finds exactly the queries that match it, whatever they are filed under', () => {
    fc.assert(
      fc.property(fc.array(query, { maxLength: 20 }), event, (queries, [type, attributes]) => {
        const events = {
          ...attributes,
          ...(type === 'Tx' ? { 'tx.hash': ['AB'], 'tx.height': ['5'] } : {}),
          'tm.event': [type],
        };
        const matching = queries.flatMap((text, id) => {
          const parsed = parseQuery(text);
          return parsed.ok && matchesQuery(parsed.conditions, events) ? [id] : [];
        });
        const index = indexOf(queries);
        expect(index.match(type, events)).toEqual(matching);
        if (matching.length > 0) expect(index.wants(type)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['an equality', (id: number) => `tm.event = 'Tx' AND transfer.sender = 'nobody-${id}'`],
    ['a hash', (id: number) => `tx.hash = '${id}' AND transfer.amount > 0`],
    ['a number', (id: number) => `transfer.amount = ${id + 2}`],
    ['a key that it has not', (id: number) => `stake.amount > ${id}`],
    ['another type', (id: number) => `tm.event = 'Vote' AND tx.height > ${id}`],
    ['a height that is over', (id: number) => `tm.event = 'Tx' AND tx.height < 5 AND tx.height > 0.${id}`],
  ])('meets none of 10,000 queries that want %s', (_, made) => {
    const index = indexOf(
      Array.from({ length: 10_000 }, (_, id) => made(id)),
      10_001,
    );
    for (let transaction = 0; transaction < 1000; transaction++)
      expect(index.match('Tx', transfer(5, 'someone'))).toEqual([]);
    expect(index.endBlock()).toEqual([]);
    expect(index.size).toBe(10_000);
  });
});

describe('the cost of a block', () => {
  test('is bounded: the most costly queries are ended, of equal ones the newest', () => {
    const cheap = "tm.event = 'Tx' AND transfer.sender = 'someone'";
    const index = indexOf([cheap, ...Array.from({ length: 100 }, (_, id) => `transfer.amount > ${id + 100}`)], 5000);
    for (let transaction = 0; transaction < 100; transaction++)
      index.match('Tx', transfer(5, transaction === 0 ? 'someone' : 'other'));
    const ended = index.endBlock();
    expect(ended.length).toBeGreaterThan(0);
    expect(ended).not.toContain(0);
    expect(Math.min(...ended)).toBe(101 - ended.length);
    expect(index.size + ended.length).toBe(101);
  });

  test('is counted again for each block', () => {
    const index = indexOf(['transfer.amount > 100'], 50);
    for (let block = 0; block < 10; block++) {
      index.beginBlock(block);
      for (let transaction = 0; transaction < 50; transaction++) index.match('Tx', transfer(5, 'someone'));
      expect(index.endBlock()).toEqual([]);
    }
  });

  test('lets twenty queries without an equality see a block of 10,000 transactions', () => {
    const index = indexOf(Array.from({ length: 20 }, (_, id) => `transfer.amount > ${id + 1}`));
    expect(20 * 10_000).toBeLessThanOrEqual(MATCH_COST_PER_BLOCK_MAX);
    for (let transaction = 0; transaction < 10_000; transaction++) index.match('Tx', transfer(5, 'someone'));
    expect(index.endBlock()).toEqual([]);
  });
});

test('what is removed leaves nothing behind', () => {
  const index = indexOf([
    "tm.event='Tx'",
    'tx.height > 4',
    "transfer.sender='x'",
    "tm.event='Tx' AND tx.hash='AB'",
    'a.b EXISTS',
  ]);
  expect(index.namesHash).toBe(true);
  for (let id = 0; id < 5; id++) index.remove(id);
  expect([index.size, index.wants('Tx'), index.namesHash]).toEqual([0, false, false]);
});
