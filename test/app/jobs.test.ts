/** The threads that only work have one entry, which loads the job that it is asked for and nothing of the others. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const run = promisify(execFile);
const THREADS = path.join(ROOT, 'server/app/threads');

afterAll(removeTemporaryFolders);

/** Starts a thread in a process of its own and says whether that has SQLite's library after the thread's first event. */
async function loadsSqlite(job: string, data: string, event: 'message' | 'error'): Promise<boolean> {
  const program = path.join(await temporaryFolder(), 'start.mjs');
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs';
     import { startJob } from '${path.join(THREADS, 'start-job.ts')}';
     const worker = startJob('${job}', ${data}, {});
     await new Promise((resolve) => worker.once('${event}', resolve));
     console.log(readFileSync('/proc/self/maps', 'utf8').includes('/better-sqlite3/prebuilds/'));
     await worker.terminate();`,
  );
  const { stdout } = await run(process.execPath, [program]);
  return stdout.trim() === 'true';
}

test('threads have an entry for each kind, and a gateway before nodes has two of its own', () => {
  const entries = readdirSync(THREADS).filter((file) => file.endsWith('.worker.ts'));
  expect(entries.toSorted()).toEqual([
    'engine.worker.ts',
    'gateway.worker.ts',
    'http.worker.ts',
    'job.worker.ts',
    'ledger.worker.ts',
  ]);
});

test('a verifier does not load SQLite, and a thread that has a database does', async () => {
  expect(await loadsSqlite('verifier', 'undefined', 'message')).toBe(false);
  const none = path.join(await temporaryFolder(), 'none.db');
  expect(await loadsSqlite('checkpoint', JSON.stringify({ file: none }), 'error')).toBe(true);
});
