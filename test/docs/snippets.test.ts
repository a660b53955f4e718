/** scripts/snippets.ts itself: a document whose code is broken, or is run by nobody, must not pass. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

afterAll(removeTemporaryFolders);

const fence = (info: string, ...code: string[]): string => ['```' + info, ...code, '```', ''].join('\n');

async function snippets(...blocks: string[]): Promise<{ code: number; output: string }> {
  const file = path.join(await temporaryFolder('snippets'), 'PAGE.md');
  await writeFile(file, blocks.join('\n'));
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/snippets.ts', file], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
    });
  });
}

describe('what passes', () => {
  test('commands, saved programs and files that are run', async () => {
    const { code, output } = await snippets(
      fence('sh', 'cd "$(mktemp -d)"'),
      fence('js save=hello.mjs', 'console.log(`it costs $5, "quoted"`);'),
      fence('sh', 'node hello.mjs'),
      fence('json', '{ "shown": true }'),
    );
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('it costs $5, "quoted"') });
    expect(output).toContain('snippets: 3 passed, 0 failed');
  });
});

describe('what does not', () => {
  test.each([
    ['a command that fails', [fence('sh', 'false')], 'a snippet ended with 1'],
    ['a failure in the middle of a block', [fence('sh', 'false', 'true')], 'a snippet ended with 1'],
    [
      'a saved program that throws',
      [fence('js save=/dev/null', ''), fence('sh', 'node -e "throw 1" /dev/null')],
      'a snippet ended with 1',
    ],
    [
      'a saved program that nothing runs',
      [fence('js save=lonely.mjs', 'x'), fence('sh', 'true')],
      'no later sh block runs lonely.mjs',
    ],
    [
      'a program that is run before it is there',
      [fence('sh', 'true late.mjs'), fence('js save=late.mjs', 'x')],
      'no later sh block runs late.mjs',
    ],
    ['a copy that differs from its file', [fence('json file=tsconfig.json', '{}')], 'differs from tsconfig.json'],
    ['code that says nothing of how it is run', [fence('ts', 'const x: string = 1;')], 'nothing runs this ts'],
    ['a word that is misspelt', [fence('sh rnu=start', 'npm start')], 'does not know what to do with rnu'],
    ['a misspelt way to run', [fence('sh run=strat', 'npm start')], 'does not know what to do with run'],
    [
      'a command that CI does not run elsewhere',
      [fence('sh run=elsewhere', 'npm run nothing')],
      '.ci/run does not run "npm run nothing"',
    ],
  ])('%s', async (_what, blocks, why) => {
    const { code, output } = await snippets(...blocks);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(why) });
    expect(output).not.toContain('0 failed');
  });

  test('a server that a document leaves behind when a snippet fails is ended', async () => {
    const marker = path.join(await temporaryFolder('snippets'), 'ended');
    await rm(marker, { force: true });
    // Ended before it has its trap, it would leave nothing to see.
    const server = `( trap 'touch ${marker}; exit' TERM; touch ${marker}-begun; while :; do sleep 0.1; done ) &`;
    const left = fence('sh', server, `until test -e ${marker}-begun; do sleep 0.1; done`, 'false');
    expect((await snippets(left)).code).toBe(1);
    expect((await snippets(fence('sh', `until test -e ${marker}; do sleep 0.1; done`))).code).toBe(0);
  });
});
