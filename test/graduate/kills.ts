/** `txledger graduate` killed at every state that can be seen from outside, and at moments drawn by chance: one chain, never two. */
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ClassicLevel } from 'classic-level';
import { ROOT } from '../../scripts/steps.ts';
import { environment, txledger } from '../e2e/support/server.ts';
import { ended } from '../support/child-process.ts';

export interface Folders {
  dataDir: string;
  home: string;
}

/** What there is to see of a run, in the order in which it comes. */
const STATES: readonly (readonly [name: string, file: (folders: Folders) => string])[] = [
  ['the first folder', ({ home }) => path.join(home, 'graduating')],
  ['the first database', ({ home }) => path.join(home, 'graduating/data/blockstore.db/CURRENT')],
  ['the sign state', ({ home }) => path.join(home, 'graduating/data/priv_validator_state.json')],
  ['the settings', ({ home }) => path.join(home, 'graduating/config/config.toml')],
  ["the application's folder", ({ home }) => path.join(home, 'app/app.db')],
  ['the seal', ({ dataDir }) => path.join(dataDir, 'graduated.json')],
  ['the blocks in their place', ({ home }) => path.join(home, 'data/blockstore.db')],
  ['the key in its place', ({ home }) => path.join(home, 'config/priv_validator_key.json')],
];
const LATE_MS_MAX = 40;

export const keyOf = ({ home }: Folders): string => path.join(home, 'config/priv_validator_key.json');
export const sealOf = ({ dataDir }: Folders): string => path.join(dataDir, 'graduated.json');

/** Everything that a node is started with, but the key of its peer-to-peer address, which is drawn by chance. */
export async function fingerprint(home: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['blockstore.db', 'state.db']) {
    const database = new ClassicLevel<Uint8Array, Uint8Array>(path.join(home, 'data', name), {
      keyEncoding: 'view',
      valueEncoding: 'view',
      createIfMissing: false,
    });
    for await (const [key, value] of database.iterator()) hash.update(key).update('\0').update(value).update('\0');
    await database.close();
  }
  for (const file of [
    'data/cs.wal/wal',
    'data/priv_validator_state.json',
    'config/genesis.json',
    'config/priv_validator_key.json',
  ])
    hash.update(readFileSync(path.join(home, file)));
  return hash.digest('hex');
}

const graduateArgs = ({ dataDir, home }: Folders): string[] => ['graduate', '--data-dir', dataDir, '--home', home];

/** Kills one run as soon as a state is there, and some time later at most. @returns whether the run was still at work. */
async function killAt(folders: Folders, file: string, lateMs: number): Promise<boolean> {
  const child = spawn(process.execPath, ['server/cli/txledger.ts', ...graduateArgs(folders)], {
    cwd: ROOT,
    env: environment({}),
    stdio: 'ignore',
  });
  const end = ended(child);
  // No pause: some states last less than a millisecond.
  while (!existsSync(file) && child.exitCode === null) await turn();
  const killMs = performance.now() + lateMs;
  while (performance.now() < killMs) await turn();
  const wasAtWork = child.exitCode === null;
  child.kill('SIGKILL');
  await end;
  return wasAtWork;
}

/** @returns what was wrong. */
export async function killRuns(options: {
  count: number;
  random: () => number;
  folders: (index: number) => Folders;
  expected: string;
  tell: (line: string) => void;
}): Promise<string[]> {
  const faults: string[] = [];
  let atWork = 0;
  let unsealed = 0;
  for (let index = 0; index < options.count; index += 1) {
    const folders = options.folders(index);
    // Every state once, then again with a delay; and now and then a second time in the same folder.
    const [name, file] = STATES[index % STATES.length] as (typeof STATES)[number];
    for (let kill = 0; kill <= Math.floor(options.random() * 2); kill += 1) {
      if (
        await killAt(folders, file(folders), kill === 0 && index < STATES.length ? 0 : options.random() * LATE_MS_MAX)
      )
        atWork += 1;
      if (!existsSync(sealOf(folders))) {
        unsealed += 1;
        if (existsSync(keyOf(folders)))
          faults.push(`killed at ${name}: the home has the key, and the data folder is not sealed: both could sign`);
      } else {
        const { code, stderr } = await txledger(['start'], { DATA_DIR: folders.dataDir });
        if (code !== 2 || !stderr.includes('goes on in the CometBFT home'))
          faults.push(`killed at ${name}: start in the sealed folder ended with ${code}: ${stderr}`);
      }
    }
    const { code, stderr } = await txledger(graduateArgs(folders));
    if (code !== 0) faults.push(`killed at ${name}: the next run ended with ${code}: ${stderr}`);
    else if ((await fingerprint(folders.home)) !== options.expected)
      faults.push(`killed at ${name}: the next run ended in another home`);
    else if (readdirSync(folders.home).includes('graduating'))
      faults.push(`killed at ${name}: the next run left its folder behind`);
  }
  options.tell(
    `${options.count} runs killed, ${atWork} times at work, ${unsealed} times before the seal: each was carried on to the same home`,
  );
  return faults;
}
