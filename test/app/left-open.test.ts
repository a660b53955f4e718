/** What a worker of jest says of itself when something keeps it (test/support/environment.ts). */
import { expect, test } from '@jest/globals';
import { leftOpen } from '../support/left-open.ts';

const after = (file: string, ...active: string[]) => ({ file: `/repo/test/${file}.test.ts`, active });
const start = { active: ['PipeWrap', 'PipeWrap'] };

test('each kind that is active at the end is named with the files that left it', () => {
  const history = [
    start,
    after('a', 'PipeWrap', 'PipeWrap', 'Timeout'),
    after('b', 'PipeWrap', 'PipeWrap', 'Timeout'),
    after('c', 'PipeWrap', 'PipeWrap', 'Timeout', 'Timeout', 'TCPServerWrap'),
  ];
  expect(
    leftOpen([...history, { active: ['PipeWrap', 'PipeWrap', 'Timeout', 'Timeout', 'TCPServerWrap'] }], '/repo'),
  ).toEqual([
    '2 PipeWrap',
    '2 Timeout, left by test/a.test.ts (1), test/c.test.ts (1)',
    '1 TCPServerWrap, left by test/c.test.ts (1)',
  ]);
});

test('what was still closing when a file ended is not counted against it', () => {
  const history = [
    start,
    after('closes', 'TCPSocketWrap', 'TCPSocketWrap'),
    after('leaves', 'TCPSocketWrap'),
    after('closes too', 'TCPSocketWrap', 'TCPSocketWrap'),
  ];
  expect(leftOpen([...history, { active: ['TCPSocketWrap'] }], '/repo')).toEqual([
    '1 TCPSocketWrap, left by test/closes.test.ts (1)',
  ]);
  expect(
    leftOpen(
      [
        start,
        after('closes', 'TCPSocketWrap'),
        after('leaves'),
        after('other', 'TCPSocketWrap'),
        { active: ['TCPSocketWrap'] },
      ],
      '/repo',
    ),
  ).toEqual(['1 TCPSocketWrap, left by test/other.test.ts (1)']);
});

test('nothing active is no line', () => {
  expect(leftOpen([])).toEqual([]);
  expect(leftOpen([start, after('a', 'Timeout'), { active: [] }])).toEqual([]);
});
