import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { boundCompileCache, COMPILE_CACHE_FOLDER } from '../../server/app/compile-cache.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const NOBODY = 65_534;
const FILES_MAX = 5_000;
const isRoot = process.geteuid?.() === 0;

interface Use {
  /** What was said against the folder; null when nothing was. */
  reason: string | null;
  /** The folder that Node.js uses, in the main thread and in another one. */
  main: string | null;
  thread: string | null;
}

/** In a process of its own, because what is enabled once in a process stays enabled. */
function used(
  call: 'useCompileCache' | 'makeCompileCache',
  dataDir: string,
  variables: Record<string, string> = {},
): Use {
  const { NODE_COMPILE_CACHE: _folder, NODE_DISABLE_COMPILE_CACHE: _against, ...inherited } = process.env;
  const source = `
    import { getCompileCacheDir } from 'node:module';
    import { Worker } from 'node:worker_threads';
    import { ${call} } from './server/app/compile-cache.ts';
    const reason = ${call}(${JSON.stringify(dataDir)}) ?? null;
    const inThread = "import { getCompileCacheDir } from 'node:module'; import { parentPort } from 'node:worker_threads'; parentPort.postMessage(getCompileCacheDir() ?? null)";
    new Worker(new URL('data:text/javascript,' + encodeURIComponent(inThread))).once('message', (thread) => console.log(JSON.stringify({ reason, main: getCompileCacheDir() ?? null, thread })));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...inherited, ...variables },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Use;
}

const made = async (mode = 0o700): Promise<{ dataDir: string; folder: string }> => {
  const dataDir = await temporaryFolder();
  const folder = path.join(dataDir, COMPILE_CACHE_FOLDER);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return { dataDir, folder };
};

afterAll(removeTemporaryFolders);

describe('the folder of what Node.js compiled', () => {
  test('is made for its owner only, whatever the umask, and used by every thread', async () => {
    const dataDir = await temporaryFolder();
    const { reason, main, thread } = used('makeCompileCache', dataDir);
    const folder = path.join(dataDir, COMPILE_CACHE_FOLDER);
    expect(reason).toBeNull();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(path.dirname(main ?? '')).toBe(folder);
    expect(thread).toBe(main);
  });

  test('is used when it is there, and not made before DATA_DIR is known to be ours', async () => {
    const { dataDir, folder } = await made();
    expect(path.dirname(used('useCompileCache', dataDir).main ?? '')).toBe(folder);
    const other = await temporaryFolder();
    expect(used('useCompileCache', other)).toMatchObject({ main: null, thread: null });
    expect(readdirSync(other)).toEqual([]);
  });

  test.each([0o770, 0o707, 0o750, 0o701])('is not read with mode %o, which gives others access', async (mode) => {
    const { dataDir, folder } = await made(mode);
    for (const call of ['useCompileCache', 'makeCompileCache'] as const) {
      expect(used(call, dataDir)).toEqual({
        reason: `${folder}: others than its owner have access to it`,
        main: null,
        thread: null,
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is not read through a symbolic link, nor when a file is in its place', async () => {
    const [linked, blocked] = [await temporaryFolder(), await temporaryFolder()];
    symlinkSync(await temporaryFolder(), path.join(linked, COMPILE_CACHE_FOLDER));
    writeFileSync(path.join(blocked, COMPILE_CACHE_FOLDER), '');
    expect(used('makeCompileCache', linked)).toMatchObject({
      reason: expect.stringContaining('it is no folder'),
      main: null,
    });
    expect(used('makeCompileCache', blocked)).toMatchObject({ reason: expect.stringContaining('EEXIST'), main: null });
  });

  (isRoot ? test : test.skip)(
    'is not read when it belongs to another user (only root can give a folder away)',
    async () => {
      const { dataDir, folder } = await made();
      chownSync(folder, NOBODY, NOBODY);
      expect(used('makeCompileCache', dataDir)).toEqual({
        reason: `${folder}: it belongs to another user`,
        main: null,
        thread: null,
      });
    },
  );

  test('gives way to the NODE_COMPILE_CACHE and the NODE_DISABLE_COMPILE_CACHE of the operator', async () => {
    const [dataDir, his] = [await temporaryFolder(), await temporaryFolder()];
    const own = used('makeCompileCache', dataDir, { NODE_COMPILE_CACHE: his });
    expect([own.reason, path.dirname(own.main ?? ''), path.dirname(own.thread ?? '')]).toEqual([null, his, his]);
    expect(used('makeCompileCache', dataDir, { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual({
      reason: null,
      main: null,
      thread: null,
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('begins anew when too much has gathered in it, and not before', async () => {
    const { dataDir, folder } = await made();
    const version = path.join(folder, 'v24');
    mkdirSync(version);
    // The folder of the version is an entry too.
    for (let at = 1; at < FILES_MAX; at += 1) writeFileSync(path.join(version, String(at)), '');
    boundCompileCache(dataDir);
    expect(readdirSync(version)).toHaveLength(FILES_MAX - 1);
    writeFileSync(path.join(version, 'one more'), '');
    boundCompileCache(dataDir);
    expect([existsSync(folder), readdirSync(folder)]).toEqual([true, []]);
    expect(() => boundCompileCache(path.join(dataDir, 'none'))).not.toThrow();
  });
});
