import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { COMPILE_CACHE_FOLDER, NOT_CACHED } from '../../server/app/compile-cache.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { freePort, READY_MS_MAX, Server } from './support/server.ts';

const TEST_MS_MAX = 4 * READY_MS_MAX;
const POLL_MS = 50;
/** A server loads about a thousand modules. Once so many are kept it is killed, perhaps in the middle of keeping the rest. */
const KEPT_MIN = 800;
/** Some that are compiled anew are no sign of a folder that is not used. */
const FOUND_MIN = 500;
/** Node.js counts also what one thread reads of what another has just written. */
const MODULES_STRAY_MAX = 100;

/** What Node.js compiled is kept in DATA_DIR, and a start needs none of it. */

let dataDir: string;
let folder: string;
let server: Server;

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
/** Modules whose code was taken from the folder, as Node.js itself tells it. */
const accepted = (): number => server.output.match(/V8 code cache for .* was accepted/g)?.length ?? 0;

beforeAll(async () => {
  dataDir = path.join(await temporaryFolder('e2e'), 'data');
  folder = path.join(dataDir, COMPILE_CACHE_FOLDER);
  server = new Server({
    dataDir,
    port: await freePort(),
    variables: { NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  });
});
afterEach(() => server.stop('SIGKILL'));
afterAll(removeTemporaryFolders);

describe('a start of a server', () => {
  test(
    'keeps what was compiled, for its owner only, though it is killed',
    async () => {
      await server.start();
      expect(accepted()).toBeLessThan(MODULES_STRAY_MAX);
      for (const endMs = Date.now() + READY_MS_MAX; files().length < KEPT_MIN && Date.now() < endMs;)
        await sleep(POLL_MS);
      expect(files().length).toBeGreaterThanOrEqual(KEPT_MIN);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    },
    TEST_MS_MAX,
  );

  test(
    'finds it after that, in every thread',
    async () => {
      await server.start();
      expect(accepted()).toBeGreaterThanOrEqual(FOUND_MIN);
    },
    TEST_MS_MAX,
  );

  test(
    'does without when it is destroyed',
    async () => {
      for (const file of files()) writeFileSync(file, 'destroyed');
      await server.start();
      expect(accepted()).toBeLessThan(MODULES_STRAY_MAX);
    },
    TEST_MS_MAX,
  );

  test(
    'does without, and says so, when others could have written it',
    async () => {
      chmodSync(folder, 0o770);
      await server.start();
      expect(accepted()).toBeLessThan(MODULES_STRAY_MAX);
      expect(server.output).toContain(NOT_CACHED);
    },
    TEST_MS_MAX,
  );

  test(
    'does without, and says so, when there cannot be such a folder',
    async () => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
      await server.start();
      expect(server.output).toContain(NOT_CACHED);
    },
    TEST_MS_MAX,
  );
});
