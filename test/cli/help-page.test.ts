import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { programHelp } from '../../scripts/cli-help.ts';
import { ROOT } from '../../scripts/steps.ts';
import { asksForHelpPage, helpPage, type HelpPage } from '../../server/cli/help-page.js';

const page = JSON.parse(readFileSync(path.join(ROOT, 'generated/cli-help.json'), 'utf8')) as HelpPage;

describe('the page of --help', () => {
  test.each([undefined, 20, 41, 56, 57, 58, 72, 80, 100, 133, 200])(
    'is what the program prints, %s columns wide',
    async (columns) => {
      expect(helpPage(page, columns)).toBe(await programHelp(columns));
    },
  );

  test('is asked for by one word alone: a command has its own', () => {
    expect([['--help'], ['-h'], ['send', '--help'], ['--help', '--json'], []].map(asksForHelpPage)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
