/**
 * Lives of one chain, one after the other, each recorded: a server is started, clients send, and the server is killed in the middle of a batch or, in
 * the last life, ended. After each kill everything that any client was told is asked for.
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../client/chaos/chance.ts';
import { chainOf } from '../e2e/support/chain.ts';
import { freePort, type Program, Server } from '../e2e/support/server.ts';
import { startLoad } from './load.ts';
import { buildRecorder, recordedBy } from './recording.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';

const HTTP_THREADS = 3;
/** Of each who sends batches, in each life. */
const BATCHES = 2;
/** A kill comes so long after a batch began, so that it falls on reading, verifying, storing, answering or the block behind it. */
const KILL_AFTER_MS_MAX = 300;
/** Two clients begin theirs at once, so that one batch at least was answered. */
const BATCHES_BEFORE_KILL_MIN = 3;
const BATCHES_BEFORE_KILL_MAX = 4;
const POLL_MS = 1;
/** Far above what an end takes on a busy machine. */
const END_MS_MAX = 30_000;

export const SERVER_VARIABLES = {
  BLOCK_INTERVAL_MS: '100',
  LOG_LEVEL: 'warn',
  TXLEDGER_VALIDATE_RESPONSES: 'false',
};

export interface LivesOptions {
  /** Gets a folder for each life, with `base` and `log`. */
  folder: string;
  lives: number;
  random: Chance;
  program: Program;
  tell: (line: string) => void;
}

/** @returns what is wrong. */
export async function liveAndDie({ folder, lives, random, program, tell }: LivesOptions): Promise<string[]> {
  const dataDir = path.join(folder, 'data');
  const library = buildRecorder(folder);
  const acknowledged: string[] = [];
  const faults: string[] = [];
  mkdirSync(dataDir, { mode: 0o700 });
  for (let life = 1; life <= lives; life += 1) {
    const own = lifeFolder(folder, life);
    copyDataDir(dataDir, path.join(own, 'base'));
    const variables = {
      ...SERVER_VARIABLES,
      HTTP_THREADS: String(HTTP_THREADS),
      ...recordedBy(library, dataDir, path.join(own, 'log')),
    };
    const server = new Server({ dataDir, port: await freePort(), variables, program });
    await server.start();
    const chain = chainOf(server, await server.development());
    const lost = life === 1 ? [] : await missing(acknowledged, chain);
    if (lost.length > 0)
      faults.push(`${lost.length} of ${acknowledged.length} acknowledged transfers are gone after kill ${life - 1}`);

    const load = await startLoad(chain, BATCHES);
    const isLast = life === lives;
    if (!isLast) {
      const range = BATCHES_BEFORE_KILL_MAX - BATCHES_BEFORE_KILL_MIN + 1;
      const enough = BATCHES_BEFORE_KILL_MIN + Math.floor(random() * range);
      const state = { isOver: false };
      void load.done.finally(() => (state.isOver = true)).catch(() => undefined);
      while (load.batchesBegun() < enough && !state.isOver) await sleep(POLL_MS);
      await sleep(random() * KILL_AFTER_MS_MAX);
      await server.stop('SIGKILL');
    }
    await load.done;
    if (isLast && (await endInTime(server)) !== 0) faults.push(`the server did not end by itself:\n${server.output}`);
    acknowledged.push(...load.acknowledged);
    tell(
      `life ${life} of ${lives}: ${load.acknowledged.length} acknowledged, then ${isLast ? 'ended' : 'killed in a batch'}`,
    );
  }
  return faults;
}

/** @returns the exit code; null for a server that had to be killed. */
export async function endInTime(server: Server): Promise<number | null> {
  const kill = setTimeout(() => server.signal('SIGKILL'), END_MS_MAX);
  try {
    return await server.stop();
  } finally {
    clearTimeout(kill);
  }
}

export const lifeFolder = (folder: string, life: number): string => path.join(folder, `life-${life}`);

export function livesIn(folder: string): number {
  let lives = 0;
  while (existsSync(path.join(lifeFolder(folder, lives + 1), 'log'))) lives += 1;
  return lives;
}

/** Of these hashes those that the service does not list; a hash that it lists twice is given too. */
export async function missing(
  hashes: readonly string[],
  chain: Pick<ReturnType<typeof chainOf>, 'list'>,
): Promise<string[]> {
  const listed = (await chain.list()).map(({ txHash }) => txHash);
  const there = new Set(listed);
  const twice = listed.filter((hash, index) => listed.indexOf(hash) !== index && there.size < listed.length);
  return [...hashes.filter((hash) => !there.has(hash)), ...twice];
}
