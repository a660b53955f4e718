import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../../scripts/steps.ts';
import { networkText, sidesOf } from '../network/summary.ts';
import type { RoundFigures } from '../network/side.ts';

const round = (acceptedPerS: number, cpuUs: number): RoundFigures => ({
  acceptedPerS,
  committedPerS: acceptedPerS / 2,
  p50Ms: 1,
  p99Ms: 2,
  cpuUs,
  cpuVerifications: cpuUs / 100,
  threadsUs: { node: { cometbft: cpuUs } },
  othersCores: 0,
  loaderCores: 0.1,
});

describe('the report of a network', () => {
  const sides = sidesOf([
    { name: 'one', title: 'one node', rounds: [round(300, 400), round(100, 300), round(200, 200)] },
    { name: 'bare', title: 'bare', rounds: [round(1000, 100), round(1000, 100), round(500, 50)] },
  ]);

  test('compares each round with the bare node of that round', () => {
    expect(sides['one']?.ofBare).toEqual({
      accepted: { min: 0.1, median: 0.3, max: 0.4 },
      committed: { min: 0.1, median: 0.3, max: 0.4 },
      cpu: { min: 3, median: 4, max: 4 },
    });
    expect(sides['bare']?.ofBare).toBeUndefined();
  });

  test('says what every process took', () => {
    expect(sides['one']?.threadsUs).toEqual({ node: { cometbft: 300 } });
    expect(networkText(sides, { rounds: 3, count: 10, connections: 4, batchConnections: 2, othersCores: 0 })).toContain(
      'node 300 us',
    );
  });
});

describe('the command line', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['test/bench/network.ts', ...args], { cwd: ROOT, encoding: 'utf8' });

  test('shows what there is with --help', () => {
    const { status, stdout, stderr } = run('--help');
    expect([status, stderr]).toEqual([0, '']);
    for (const option of ['--sides', '--json', '--batch-connections']) expect(stdout).toContain(`  ${option} `);
  });

  test.each([
    ['--json without a file', ['--json'], /--json/],
    ['--json without what a result is of', ['--json', 'x.json', '--sides', 'bare'], /needs the sides bare and one/],
    ['an unknown option', ['--jsom', 'x'], /--jsom/],
    ['an unknown side', ['--sides', 'three'], /--sides names three/],
    ['a count that is none', ['--rounds', 'many'], /--rounds is many/],
  ])('says of %s one sentence, and starts nothing', (_what, args, sentence) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(sentence);
  });
});
