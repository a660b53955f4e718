/** However a server is started, V8 has the same flags. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const { start, serve } = (JSON.parse(read('package.json')) as { scripts: Record<'start' | 'serve', string> }).scripts;
const flagsOf = (command: string): string[] => command.split(' ').filter((word) => word.startsWith('--'));
const FLAGS = flagsOf(start);

test('npm start gives three flags, and npm run serve the same', () => {
  expect(FLAGS).toHaveLength(3);
  expect(flagsOf(serve)).toEqual(FLAGS);
});

describe.each(FLAGS)('%s', (flag) => {
  test.each([
    'ops/systemd/txledger.service',
    'ops/systemd/txledger-gateway.service',
    'ops/systemd/txledger-app.service',
    'ops/container/Containerfile',
    'server/cli/bin.js',
    'docs/OPERATING.md',
  ])('is in %s', (file) => {
    expect(read(file)).toContain(flag);
  });
});

test('the package sets those that the main thread still takes', () => {
  const program = read('server/cli/packed.js');
  for (const flag of FLAGS.filter((each) => !each.startsWith('--max-semi-space-size')))
    expect(program).toContain(`setFlagsFromString('${flag}')`);
});
