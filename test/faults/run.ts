/**
 * Random faults on a whole network under load: four validators, two PostgreSQL servers, two gateways, and a relay before every port.
 *
 *   COMETBFT=... node test/faults/run.ts [--minutes 3] [--seed 1] [--only KIND,...] [--strict] [--keep]
 *
 * One fault after the other, drawn from the seed, each for a second to twenty. After each, a transfer is sent through each gateway and has to be committed; then the network has to
 * become whole. At the end every answer that a client was given is compared with the blocks (judge.ts). A promise that was broken is exit code 1. `--strict`: every kind comes at
 * least once, whatever the minutes, and service that takes more than 10 s to come back is a broken promise too: for a machine that does nothing else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { Random } from '../gateway/support/random.ts';
import { closeConnections } from '../localnet/ask.ts';
import { judge } from './judge.ts';
import { type Fault, KINDS } from './kinds.ts';
import { Load, type Sender } from './load.ts';
import { Network } from './network.ts';

const MS_PER_S = 1000;
const MS_PER_MINUTE = 60_000;
const FAULT_MS_MIN = 1000;
const FAULT_MS_MAX = 20_000;
/** Most faults are short, so that a run has many. */
const SHORTER = 3;
const PARTS_OF_ONE = 1_000_000;
const BACK_MS_MAX = 10_000;
/** On a machine that is shared everything may take longer; what takes this long does not come back. */
const BACK_MS_GIVE_UP = 120_000;
const WHOLE_MS_MAX = 180_000;
const SENDERS = 6;
const WARM_UP_MS = 3000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const cometbft = process.env['COMETBFT'] ?? '';
if (cometbft === '') throw new Error('COMETBFT names the program cometbft v0.38.26');
const seed = Number(values.seed);
const random = new Random(seed);
const names = Object.keys(KINDS).filter(
  (name) => values.only === '' || values.only.split(',').some((word) => name.includes(word)),
);
if (names.length === 0)
  throw new Error(`no kind has ${values.only} in its name; there are ${Object.keys(KINDS).join('; ')}`);

const startedMs = performance.now();
const inSeconds = (ms: number): string => (ms / MS_PER_S).toFixed(1);
const tell = (line: string): void =>
  console.log(`${Math.round((performance.now() - startedMs) / MS_PER_S)} s  ${line}`);

/** Every kind once, in another order each time, and again. */
function* kindsInTurn(): Generator<string, never> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(random.below(left.length), 1)[0] as string;
  }
}

interface Back {
  readonly acknowledgedMs: number;
  readonly committedMs: number;
}

const faults: string[] = [];
const late: string[] = [];
const measured = new Map<string, { count: number; acknowledgedMs: number; committedMs: number; wholeMs: number }>();

/** Of the slower gateway, from the end of the fault. */
async function untilBack(load: Load, probes: readonly Sender[]): Promise<Back> {
  const beganMs = performance.now();
  const all = await Promise.all(
    probes.map(async (sender, gateway) => {
      const told = await load.probe(gateway, sender, BACK_MS_GIVE_UP);
      const acknowledgedMs = performance.now() - beganMs;
      const outcome = told === undefined ? undefined : await load.outcomeAt(gateway, told, BACK_MS_GIVE_UP);
      if (outcome !== 'committed')
        throw new Error(
          `a transfer through gateway ${gateway} is ${told === undefined ? 'not acknowledged' : (outcome ?? 'without an outcome')} ${BACK_MS_GIVE_UP / MS_PER_S} s after the end of the fault`,
        );
      return { acknowledgedMs, committedMs: performance.now() - beganMs };
    }),
  );
  return {
    acknowledgedMs: Math.max(...all.map((each) => each.acknowledgedMs)),
    committedMs: Math.max(...all.map((each) => each.committedMs)),
  };
}

