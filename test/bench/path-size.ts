/**
 * How much code a transfer passes through: sends some to a server that is warm, and counts the modules and lines that run meanwhile in each
 * thread, ours and those of packages. Blocks and what settles them are part of it, and whatever a server does beside.
 *
 *   node test/bench/path-size.ts [--checkout DIR] [--requests 500]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { closedLoop } from './load/closed-loop.ts';
import { BEGIN, BEGUN, COVERAGE_FOLDER, END, LOADED, TAKEN, type ThreadCoverage } from './measure/coverage-probe.ts';
import { LedgerSession } from './sides/session.ts';
import { signedTransfers } from './transfers/signed.ts';

const { values } = parseArgs({
  options: { checkout: { type: 'string', default: ROOT }, requests: { type: 'string', default: '500' } },
});
const checkout = path.resolve(values.checkout);
const requests = Number(values.requests);
const WARM_UP = 2000;
const CONNECTIONS = 8;
const WAIT_MS_MAX = 10_000;
const POLL_MS = 50;

interface Size {
  modules: Set<string>;
  /** `file:line`. */
  lines: Set<string>;
}

const sizes = (): Record<'ours' | 'packages', Size> => ({
  ours: { modules: new Set(), lines: new Set() },
  packages: { modules: new Set(), lines: new Set() },
});

/** Lines of a file of which something ran. A range inside another says better what happened there. */
function linesRun(source: string, functions: ThreadCoverage['scripts'][number]['functions']): number[] {
  const ran = new Uint8Array(source.length);
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const lines: number[] = [];
  let start = 0;
  for (const [at, text] of source.split('\n').entries()) {
    if (
      /[A-Za-z0-9]/.test(text) &&
      ran.subarray(start, start + text.length).some((flag, i) => flag === 1 && /[A-Za-z0-9]/.test(text[i]!))
    )
      lines.push(at);
    start += text.length + 1;
  }
  return lines;
}

function add(to: ReturnType<typeof sizes>, { scripts }: ThreadCoverage): void {
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue;
    const file = fileURLToPath(url);
    const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
    // Also what the probe itself runs, and benchmarks.
    if (ran.length === 0 || file.includes(`${path.sep}test${path.sep}bench${path.sep}`)) continue;
    const size = file.includes('node_modules') ? to.packages : to.ours;
    size.modules.add(file);
    for (const line of linesRun(readFileSync(file, 'utf8'), functions)) size.lines.add(`${file}:${line}`);
  }
}

function print(what: string, { ours, packages }: ReturnType<typeof sizes>): void {
  console.log(
    `${what.padEnd(12)} ${ours.modules.size + packages.modules.size} modules, ${ours.lines.size + packages.lines.size} lines: ours ${ours.modules.size} and ${ours.lines.size}, of packages ${packages.modules.size} and ${packages.lines.size}`,
  );
}

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-path-'));
const known = await signedTransfers('known', WARM_UP + requests, () => undefined);
const fresh = await signedTransfers('fresh', 0, () => undefined);
const session = await LedgerSession.start(
  'this',
  checkout,
  { known, fresh },
  {
    NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'measure', 'coverage-probe.ts')}`,
    [COVERAGE_FOLDER]: folder,
  },
);

async function send(count: number): Promise<void> {
  const { work, repair } = session.posts('known', count, CONNECTIONS);
  await repair(await closedLoop(work));
  await session.server.settled();
}

const named = (end: string): string[] => readdirSync(folder).filter((name) => name.endsWith(end));

async function until(isThere: () => boolean, what: string): Promise<void> {
  for (let waitedMs = 0; !isThere(); waitedMs += POLL_MS) {
    if (waitedMs > WAIT_MS_MAX) throw new Error(`waited ${WAIT_MS_MAX} ms for ${what}`);
    await sleep(POLL_MS);
  }
}

try {
  await send(WARM_UP);
  writeFileSync(path.join(folder, BEGIN), '');
  await until(() => named(BEGUN).length === named(LOADED).length, 'all threads to begin');
  await send(requests);
  writeFileSync(path.join(folder, END), '');
  await until(() => named(TAKEN).length === named(LOADED).length, 'what all threads ran');
  const all = sizes();
  for (const name of named(TAKEN)) {
    const coverage = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as ThreadCoverage;
    const own = sizes();
    add(own, coverage);
    add(all, coverage);
    print(coverage.thread, own);
  }
  print('all', all);
} finally {
  await session.server.remove();
  rmSync(folder, { recursive: true, force: true });
}
