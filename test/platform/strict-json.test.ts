/** A body has exactly one meaning or is refused. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { JSON_DEPTH_MAX, readStrictJson } from '../../server/platform/strict-json.ts';

const read = (text: string | Buffer) => readStrictJson(Buffer.from(text as string));

/** What the reader takes: finite numbers without an exponent, integers a double holds exactly, well-formed text. */
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .filter((value) => !Object.is(value, -0) && !/e/.test(JSON.stringify(value))),
);
const text = fc.string({ unit: 'grapheme' }).map((value) => value.toWellFormed());
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: JSON_DEPTH_MAX - 1 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(text, tie('value'), { maxKeys: 5, noNullPrototype: true }),
})).value;

describe('what has one meaning is read', () => {
  test('any value in its compact, its spaced and its escaped spelling', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const plain = JSON.stringify(value, undefined, indent);
        expect(read(plain)).toEqual({ ok: true, value: JSON.parse(plain) });
        const escaped = plain.replaceAll(
          // oxlint-disable-next-line no-control-regex -- everything but printable ASCII is escaped here
          /[^\u0000-\u007f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        expect(read(escaped)).toEqual({ ok: true, value: JSON.parse(plain) });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    '{}',
    '[]',
    ' {"a":1} ',
    '{"a":{"b":1},"b":{"a":1}}',
    '[1,-1,0,1.5,-0.25,9007199254740991,-9007199254740991]',
    '"\\ud83d\\ude00"',
    '"\\u0000\\/"',
    '{"__proto__":1}',
    'null',
  ])('%s', (source) => expect(read(source)).toEqual({ ok: true, value: JSON.parse(source) }));

  test('nesting up to the bound', () => {
    expect(read('['.repeat(JSON_DEPTH_MAX) + ']'.repeat(JSON_DEPTH_MAX))).toMatchObject({ ok: true });
  });
});

describe('what has several meanings, or none, is refused', () => {
  const cases: [name: string, source: string | Buffer, detail: RegExp][] = [
    ['an empty body', '', /empty/],
    ['white space only', ' \n', /too early/],
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), /byte order mark/],
    ['a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), /UTF-8/],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /UTF-8/],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), /expected/],
    ['the same key twice', '{"a":1,"a":1}', /twice/],
    ['the same key twice, deep down', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}', /twice/],
    ['the same key twice, one of them escaped', '{"amount":1,"\\u0061mount":2}', /twice/],
    ['the same key twice, pretty-printed', '{\n  "a": 1,\n  "a": 2\n}', /twice/],
    ['-0', '{"nonce":-0}', /-0/],
    ['-0 in an array', '[-0]', /-0/],
    ['-0.0', '[-0.0]', /trailing zeros/],
    ['1.0', '[1.0]', /trailing zeros/],
    ['1.50', '[1.50]', /trailing zeros/],
    ['1e3', '[1e3]', /exponent/],
    ['1E3', '[1E3]', /exponent/],
    ['1.5e-3', '[1.5e-3]', /exponent/],
    ['01', '[01]', /leading zeros/],
    ['-01', '[-01]', /leading zeros/],
    ['+1', '[+1]', /value was expected/],
    ['.5', '[.5]', /value was expected/],
    ['1.', '[1.]', /digit/],
    ['-', '[-]', /digit/],
    ['0x10', '[0x10]', /expected/],
    ['2^53', '[9007199254740992]', /2\^53/],
    ['2^53 + 1, which a double rounds', '[9007199254740993]', /2\^53/],
    ['-(2^53)', '[-9007199254740992]', /2\^53/],
    ['a fraction that a double rounds', '[9007199254740990.5]', /more digits/],
    ['a fraction with digits that no double holds', '[0.30000000000000000001]', /more digits/],
    ['10^400', `[1${'0'.repeat(400)}]`, /2\^53/],
    ['a lone high surrogate as an escape', '"\\ud800"', /surrogate/],
    ['a lone low surrogate as an escape', '"\\udc00"', /surrogate/],
    ['a high surrogate before another escape', '"\\ud800\\u0041"', /surrogate/],
    ['two low surrogates', '"\\udc00\\udc00"', /surrogate/],
    ['an unknown escape', '"\\x41"', /escape/],
    ['a short escape', '"\\u12"', /hexadecimal/],
    ['an escape at the end', '"\\', /escape/],
    ['a raw line feed in a string', '"a\nb"', /control/],
    ['a raw NUL in a string', '"a\u0000b"', /control/],
    ['an open string', '"abc', /ends within/],
    ['an open string with escapes', '"a\\n', /ends within/],
    ['an open object', '{"a":1', /expected/],
    ['an open array', '[1', /expected/],
    ['text after the value', '{} {}', /after the JSON value/],
    ['a NUL after the value', '{}\u0000', /after the JSON value/],
    ['a trailing comma in an object', '{"a":1,}', /key/],
    ['a trailing comma in an array', '[1,]', /value was expected/],
    ['a missing colon', '{"a" 1}', /colon/],
    ['single quotes', "{'a':1}", /key/],
    ['a bare key', '{a:1}', /key/],
    ['a comment', '{/* */}', /key/],
    ['NaN', 'NaN', /value was expected/],
    ['Infinity', '[Infinity]', /value was expected/],
    ['a word cut short', 'tru', /value was expected/],
    ['a word too long', 'nullx', /after the JSON value/],
    ['a no-break space', '\u00a0{}', /value was expected/],
    ['a line separator as white space', '\u2028{}', /value was expected/],
    ['nesting one past the bound', '['.repeat(JSON_DEPTH_MAX + 1) + ']'.repeat(JSON_DEPTH_MAX + 1), /deeper/],
    ['nesting far past the bound', '{"a":'.repeat(100_000), /deeper/],
  ];
  test.each(cases)('%s', (_name, source, detail) => {
    const outcome = read(source);
    expect(outcome).toMatchObject({ ok: false, detail: expect.stringMatching(detail) });
  });

  test('a key repeated anywhere in any object', () => {
    const member = fc.tuple(text, json);
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (members, from, to) => {
        const pairs = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const twice = pairs[from % pairs.length] ?? '';
        pairs.splice(to % (pairs.length + 1), 0, twice);
        expect(read(`[{${pairs.join(',')}}]`)).toMatchObject({ ok: false });
      }),
      { numRuns: 300 },
    );
  });

  test('whatever is taken is JSON that says the same when it is written again', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"b"',
      '"\\u0061"',
      '1',
      '0',
      '-',
      '.',
      'e',
      '5',
      'true',
      ' ',
      '\\',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), (fragments) => {
        const source = fragments.join('');
        const outcome = read(source);
        if (!outcome.ok) return;
        const again = JSON.stringify(JSON.parse(source));
        const spaceless = (text: string): string => text.replaceAll(' ', '').replaceAll('\\u0061', 'a');
        expect(spaceless(again)).toBe(spaceless(source));
      }),
      { numRuns: 20_000 },
    );
  });
});
