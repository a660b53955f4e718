/** The parser of text/event-stream against the HTML standard, section 9.2.6, its examples included. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EventStreamParser, type StreamItem } from '../../client/src/events/parser.ts';
import { EVENT_CHARS_MAX } from '../../client/src/limits.ts';

function parse(text: string, sizes: readonly number[] = [Infinity]): StreamItem[] {
  const bytes = Buffer.from(text);
  const parser = new EventStreamParser();
  const items: StreamItem[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    items.push(...parser.push(new Uint8Array(bytes.subarray(at, Math.min(bytes.length, at + size)))));
    at += size;
  }
  return items;
}

const event = (data: string, more: object = {}): StreamItem =>
  ({ kind: 'event', id: '', type: 'message', data, ...more }) as StreamItem;

describe('a stream of events', () => {
  test.each<[string, string, StreamItem[]]>([
    ['lines of data become one text', 'data: YHOO\ndata: +2\ndata: 10\n\n', [event('YHOO\n+2\n10')]],
    [
      'comments, ids and an empty id',
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
      [
        { kind: 'comment', text: ' test stream' },
        event('first event', { id: '1' }),
        event('second event'),
        event(' third event'),
      ],
    ],
    [
      'a field without a colon, and an event that the stream ends in',
      'data\n\ndata\ndata\n\ndata:',
      [event(''), event('\n')],
    ],
    ['one space behind the colon is not part of it', 'data:test\n\ndata: test\n\n', [event('test'), event('test')]],
    [
      'the id stays until another one comes',
      'id: 7-1\ndata: a\n\ndata: b\n\n',
      [event('a', { id: '7-1' }), event('b', { id: '7-1' })],
    ],
    [
      'an id with NUL is ignored',
      'id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n',
      [event('a', { id: '7' }), event('b', { id: '7' })],
    ],
    ['the type is of one event', 'event: x\ndata: a\n\ndata: b\n\n', [event('a', { type: 'x' }), event('b')]],
    ['a type without data is forgotten', 'event: x\n\ndata: b\n\n', [event('b')]],
    ['retry is digits alone', 'retry: 250\nretry: 1e3\nretry: -1\nretry:\n\n', [{ kind: 'retry', ms: 250 }]],
    ['unknown fields and other case are ignored', 'Data: a\nfoo: b\n\ndata: c\n\n', [event('c')]],
    ['a byte order mark at the beginning alone', '\uFEFFdata: \uFEFFa\n\n', [event('\uFEFFa')]],
    ['CR ends a line at once', 'data: a\r\rdata: b\r\r', [event('a'), event('b')]],
    ['CRLF ends one line', 'data: a\r\n\r\ndata: b\r\ndata: c\r\n\r\n', [event('a'), event('b\nc')]],
    ['three ends of lines in one stream', 'data: a\r\ndata: b\rdata: c\n\r\n', [event('a\nb\nc')]],
    [
      'a comment of nothing',
      ':\n:\n\n',
      [
        { kind: 'comment', text: '' },
        { kind: 'comment', text: '' },
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(parse(text)).toEqual(expected);
    expect(parse(text, [1])).toEqual(expected);
  });

  test('is the same however it is cut', () => {
    const field = fc.oneof(
      fc.constantFrom('data', 'data: ü€𝄞', 'id: 5-2', 'id', 'event: x', ': height 4', 'retry: 10', ''),
      fc.string().map((text) => text.replaceAll(/[\r\n]/g, '')),
    );
    const end = fc.constantFrom('\n', '\r', '\r\n');
    const line = fc.tuple(field, end).map((both) => both.join(''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, sizes) => {
        expect(parse(lines.join(''), sizes)).toEqual(parse(lines.join('')));
      }),
    );
  });

  test('is not kept in memory beyond a bound', () => {
    const parser = new EventStreamParser();
    const piece = new Uint8Array(Buffer.from('x'.repeat(EVENT_CHARS_MAX / 2)));
    parser.push(piece);
    parser.push(piece);
    expect(() => parser.push(piece)).toThrow(RangeError);
  });
});
