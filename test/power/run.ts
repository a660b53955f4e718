/**
 * What a power cut, a kill and a thread that reads may do to a real server: nothing that it has told a client is ever lost, said otherwise, or not seen.
 *
 *   node test/power/run.ts [--only log,lives,power,commands,freshness] [--lives 3] [--states 60] [--log-states 400] [--seed 7] [--rounds 400] [--from FOLDER] [--disks 3,17] [--tree FOLDER] [--first]
 *
 * log        log.db alone: entries that were appended are there after a power cut, as they were written
 * lives      a server with three HTTP threads is killed in the middle of batches of 1,000, again and again; its writes, syncs and answers are recorded
 * power      from these recordings disks are made as power cuts leave them, and a server is started on each
 * commands   a command of `txledger` that has ended has left what it said, whatever happens to the power then
 * freshness  every HTTP thread shows what was acknowledged before it was asked, while it reads and the ledger commits
 *
 * The tools know files, syncs, processes and HTTP, and nothing of how a server stores: recorder.c (an LD_PRELOAD library, built with `cc`), disk.ts,
 * claims.ts, judge.ts. test/power/planted.ts shows which faults they see. With --from the recordings of an earlier run are cut, which is how the disk
 * of a fault is made again; a run that found one keeps its folder and says where, and --disks judges those of its numbers alone (with the same --states and --seed). --tree is another checkout whose server is taken; with --first the first fault ends the cuts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { chance } from '../client/chaos/chance.ts';
import { runCommands } from './commands.ts';
import { readBeside } from './freshness.ts';
import { liveAndDie } from './lives.ts';
import { cutTheLog } from './log-cuts.ts';
import { cutThePower } from './power.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'log,lives,power,commands,freshness' },
    lives: { type: 'string', default: '3' },
    states: { type: 'string', default: '60' },
    'log-states': { type: 'string', default: '400' },
    seed: { type: 'string', default: '7' },
    rounds: { type: 'string', default: '400' },
    from: { type: 'string' },
    disks: { type: 'string' },
    tree: { type: 'string', default: ROOT },
    first: { type: 'boolean', default: false },
  },
});
const parts = values.only.split(',');
const seed = Number(values.seed);
const program = { file: 'server/cli/txledger.ts', cwd: values.tree };
const startedMs = performance.now();
const tell = (line: string): void => console.log(`${line} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);

const folder = values.from ?? mkdtempSync(path.join(tmpdir(), 'txledger-power-'));
const faults: string[] = [];
const add = (found: readonly string[]): void => {
  for (const fault of found) tell(`FAULT: ${fault}`);
  faults.push(...found);
};
console.log(`seed ${seed}`);
if (parts.includes('log'))
  add(
    await cutTheLog({
      folder,
      states: Number(values['log-states']),
      seed,
      tree: values.tree,
      isFirstEnough: values.first,
      tell,
    }),
  );
if (parts.includes('lives') && values.from === undefined)
  add(await liveAndDie({ folder, lives: Number(values.lives), random: chance(seed), program, tell }));
if (parts.includes('power'))
  add(
    await cutThePower({
      folder,
      states: Number(values.states),
      numbers: values.disks?.split(',').map(Number),
      seed,
      program,
      isFirstEnough: values.first,
      tell,
    }),
  );
if (parts.includes('commands')) add(await runCommands({ folder, program, tell }));
if (parts.includes('freshness'))
  add(await readBeside({ rounds: Number(values.rounds), random: chance(seed), program, tell }));

if (faults.length === 0) {
  if (values.from === undefined) rmSync(folder, { recursive: true });
  tell('no fault');
} else {
  tell(
    `${faults.length} faults; the recordings and the disks with a fault are in ${folder}: --from ${folder} --only power`,
  );
  process.exitCode = 1;
}
