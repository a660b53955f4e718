/** What strangers write, where it reaches a terminal, a log or the delivery log: it can neither move the cursor nor turn a line round. */
import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { AnswerReader } from '../../server/app/webhooks/answer-reader.ts';
import { plainLine } from '../../server/app/plain-line.ts';
import { escapedJson, visibleLine, visibleText } from '../../server/app/visible-text.ts';
import { printError, printLine } from '../../server/cli/output.ts';

const UNSAFE = [
  ...['\u0000', '\u0007', '\r', '\u001b', '\u007f', '\u0080', '\u009b', '\u0085'],
  ...['\u2028', '\u2029'],
  ...[
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ],
  ...['\ufeff', '\ufff9', '\u{e0001}', '\u{e0041}'],
];
const KEPT = 'Grüße\t中文 🎉 👩‍👩‍👧 فارسی‌ها\n';
const named = UNSAFE.map((character) => [`U+${character.codePointAt(0)?.toString(16)}`, character] as const);

test.each(named)('%s becomes a space in text, and an escape in JSON', (_, character) => {
  expect(visibleText(`a${character}b`)).toBe('a b');
  expect(visibleLine(`\u001b[31ma${character}b\u001b[0m`)).toBe('\u001b[31ma b\u001b[0m');
  const json = JSON.stringify({ text: `a${character}b` });
  expect(escapedJson(json)).toMatch(/^[ -~]+$/);
  expect(JSON.parse(escapedJson(json))).toEqual({ text: `a${character}b` });
});

test('what is seen stays as it is', () => {
  expect(visibleText(KEPT)).toBe(KEPT);
  expect(visibleLine(`\u001b[1;31m${KEPT}\u001b[0m`)).toBe(`\u001b[1;31m${KEPT}\u001b[0m`);
  expect(escapedJson(JSON.stringify(KEPT, undefined, 2))).toBe(JSON.stringify(KEPT, undefined, 2));
  // Only colours are taken: neither a cleared screen nor a title nor a link.
  for (const sequence of ['\u001b[2J', '\u001b]0;title\u0007', '\u001b[1A', '\u001b]8;;https://evil.example\u001b\\'])
    expect(visibleLine(sequence)).not.toContain('\u001b');
});

test('the beginning of what a receiver of webhooks answered has none of them', async () => {
  const response = new PassThrough();
  const clock = { setTimer: () => ({ cancel: () => undefined }) };
  const read = new AnswerReader(response as never, clock as never).read();
  response.end(UNSAFE.join('x') + KEPT);
  expect(await read).toBe(UNSAFE.map(() => ' ').join('x') + KEPT);
});

test('what a command prints has none of them', () => {
  const printed: unknown[] = [];
  const [log, error] = [console.log, console.error];
  console.log = console.error = (line: unknown) => void printed.push(line);
  try {
    for (const print of [printLine, printError]) print(`owner \u202egnp.exe\u001b[2J`);
  } finally {
    [console.log, console.error] = [log, error];
  }
  expect(printed).toEqual(['owner  gnp.exe [2J', 'owner  gnp.exe [2J']);
});

test('a line of the log that has one is left to the slow way, which escapes it', () => {
  const line = (detail: string) =>
    plainLine({
      level: 'info',
      nowMs: 0,
      base: '"thread":"main"',
      fields: { detail },
      message: 'm',
      except: new Set(),
    });
  expect(line('plain')).toContain('"detail":"plain"');
  for (const [, character] of named) expect(line(`a${character}b`)).toBeUndefined();
});
