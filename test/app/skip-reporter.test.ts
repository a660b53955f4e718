import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { NO_REASON, skipReason } from '../support/skip-reasons.ts';
import { skippedLines } from '../support/skip-reporter.ts';

const of = (file: string, ...statuses: string[]) => ({
  testFilePath: `/test/${file}.test.ts`,
  testResults: statuses.map((status) => ({ status })),
});

describe('the end of a test run', () => {
  test('names what was skipped with its number, its files and the way to run it', () => {
    const sources: Record<string, string> = { a: 'COMETBFT', b: 'hasCometbft', c: 'process.getuid', d: 'nothing' };
    const results = {
      testResults: [of('c', 'pending'), of('a', 'passed', 'pending', 'pending'), of('b', 'pending'), of('d', 'passed')],
    };
    expect(skippedLines(results, (file) => sources[path.basename(file, '.test.ts')] ?? '')).toEqual([
      expect.stringMatching(/^ {2}3 need a CometBFT node \(a, b\): go install /),
      '  1 need to give files to another user (c): npm test as root',
    ]);
  });

  test('says nothing when nothing was skipped', () => {
    expect(skippedLines({ testResults: [of('a', 'passed', 'failed', 'todo')] }, () => '')).toEqual([]);
  });

  test.each(
    globSync('test/**/*.test.ts', { cwd: ROOT })
      .filter((file) =>
        /\b(?:describe|test|it)\.skip\b|onFollower\.|localnetSuite\(|storeSuite|eachStore/.test(
          readFileSync(path.join(ROOT, file), 'utf8'),
        ),
      )
      .toSorted(),
  )('%s has a reason for what it skips', (file) => {
    expect(skipReason(readFileSync(path.join(ROOT, file), 'utf8')).why).not.toBe(NO_REASON);
  });
});
