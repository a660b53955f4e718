import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createRetention, KEPT_BLOCKS_MIN, readRetention, writeRetention } from '../../server/app/retain-file.ts';
import { metricIn } from '../../server/cli/pruning/followers.ts';
import { planPruning } from '../../server/cli/pruning/plan.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

const follower = (heights: Record<string, number>, chainId = 'acme-1') => ({ url: 'http://gateway', chainId, heights });
const archive = (given: Partial<{ chainId: string; earliest: number; height: number }> = {}) => ({
  url: 'http://archive',
  chainId: 'acme-1',
  earliest: 1,
  height: 10_000,
  ...given,
});

describe('which blocks a node may drop', () => {
  const followers = [
    follower({ settlement: 9_000, search: 9_000, statements: 9_000 }),
    follower({ settlement: 9_000, search: 8_000, statements: 9_000 }),
  ];

  test('none that the reader furthest behind has not read, and so many before it as are asked for', () => {
    expect(planPruning({ followers, archive: archive(), keepBlocks: 1_000 })).toEqual({
      chainId: 'acme-1',
      retainHeight: 7_001,
      heldBy: 'search of http://gateway',
      heldAt: 8_000,
    });
  });

  test('none that the archive node does not have yet', () => {
    expect(planPruning({ followers, archive: archive({ height: 5_000 }), keepBlocks: 1_000 })).toMatchObject({
      retainHeight: 4_001,
      heldBy: 'the archive node http://archive',
    });
  });

  test('none on a short chain', () => {
    expect(planPruning({ followers, archive: archive(), keepBlocks: 100_000 }).retainHeight).toBe(0);
  });

  test.each([
    ['an archive node that dropped blocks itself', { archive: archive({ earliest: 2 }) }, /has no block below 2/],
    ['an archive node of another chain', { archive: archive({ chainId: 'other-1' }) }, /is of chain other-1/],
    [
      'a gateway of another chain',
      { followers: [...followers, follower({ settlement: 9_000 }, 'other-1')] },
      /is of chain other-1/,
    ],
    ['no gateway', { followers: [] }, /Name every gateway/],
  ])('%s is refused', (_, given, message) => {
    expect(() => planPruning({ followers, archive: archive(), keepBlocks: 1_000, ...given })).toThrow(message);
  });

  test('a metric is found by its whole name only', () => {
    const text = 'txledger_follower_height_other 7\n# HELP txledger_follower_height x\ntxledger_follower_height 12\n';
    expect([metricIn(text, 'txledger_follower_height'), metricIn(text, 'txledger_follower')]).toEqual([12, undefined]);
  });
});

describe('what the application tells its node', () => {
  afterEach(removeTemporaryFolders);

  async function opened(content?: string) {
    const folder = await temporaryFolder('retain');
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'retain.json');
    if (content !== undefined) writeFileSync(file, content);
    const problems: unknown[] = [];
    const logger = { error: ({ problem }: { problem: unknown }) => problems.push(problem) } as never;
    return { file, problems, retainHeight: createRetention(file, logger) };
  }

  test('every block without a file', async () => {
    const { retainHeight, problems } = await opened();
    expect([retainHeight(1_000, 'acme-1'), problems]).toEqual([0, []]);
  });

  test('the height of the file, and never the newest blocks', async () => {
    const { file, retainHeight } = await opened();
    expect(retainHeight(1_000, 'acme-1')).toBe(0);
    writeRetention(file, { chainId: 'acme-1', height: 700 });
    expect(readRetention(file)).toEqual({ chainId: 'acme-1', height: 700 });
    expect(retainHeight(1_001, 'acme-1')).toBe(700);
    writeRetention(file, { chainId: 'acme-1', height: 5_000 });
    expect(retainHeight(1_002, 'acme-1')).toBe(1_002 - KEPT_BLOCKS_MIN);
  });

  test.each([
    ['what is no retention', '{"height": -1}', 'it is not what `txledger prune` writes'],
    ['that of another chain', '{"chainId":"other-1","height":5}', 'it is of chain other-1'],
  ])('every block with a file that is %s, and the log says so once', async (_, content, problem) => {
    const { retainHeight, problems } = await opened(content);
    expect([retainHeight(1_000, 'acme-1'), retainHeight(1_020, 'acme-1'), problems]).toEqual([0, 0, [problem]]);
  });
});
