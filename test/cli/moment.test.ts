/** Moments of the command line: what the calendar does not have is refused, where Date.parse takes the day after. */
import { expect, test } from '@jest/globals';
import { parseEnd, parseMoment } from '../../server/cli/moment.ts';
import { runInProcess } from './in-process.ts';

const NONE = [
  '2027-02-29',
  '2027-02-30',
  '2027-04-31',
  '2027-00-10',
  '2027-13-01',
  '2027-01-00',
  '2027-01-32',
  '2027-02-30T00:00:00Z',
  '2027-02-29T23:00:00-05:00',
  '2027-01-01T24:00:00Z',
  '2027-01-01T24:00Z',
  '2027-01-01T23:60:00Z',
  '2027-01-01T23:59:60Z',
  '2027-01-01T00:00:00+24:00',
  '2027-01-01T00:00:00+00:60',
];

test.each(NONE)('%s is no moment', (text) => {
  expect(parseMoment(text)).toBeNaN();
  expect(() => parseEnd(text)).toThrow('expected a moment');
});

test.each([
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2027-02-28T23:30:00-05:00', '2027-03-01T04:30:00.000Z'],
  ['2027-12-31T23:59:59.999Z', '2027-12-31T23:59:59.999Z'],
  ['2027-01-01T00:00+14:00', '2026-12-31T10:00:00.000Z'],
])('%s is one', (text, moment) => {
  expect(new Date(parseMoment(text)).toISOString()).toBe(moment);
});

test.each(['2027-02-30', '2027-02-30T00:00:00Z', '2027-02-28T24:00:00.000000001Z'])(
  'a statement is not bounded by %s',
  async (text) => {
    for (const bound of ['--from', '--to']) {
      const { code, stderr } = await runInProcess(['statement', 'dev-1', bound, text]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('expected a day such as')]);
    }
  },
);
