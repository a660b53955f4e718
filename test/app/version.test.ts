import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerBuildInfo } from '../../server/app/build-info.ts';
import { commitOfCheckout } from '../../server/app/git-commit.ts';
import { buildOf, contractVersion, VERSION, versionLine } from '../../server/app/version.ts';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

afterAll(removeTemporaryFolders);

const COMMIT = '3830eec6a1f2b4c5d6e7f8090a1b2c3d4e5f6071';

async function checkout(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

describe('the commit of a checkout', () => {
  test.each<[string, Record<string, string>]>([
    ['a branch', { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/refs/heads/a/b': `${COMMIT}\n` }],
    [
      'a packed branch',
      {
        '.git/HEAD': 'ref: refs/heads/b\n',
        '.git/packed-refs': `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/a/refs/heads/bb\n${COMMIT} refs/heads/b\n`,
      },
    ],
    ['no branch', { '.git/HEAD': `${COMMIT}\n` }],
    [
      'a worktree',
      {
        '.git': 'gitdir: elsewhere/worktrees/w\n',
        'elsewhere/worktrees/w/HEAD': 'ref: refs/heads/b\n',
        'elsewhere/worktrees/w/commondir': '../..\n',
        'elsewhere/refs/heads/b': COMMIT,
      },
    ],
  ])('is read on %s', async (_, files) => expect(commitOfCheckout(await checkout(files))).toBe(COMMIT));

  test.each<[string, Record<string, string>]>([
    ['is no checkout', {}],
    ['has no commit yet', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['is damaged', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': 'half' }],
  ])('is unknown where the folder %s', async (_, files) =>
    expect(commitOfCheckout(await checkout(files))).toBeUndefined(),
  );

  test('is what git says', () => {
    const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
    expect(commitOfCheckout(ROOT)).toBe(git.status === 0 ? git.stdout.trim() : undefined);
  });
});

describe('the build', () => {
  test('is told by one line, with the versions of package and contract', () => {
    const { info } = JSON.parse(readFileSync(path.join(ROOT, 'generated/openapi.json'), 'utf8')) as {
      info: { version: string };
    };
    expect(contractVersion()).toBe(info.version);
    const { commit } = buildOf();
    expect(versionLine()).toBe(
      `${VERSION} (${commit === undefined ? '' : `commit ${commit}, `}contract ${info.version}, Node.js ${process.versions.node})`,
    );
  });

  test('is a metric that is always 1, beside how often an idle chain makes a block', async () => {
    const registry = new Registry();
    registerBuildInfo(registry, { engine: 'embedded', idleBlockIntervalS: 60 });
    const text = await registry.metrics();
    expect(text).toContain(
      `txledger_build_info{version="${VERSION}",commit="${buildOf().commit ?? 'unknown'}",contract="${contractVersion()}",node="${process.versions.node}",engine="embedded"} 1\n`,
    );
    expect(text).toContain('txledger_idle_block_interval_seconds 60\n');
  });
});
