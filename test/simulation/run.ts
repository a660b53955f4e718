/**
 * Random lives of one process, each by its seed: `node test/simulation/run.ts --seeds 2000 [--from N|commit] [--seed N] [--seconds N] [--threads N]`.
 *
 * `--seed N` runs one life and prints each step. `--planted` exchanges a function of the product for a wrong one, each in its turn, and prints which
 * lives saw it. Exit code 1: a fault was seen, or lives did not come to what they have to.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Coverage } from './coverage.ts';
import { type LifeResult, runLife, STEPS, stoodStill } from './life.ts';
import { PLANTED } from './planted.ts';
import { rememberSignatures } from './prepared.ts';

/** From so many lives on they have to meet everything together. */
const LIVES_FOR_EVERYTHING = 500;
const PLANTED_LIVES = 40;
const PROGRESS_MS = 2000;
const SEED_MAX = 2 ** 31;

interface Share {
  from: number;
  by: number;
  seeds: number;
  endMs: number;
  steps: number;
}

/** What one thread reports now and then, and at its end. */
interface Report {
  lives: number;
  steps: number;
  processorMs: number;
  faults: { seed: number; says: string }[];
  isDone: boolean;
  seen: [string, number][];
  states: [string, number][];
  edges: [string, number][];
}

const faultOf = (result: LifeResult): string | undefined => {
  if (result.fault !== undefined) return result.fault.stack ?? result.fault.message;
  const still = stoodStill(result);
  return still && `the life stands still: ${still}`;
};

const processorMsNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function runShare({ from, by, seeds, endMs, steps }: Share, report: (report: Report) => void): Promise<void> {
  const coverage = new Coverage();
  const made: Report = {
    lives: 0,
    steps: 0,
    processorMs: 0,
    faults: [],
    isDone: false,
    seen: [],
    states: [],
    edges: [],
  };
  let reportedMs = Date.now();
  for (let index = 0; index < seeds && Date.now() < endMs; index += 1) {
    const seed = from + index * by;
    const result = await runLife({ seed, coverage, steps });
    const says = faultOf(result);
    if (says !== undefined) made.faults.push({ seed, says });
    made.lives += 1;
    made.steps += result.steps;
    if (Date.now() - reportedMs < PROGRESS_MS) continue;
    reportedMs = Date.now();
    report(made);
    // The event loop has to go around, for whoever waits for the report.
    await new Promise(setImmediate);
  }
  report({
    ...made,
    isDone: true,
    seen: [...coverage.seen],
    states: [...coverage.states],
    edges: [...coverage.edges],
  });
}

function inThread(share: Share, report: (report: Report) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: share });
  worker.on('message', report);
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}

function fromCommit(): number {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return Number.parseInt(commit.slice(0, 8), 16) % SEED_MAX;
}

async function oneLife(seed: number, steps: number): Promise<boolean> {
  const result = await runLife({ seed, steps, coverage: new Coverage(), onTrace: (line) => console.log(line) });
  const says = faultOf(result);
  const { traceHash, promises, blocks, deaths } = result;
  console.log(`seed ${seed}: ${promises} promises, ${blocks} blocks, ${deaths} deaths, trace ${traceHash}`);
  if (says !== undefined) console.log(says);
  return says === undefined;
}

async function planted(from: number, lives: number, steps: number): Promise<boolean> {
  console.log(`| planted | seen by, of ${lives} lives | first | by what |\n|---|---|---|---|`);
  let survivors = 0;
  for (const [name, plant] of Object.entries(PLANTED)) {
    const undo = plant();
    const seen: { seed: number; says: string }[] = [];
    for (let seed = from; seed < from + lives; seed += 1) {
      const { fault } = await runLife({ seed, steps, coverage: new Coverage() });
      if (fault !== undefined) seen.push({ seed, says: fault.message.split('\n')[0] as string });
    }
    undo();
    if (seen.length === 0) survivors += 1;
    const [first] = seen;
    const says = first?.says
      .replaceAll(/[0-9A-F]{64}/g, '...')
      .replaceAll(/txlt\w+/g, '...')
      .slice(0, 120);
    console.log(
      `| ${name} | ${seen.length} | ${first === undefined ? '-' : first.seed - from + 1} | ${says ?? 'nothing'} |`,
    );
  }
  return survivors === 0;
}

