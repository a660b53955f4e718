/** The quick way of writing a log line: byte for byte what pino writes. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { pino } from 'pino';

import { plainLine } from '../../server/app/plain-line.ts';

const NOW_MS = 1_790_000_000_123;
const EXCEPT = new Set(['token']);

const ours = (fields: object, message: string) =>
  plainLine({ level: 'info', nowMs: NOW_MS, base: '"thread":"main"', fields, message, except: EXCEPT });

function ofPino(fields: object, message: string): string {
  let line = '';
  const time = (): string => `,"time":"${new Date(NOW_MS).toISOString()}"`;
  pino(
    { base: { thread: 'main' }, timestamp: time, formatters: { level: (level) => ({ level }) } },
    { write: (text: string) => (line += text) },
  ).info(fields, message);
  return line;
}

test('is the line of pino, for any plain fields', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ maxLength: 100 }),
    fc.constantFrom('"', '\\', '\u2028', '\ud800', '\u007f', '\n'),
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[A-Za-z]{1,8}$/), value), text, (fields, message) => {
      fc.pre(!('token' in fields) && !('msg' in fields));
      const line = ours(fields, message);
      if (line !== undefined) expect(line).toBe(ofPino(fields, message));
    }),
    { numRuns: 3_000 },
  );
});

test('is written for what a request logs', () => {
  const fields = { requestId: 'a-1', client: '127.0.0.1', code: undefined, durationMs: 0.25, complete: true };
  expect(ours(fields, 'request')).toBe(ofPino(fields, 'request'));
});

test.each([
  [{ token: 'T' }],
  [{ a: { b: 1 } }],
  [{ err: new Error('x') }],
  [{ a: null }],
  [{ a: Number.NaN }],
  [{ a: 1n }],
  [{ 'a"b': 1 }],
  [{ a: 'a"' }],
  [{ a: 'line\nbreak' }],
  [{ a: '\ud800' }],
])('leaves %p to pino', (fields) => {
  expect(ours(fields, 'm')).toBeUndefined();
});
