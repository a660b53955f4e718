/**
 * The network of `npm run localnet`, put to the tests that a single machine cannot be put to.
 *
 *   node test/localnet/run.ts [--only job,kills,majority,mempool] [--kills 21] [--of app,node,gateway,postgres] [--rate 250] [--within 10] [--strict]
 *
 * `job`: the main job, every wrong input, CosmJS and the stock light client, through either gateway. `kills`: kill -9 of
 * applications, nodes, gateways and PostgreSQL under load; how many seconds a payment took to commit after each is
 * printed, and with `--strict` more than `--within` fails: for a machine that does nothing else. `majority`: two of four validators stand still. `mempool`:
 * nodes whose mempools are too small for the load. It needs what `npm run localnet` needs, and ends all it started.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { closeConnections } from './ask.ts';
import { killEverything, KINDS, loseTheMajority, overfill, type Report } from './phases.ts';
import { COMETBFT, freePorts, Localnet } from './localnet.ts';

const MEMPOOL_SIZE = '100';
const OVERFILL_PAYMENTS = 2_000;
const MAJORITY_PAYMENTS = 400;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'job,kills,majority,mempool' },
    kills: { type: 'string', default: '21' },
    of: { type: 'string', default: KINDS.join(',') },
    rate: { type: 'string', default: '250' },
    within: { type: 'string', default: '10' },
    strict: { type: 'boolean', default: false },
  },
});
const phases = new Set(values.only.split(','));
const ratePerS = Number(values.rate);
const killing = {
  kills: Number(values.kills),
  ratePerS,
  kinds: KINDS.filter((kind) => values.of.split(',').includes(kind)),
  backMsMax: 1000 * Number(values.within),
  strict: values.strict,
};
const log = (line: string): void => console.log(`  ${line}`);

let passed = 0;
let failed = 0;
function tell(name: string, { faults, lines }: Report): void {
  for (const line of lines) console.log(line);
  for (const fault of faults.slice(0, 20)) console.error(`${name}: ${fault}`);
  if (faults.length > 20) console.error(`${name}: and ${faults.length - 20} more`);
  if (faults.length > 0) failed += 1;
  else passed += 1;
  console.log(`${name}: ${faults.length === 0 ? 'passed' : 'FAILED'}`);
}

/** The tests of one machine, unchanged, at one door of the network. */
async function jestThrough(net: Localnet, gateway: string): Promise<Report> {
  const files = [
    'test/localnet/main-job.test.ts',
    'test/e2e/wrong-input.test.ts',
    'test/e2e/cosmjs.test.ts',
    'test/e2e/light.test.ts',
  ];
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--runInBand',
      '--',
      ...files,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        COMETBFT,
        RUNNING_CHAIN: net.dataDir,
        RUNNING_CHAIN_URL: gateway,
        RUNNING_CHAIN_STORE: net.databaseUrl(),
      },
    },
  );
  const [code] = (await once(child, 'close')) as [number | null];
  return { faults: code === 0 ? [] : [`the tests through ${gateway} ended with ${code}`], lines: [] };
}

async function on(variables: Record<string, string>, work: (net: Localnet) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'localnet-'));
  const net = new Localnet({ dataDir: path.join(folder, 'data'), port: await freePorts(), variables });
  try {
    console.log(`the network was ready after ${await net.start()} s`);
    await work(net);
    const code = await net.stop('SIGINT');
    if (code !== 0) throw new Error(`the network ended with ${code} after Ctrl-C:\n${net.output}`);
  } finally {
    await net.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CosmJS can send no token over a websocket. */
const open = { RPC_ACCESS: 'open', LOG_LEVEL: 'warn', TXLEDGER_VALIDATE_RESPONSES: 'true' };
if (phases.has('job') || phases.has('kills') || phases.has('majority')) {
  await on(open, async (net) => {
    if (phases.has('job'))
      for (const gateway of net.state().gateways)
        tell(`main job and wrong inputs at ${gateway}`, await jestThrough(net, gateway));
    if (phases.has('kills')) tell('kills', await killEverything(net, { ...killing, log }));
    if (phases.has('majority'))
      tell('majority', await loseTheMajority(net, { payments: MAJORITY_PAYMENTS, ratePerS, log }));
  });
}
if (phases.has('mempool')) {
  await on({ ...open, TXLEDGER_LOCALNET_MEMPOOL_SIZE: MEMPOOL_SIZE }, async (net) =>
    tell('mempool', await overfill(net, { payments: OVERFILL_PAYMENTS })),
  );
}
closeConnections();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
