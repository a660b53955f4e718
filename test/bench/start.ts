/**
 * What a start costs: processor time and wall time from the start of the process until /readyz says 200, after a kill.
 *
 *   node test/bench/start.ts [--rounds 5] [--against CHECKOUT]
 *
 * In turns: with what Node.js compiled at earlier starts, without it, and, if one is named, another checkout of this
 * program (with its dependencies installed). Each side keeps a data folder of its own, whose first start is not counted.
 * Processor time is that of all threads; wall time says little on a machine that does other things.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { call, environment, freePort, READY_MS_MAX } from '../e2e/support/server.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } } });
const POLL_MS = 20;
/** What was compiled is written two seconds after the start, for the next one. */
const SETTLE_MS = 4_000;
const MS_PER_TICK = 10;
const UTIME = 11;

interface Side {
  name: string;
  checkout: string;
  variables: Record<string, string>;
  cpuMs: number[];
  wallMs: number[];
}

const side = (name: string, checkout: string, variables: Record<string, string> = {}): Side => ({ name, checkout, variables, cpuMs: [], wallMs: [] });

/** User and system time of all threads of a process. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[UTIME + 1])) * MS_PER_TICK;
}

async function ready(child: ChildProcess, port: number): Promise<void> {
  for (const endMs = performance.now() + READY_MS_MAX; performance.now() < endMs; await sleep(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (await call(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status === 200, () => false)) return;
  }
  throw new Error(`the server was not ready within ${READY_MS_MAX} ms`);
}

async function start({ checkout, variables }: Side, dataDir: string): Promise<{ cpuMs: number; wallMs: number }> {
  const port = await freePort();
  const startedMs = performance.now();
  const env = environment({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...variables });
  const child = spawn(process.execPath, ['server/cli/txledger.ts', 'start'], { cwd: checkout, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await ready(child, port);
    const taken = { cpuMs: cpuMs(child.pid ?? 0), wallMs: performance.now() - startedMs };
    await sleep(SETTLE_MS);
    return taken;
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

function told(samples: readonly number[]): string {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN);
  return `min ${at(0)}, median ${at(0.5)}, max ${at(1)} ms`;
}

const sides = [
  side('kept', ROOT),
  side('compiled anew', ROOT, { NODE_DISABLE_COMPILE_CACHE: '1' }),
  ...(values.against === undefined ? [] : [side('other checkout', path.resolve(values.against))]),
];
const folder = mkdtempSync(path.join(tmpdir(), 'bench-start-'));
try {
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const each of sides) {
      const taken = await start(each, path.join(folder, each.name.replaceAll(' ', '-')));
      if (round === 0) continue;
      each.cpuMs.push(taken.cpuMs);
      each.wallMs.push(taken.wallMs);
    }
  }
  for (const { name, cpuMs: cpu, wallMs } of sides) console.log(`${name}: processor ${told(cpu)}; wall ${told(wallMs)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