async function manyLives(options: {
  from: number;
  seeds: number;
  seconds: number;
  threads: number;
  steps: number;
}): Promise<boolean> {
  const { from, seeds, seconds, threads, steps } = options;
  const beganMs = Date.now();
  const processorMs = processorMsNow();
  const reports = new Map<number, Report>();
  const shown = new Map<number, number>();
  const sum = (of: (report: Report) => number): number => [...reports.values()].reduce((all, one) => all + of(one), 0);
  let toldMs = beganMs;
  const told = (thread: number) => (report: Report) => {
    for (const { seed, says } of report.faults.slice(shown.get(thread) ?? 0))
      console.log(`seed ${seed}: ${says}\n  again: node test/simulation/run.ts --seed ${seed} --steps ${steps}`);
    shown.set(thread, report.faults.length);
    reports.set(thread, report);
    if (Date.now() - toldMs < PROGRESS_MS) return;
    toldMs = Date.now();
    const lives = sum((one) => one.lives);
    const rate = ((lives * 1000) / (Date.now() - beganMs)).toFixed(1);
    process.stderr.write(`  ${lives} of ${seeds} lives, ${rate} a second, ${sum((one) => one.faults.length)} faults\n`);
  };
  const endMs = beganMs + seconds * 1000;
  await Promise.all(
    Array.from({ length: threads }, (_, thread) => {
      const share = { from: from + thread, by: threads, seeds: Math.ceil((seeds - thread) / threads), endMs, steps };
      return threads === 1 ? runShare(share, told(thread)) : inThread(share, told(thread));
    }),
  );
  const coverage = new Coverage();
  for (const { seen, states, edges } of reports.values()) {
    for (const [what, count] of seen) coverage.count(what, count);
    for (const [map, counts] of [
      [coverage.states, states],
      [coverage.edges, edges],
    ] as const)
      for (const [what, count] of counts) map.set(what, (map.get(what) ?? 0) + count);
  }
  const lives = sum((one) => one.lives);
  const wallS = (Date.now() - beganMs) / 1000;
  const usedS = (processorMsNow() - processorMs) / 1000;
  const faults = sum((one) => one.faults.length);
  for (const [what, count] of [...coverage.seen].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(count).padStart(10)}  ${what}`);
  console.log(
    `${lives} lives from seed ${from} on, ${sum((one) => one.steps)} steps, ${coverage.states.size} states, ${coverage.edges.size} edges; ` +
      `${(lives / wallS).toFixed(1)} lives a second, ${(lives / usedS).toFixed(1)} a second of processor time; ${faults} faults`,
  );
  const missing = lives >= LIVES_FOR_EVERYTHING ? coverage.missing() : [];
  if (missing.length > 0) console.log(`these lives never met: ${missing.join(', ')}`);
  return faults === 0 && missing.length === 0 && lives > 0;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '200' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      seconds: { type: 'string', default: '86400' },
      threads: { type: 'string', default: '1' },
      steps: { type: 'string', default: String(STEPS) },
      planted: { type: 'boolean', default: false },
    },
  });
  const from = values.from === 'commit' ? fromCommit() : Number(values.from);
  const steps = Number(values.steps);
  if (values.seed !== undefined) return await oneLife(Number(values.seed), steps);
  if (values.planted) return await planted(from, PLANTED_LIVES, steps);
  return await manyLives({
    from,
    seeds: Number(values.seeds),
    seconds: Number(values.seconds),
    threads: Number(values.threads),
    steps,
  });
}

rememberSignatures();
if (isMainThread) {
  if (!(await main())) process.exitCode = 1;
} else {
  // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
  await runShare(workerData as Share, (report) => parentPort?.postMessage(report));
}
