/**
 * Loaded into every thread of a measured server (`node --import`): which pieces of which modules run between the moments at which the files
 * BEGIN and END appear in its folder. Says when it is loaded and when it has begun, and writes what ran, each in a file named by the thread.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import path from 'node:path';
import { isMainThread, threadId, threadName } from 'node:worker_threads';

export const COVERAGE_FOLDER = 'BENCH_COVERAGE_FOLDER';
export const BEGIN = 'begin';
export const END = 'end';
/** What the names of its files end with. */
export const LOADED = '.loaded';
export const BEGUN = '.begun';
export const TAKEN = '.json';

/** What a thread ran. */
export interface ThreadCoverage {
  thread: string;
  scripts: Profiler.ScriptCoverage[];
}

const POLL_MS = 50;
const folder = process.env[COVERAGE_FOLDER];

if (folder !== undefined) {
  const session = new Session();
  session.connect();
  writeFileSync(path.join(folder, `${threadId}${LOADED}`), '');
  let counts = false;
  const timer = setInterval(() => {
    if (!counts && existsSync(path.join(folder, BEGIN))) {
      counts = true;
      session.post('Profiler.enable');
      session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
      // What ran before has counts too: they are taken, and begin again at 0.
      session.post('Profiler.takePreciseCoverage');
      writeFileSync(path.join(folder, `${threadId}${BEGUN}`), '');
    }
    if (counts && existsSync(path.join(folder, END))) {
      clearInterval(timer);
      session.post('Profiler.takePreciseCoverage', (error, taken) => {
        if (error !== null) throw error;
        const coverage: ThreadCoverage = {
          thread: isMainThread ? 'main' : threadName?.replace('txledger-', '') || `thread ${threadId}`,
          scripts: taken.result,
        };
        const file = path.join(folder, `${threadId}${TAKEN}`);
        writeFileSync(`${file}.tmp`, JSON.stringify(coverage));
        renameSync(`${file}.tmp`, file);
      });
    }
  }, POLL_MS);
  timer.unref();
}
