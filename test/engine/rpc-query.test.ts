/**
 * CometBFT's query language. What each query reads as, what it matches and what each error says was printed by CometBFT v0.38.26
 * itself (libs/pubsub/query), for these very texts.
 */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { matchesQuery, parseQuery, QUERY_BYTES_MAX, QUERY_CONDITIONS_MAX } from '../../server/engine/port.ts';

const conditions = (query: string) => {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.conditions;
};

describe('reading a query', () => {
  test.each([
    ['', 'offset 0: EOF'],
    ['a', 'offset 1: EOF'],
    ['a =', 'offset 3: EOF'],
    ["a = 'x", 'offset 4: EOF'],
    ["a = 'x' AND", 'offset 11: EOF'],
    ['!', 'offset 0: invalid input ! at offset 1'],
    ['a ! 5', 'offset 2: invalid input ! at offset 3'],
    ["a > 'x'", 'offset 4: got string, wanted number, timestamp or datestamp'],
    ['a CONTAINS 5', 'offset 11: got number, wanted string'],
    ['a EXISTS AND b', 'offset 14: EOF'],
    ['a > DATE 1800-01-01', 'offset 4: datestamp year 1800 out of range'],
    ['a = AND', 'offset 4: got AND operator, wanted number, timestamp, datestamp or string'],
    ['a == 5', 'offset 3: got = operator, wanted number, timestamp, datestamp or string'],
    [
      'bad query',
      'offset 4: got tag, wanted <= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator',
    ],
  ])('%j is refused as CometBFT refuses it', (query, error) => {
    expect(parseQuery(query)).toEqual({ ok: false, error });
  });

  /** CometBFT prints a number for the operator it wanted, and Go's own words about times: ours say what is meant. */
  test.each([
    ["a = 'x' b", 'offset 8: got tag, want AND operator'],
    ["a = 'x' !", 'offset 8: got invalid token, want AND operator'],
    ["a = 'ä' ü", 'offset 9: got tag, want AND operator'],
    ['a = 5 or b = 3', 'offset 6: got tag, want AND operator'],
    ["ä = 'x'  \t y", 'offset 12: got tag, want AND operator'],
    ['a = TIME 2020', 'offset 4: invalid TIME value: "2020"'],
    ['a > DATE 2020-02-30', 'offset 4: invalid DATE value: "2020-02-30"'],
    ['TIME = 5', 'offset 0: invalid TIME value: ""'],
  ])('%j is refused at the same place, in plainer words', (query, error) => {
    expect(parseQuery(query)).toEqual({ ok: false, error });
  });

  test('every kind of condition is read', () => {
    expect(
      conditions(
        "a.b-c_d = 'x y' AND n>=5.25 AND t < TIME 2026-11-21T03:30:36Z AND d>DATE 2026-11-21 AND s CONTAINS '' AND e EXISTS",
      ),
    ).toEqual([
      { tag: 'a.b-c_d', operator: '=', value: { type: 'string', text: 'x y' } },
      { tag: 'n', operator: '>=', value: { type: 'number', text: '5.25' } },
      { tag: 't', operator: '<', value: { type: 'time', text: '2026-11-21T03:30:36Z' } },
      { tag: 'd', operator: '>', value: { type: 'date', text: '2026-11-21' } },
      { tag: 's', operator: 'CONTAINS', value: { type: 'string', text: '' } },
      { tag: 'e', operator: 'EXISTS', value: undefined },
    ]);
    expect(conditions('a =DATE 2020-01-01')).toEqual([
      { tag: 'a', operator: '=', value: { type: 'date', text: '2020-01-01' } },
    ]);
  });

  test('length and number of conditions are bounded', () => {
    const longest = `a = '${'ä'.repeat((QUERY_BYTES_MAX - 6) / 2)}'`;
    expect(Buffer.byteLength(longest)).toBe(QUERY_BYTES_MAX);
    expect(parseQuery(longest).ok).toBe(true);
    expect(parseQuery(`${longest} `)).toEqual({ ok: false, error: 'maximum query length exceeded' });
    const many = (count: number) => Array.from({ length: count }, () => 'a=1').join(' AND ');
    expect(parseQuery(many(QUERY_CONDITIONS_MAX)).ok).toBe(true);
    expect(parseQuery(many(QUERY_CONDITIONS_MAX + 1))).toEqual({
      ok: false,
      error: 'a query has at most 8 conditions, not 9',
    });
  });

  test('no text makes it throw', () => {
    const pieces = fc.constantFrom(
      'a',
      'tx.height',
      ' ',
      '=',
      '<',
      '>=',
      "'",
      "'x'",
      '5',
      '5.',
      'AND',
      'EXISTS',
      'CONTAINS',
      'TIME ',
      'DATE ',
      '2020-01-01',
      '\u{1F600}',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((list) => list.join('')),
        ),
        (query) => {
          const parsed = parseQuery(query);
          expect(parsed.ok ? parsed.conditions.length : parsed.error.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('matching events', () => {
  const events = {
    'tm.event': ['Tx'],
    'tx.height': ['5'],
    'tx.hash': ['AB'],
    'transfer.from': ['alice'],
    'transfer.amount': ['100000000000000000000000000000000000001'],
    'transfer.fee': ['8atom'],
    'a.b.c': ['x', '10.50'],
    'when.at': ['2026-11-21T03:30:36.4Z'],
    'when.day': ['2026-11-21'],
    'neg.v': ['-5'],
  };

  test.each([
    ["tm.event='Tx'", true],
    ["tm.event = 'NewBlock'", false],
    ['tx.height>4 AND tx.height<=5', true],
    ['tx.height<5', false],
    ['tx.height=5', true],
    ["tx.height='5'", true],
    ['tx.height=5.0', true],
    ['transfer.amount > 100000000000000000000000000000000000000', true],
    ['transfer.amount = 100000000000000000000000000000000000001', true],
    ['transfer.amount < 100000000000000000000000000000000000001', false],
    ['transfer.fee = 8', true],
    ['transfer.fee > 7.9', true],
    ['transfer EXISTS', true],
    ['transfer.from EXISTS', true],
    ['transfer.f EXISTS', false],
    ['trans EXISTS', false],
    ['nothing EXISTS', false],
    ['a.b EXISTS', true],
    ['a EXISTS', false],
    ["a.b.c = 'x'", true],
    ['a.b.c = 10.5', true],
    ["a.b.c CONTAINS '0.5'", true],
    ["a.b.c CONTAINS 'z'", false],
    ["transfer = ''", true],
    ["transfer CONTAINS 'a'", false],
    ['when.at > TIME 2026-11-21T03:30:36Z', true],
    ['when.at = TIME 2026-11-21T04:30:36+01:00', false],
    ['when.at < TIME 2026-11-21T04:30:37+01:00', true],
    ['when.day >= DATE 2026-11-21', true],
    ['when.day < DATE 2026-11-21', false],
    ['when.at > DATE 2020-01-01', false],
    ['neg.v < 0', false],
    ['neg.v > 0', false],
    ['transfer.from = 5', false],
    ['transfer.from > 5', false],
    ["a.b.c = 'x' AND a.b.c > 10", true],
  ])('%s: %s', (query, expected) => {
    expect(matchesQuery(conditions(query), events)).toBe(expected);
  });

  test('nothing matches no events', () => {
    expect(matchesQuery([], {})).toBe(false);
  });
});