async function suffer(
  net: Network,
  load: Load,
  probes: readonly Sender[],
  name: string,
  fault: Fault,
  ms: number,
): Promise<void> {
  if (fault.isForgetful) load.forgetsFrom(performance.now());
  await fault.begin();
  await sleep(ms);
  const idle = await fault.fault?.();
  if (idle !== undefined) faults.push(`${name} (${fault.target}) did not do what it says: ${idle}`);
  const beganMs = performance.now();
  await fault.end();
  const endMs = performance.now();
  // What an operator does takes its time; what is counted is how long the service takes after it.
  const [back] = await Promise.all([untilBack(load, probes), load.sendAgain()]);
  await fault.repair?.();
  await net.untilWhole(WHOLE_MS_MAX);
  const wholeMs = performance.now() - endMs;
  const before = measured.get(name) ?? { count: 0, acknowledgedMs: 0, committedMs: 0, wholeMs: 0 };
  measured.set(name, {
    count: before.count + 1,
    acknowledgedMs: Math.max(before.acknowledgedMs, back.acknowledgedMs),
    committedMs: Math.max(before.committedMs, back.committedMs),
    wholeMs: Math.max(before.wholeMs, wholeMs),
  });
  const isLate = back.committedMs > BACK_MS_MAX;
  if (isLate) late.push(`${name} (${fault.target}): service was back after ${inSeconds(back.committedMs)} s`);
  const ended = endMs - beganMs > MS_PER_S ? `, ended in ${inSeconds(endMs - beganMs)} s` : '';
  tell(
    `${name}: ${fault.target}, ${inSeconds(ms)} s${ended}; acknowledged ${inSeconds(back.acknowledgedMs)} s later, committed ${inSeconds(back.committedMs)} s${isLate ? ' LATE' : ''}, whole ${inSeconds(wholeMs)} s; ${load.acknowledged} acknowledged`,
  );
}

const share = (): number => random.below(PARTS_OF_ONE) / PARTS_OF_ONE;

async function sufferAll(net: Network, load: Load, probes: readonly Sender[]): Promise<void> {
  const kinds = kindsInTurn();
  const endMs = performance.now() + Number(values.minutes) * MS_PER_MINUTE;
  for (let count = 0; performance.now() < endMs || (values.strict && count < names.length); count += 1) {
    const name = kinds.next().value;
    const fault = KINDS[name]?.(net, random);
    if (fault === undefined) throw new RangeError(name);
    await suffer(net, load, probes, name, fault, FAULT_MS_MIN + (FAULT_MS_MAX - FAULT_MS_MIN) * share() ** SHORTER);
    if (load.lies.length > 0) return;
  }
}

function report(summary: string): void {
  const width = Math.max(...names.map(({ length }) => length));
  console.log(`${'kind'.padEnd(width)}  count  acknowledged  committed  whole (slowest, seconds after the end)`);
  for (const [name, { count, acknowledgedMs, committedMs, wholeMs }] of [...measured].sort(([a], [b]) =>
    a.localeCompare(b),
  )) {
    console.log(
      `${name.padEnd(width)}  ${String(count).padStart(5)}  ${inSeconds(acknowledgedMs).padStart(12)}  ${inSeconds(committedMs).padStart(9)}  ${inSeconds(wholeMs).padStart(5)}`,
    );
  }
  for (const line of late) console.log(`${values.strict ? 'broken' : 'warning'}: ${line}`);
  if (values.strict) faults.push(...late);
  for (const line of faults.slice(0, 20)) console.error(`broken: ${line}`);
  const count = [...measured.values()].reduce((sum, each) => sum + each.count, 0);
  const slowest = Math.max(0, ...[...measured.values()].map(({ committedMs }) => committedMs));
  console.log(
    `faults: ${count} of ${measured.size} kinds, seed ${seed}, slowest return ${inSeconds(slowest)} s; ${summary}; ${faults.length} promises broken`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function fail({ message, stack }: Error): void {
  faults.push(message);
  tell(`stopped: ${stack}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-faults-'));
let net: Network | undefined;
let load: Load | undefined;
const end = async (): Promise<void> => {
  await net?.stop();
  closeConnections();
  if (values.keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)));
try {
  const started = await Network.start(path.join(folder, 'net'), cometbft, (made) => (net = made));
  const { token, chainId, accounts } = started.development;
  const to = encodeAddress(publicKeyOfSeed(crypto.getRandomValues(new Uint8Array(32))), 'txlt');
  load = new Load({ gateways: started.gateways, token, chainId, to, seed });
  const probes = accounts.slice(SENDERS, SENDERS + started.gateways.length);
  tell(`four validators, two databases, two gateways are ready; ${names.length} kinds of faults, seed ${seed}`);
  if (KINDS['clock of a gateway'] === undefined)
    tell('warning: no libfaketime (apt-get install faketime): no clock is skewed');
  load.start(accounts.slice(0, SENDERS));
  await sleep(WARM_UP_MS);
  await sufferAll(started, load, probes).catch(fail);
  await load.stop();
  const { faults: found, summary } = await judge(load, started.gateways.length, started.nodes).catch((error: Error) => {
    fail(error);
    return { faults: load?.lies ?? [], summary: 'not judged' };
  });
  faults.push(...found);
  report(`${summary}; answers ${[...load.answers].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`);
} finally {
  await end();
}
// A connection that a relay forgot may still be open.
process.exit();
