/**
 * What the operators of a network do to it, with real nodes and the product's own commands, under load.
 *
 *   node test/network/run.ts [--only upgrade,statesync,backup,recover,rotate,activation] [--keep]
 *
 * `upgrade`: gateway and applications replaced one by one by a version with a new rule, and its height named. `statesync`: a fifth validator from a
 * snapshot, and no power before it follows the chain. `backup`: a validator lost and restored, never signing twice. `rotate`: its power moved to a
 * node with another key, and removed by governors who sign elsewhere. `recover`: an application with a wrong rule, and its node brought back.
 * `activation`: the height of the new rule comes. `lines`, where it is named: every node moved to the programs that COMETBFT_LINES names, one after another. COMETBFT names the program; `--keep` leaves the folder with all logs.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Network } from './network.ts';
import { COMETBFT } from './pair.ts';
import { PHASES, PHASES_ON_DEMAND } from './phases.ts';

const ALL_PHASES = { ...PHASES, ...PHASES_ON_DEMAND };
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(PHASES).join(',') },
    keep: { type: 'boolean', default: false },
  },
});
if (!existsSync(COMETBFT)) throw new Error('COMETBFT must name the program cometbft v0.38.26');

const folder = mkdtempSync(path.join(tmpdir(), 'network-'));
const startedMs = performance.now();
const seconds = (): string => `${((performance.now() - startedMs) / 1000).toFixed(0)} s`;
let net: Network | undefined;
let passed = 0;
try {
  net = await Network.start(folder);
  console.log(`four validators and a gateway run (${seconds()})`);
  const payer = net.payer();
  payer.start();
  for (const name of values.only.split(',') as (keyof typeof ALL_PHASES)[]) {
    await ALL_PHASES[name](net, payer, (line) => console.log(`  ${line}`));
    passed += 1;
    console.log(`${name}: passed (${seconds()})`);
  }
  const states = await payer.stop();
  console.log(`payments: ${[...states].map(([state, count]) => `${count} ${state}`).join(', ')}`);
  const unsettled = [...states].filter(([state]) => state !== 'committed' && state !== 'failed');
  if (unsettled.length > 0) throw new Error('acknowledged payments are not settled');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await net?.dispose();
  if (values.keep) console.log(folder);
  else rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${process.exitCode === 1 ? 1 : 0} failed (${seconds()})`);
process.exit();
