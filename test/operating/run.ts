/**
 * docs/OPERATING.md up to the first production payment, as one operator does it: the files of ops/systemd and ops/proxy, the packed server, nginx
 * and Caddy in front with TLS, the main job through each, an upgrade from the build before and the way back.
 *
 *   node test/operating/run.ts
 *
 * Needs nginx, caddy and systemd-analyze (Debian packages). No systemd runs here: the unit is verified, and its ExecStart is run by hand with its
 * EnvironmentFile. Proxies run as nobody when this runs as root.
 */
import { execFileSync, type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/steps.ts';
import { freePort } from '../e2e/support/server.ts';
import { selfSigned, signedBy } from '../support/certificates.ts';
import { endChild } from '../support/child-process.ts';
import { Client } from './client.ts';
import { Proxy } from './site.ts';
import { EVENT_DELAY_MS_MAX, streamThrough, STREAM_PLANTS } from './stream.ts';
import {
  earlierServer,
  isHardened,
  judgeUnit,
  lacking,
  packServer,
  startUnit,
  uncaughtPlants,
  UNIT_NAMES,
  unitFile,
  unitVariables,
} from './unit.ts';

/** The build that was landed last, with contract 1.7.0: the first that makes backups. */
const EARLIER = 'a8e8dcab89e7769889371e90a7e1d160e4dde073';
const READY_MS_MAX = 60_000;
/** Units of cost; the flood below comes to 1,500 of them in a moment, 5 a request. */
const RATE_PER_S = 100;
const FLOOD = 300;
const FLOOD_AT_ONCE = 50;
/** After the command that waits for the commit ended; what a proxy holds back comes with a heartbeat, 15 s later. */
const EVENT_LATE_MS_MAX = 1000;
const SUPPLY = 1_000_000_000_000_000;

function expect(holds: boolean, message: string, seen?: unknown): asserts holds {
  if (!holds)
    throw new Error(
      `not so: ${message}${seen === undefined ? '' : `; seen: ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`}`,
    );
  console.log(`ok   ${message}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'operating-'));
// Other users pass through it to files of their own; what is in it is 0600 or theirs.
chmodSync(folder, 0o711);
const keys = path.join(folder, 'etc');
mkdirSync(keys, { mode: 0o700 });
const file = (name: string): string => path.join(keys, name);
const program = path.join(ROOT, 'server/dist/bin/txledger.js');

function txledger(args: readonly string[], variables: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...variables },
  });
  if (status !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** As `txledger`, while this program goes on. */
async function spawnTxledger(args: readonly string[], variables: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...variables },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}`);
}

/** @returns how long after a payment was committed its first event came on a stream that was open and quiet before. */
async function lateEventMs(client: Client, pay: () => Promise<void>): Promise<number> {
  let isOpen = false;
  let paidMs = Number.POSITIVE_INFINITY;
  let paying: Promise<void> | undefined;
  await client.events({}, (seen) => {
    if (!isOpen) {
      isOpen = true;
      paying = pay().then(() => void (paidMs = performance.now()));
    }
    return seen.some(({ id }) => id !== undefined);
  });
  const cameMs = performance.now();
  await paying;
  return Math.max(0, cameMs - paidMs);
}

/** What `txledger send --wait --json` prints. */
const sent = (json: string): { txHash: string; status: string } =>
  (JSON.parse(json) as { transaction: { txHash: string; status: string } }).transaction;

let server: ChildProcess | undefined;
let log = '';

async function start(child: ChildProcess, port: number): Promise<void> {
  server = child;
  log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  for (const startMs = performance.now(); performance.now() - startMs < READY_MS_MAX; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${log}`);
    if (
      await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      )
    )
      return;
  }
  throw new Error(`the server is not ready:\n${log}`);
}

const stop = (): Promise<number | null> => endChild(server, 'SIGTERM');

/** Keys, genesis and a token, as "A chain of your own" makes them. */
function makeChain(): { treasury: string; partner: string } {
  const operator = txledger(['operator-key', 'create', '--out', file('operator_key.json')]);
  txledger(['validator-key', 'create', '--out', file('priv_validator_key.json')]);
  const governors = [1, 2, 3].map((i) => txledger(['governor-key', 'create', '--out', file(`governor-${i}.json`)]));
  const [treasury, partner] = ['treasury', 'partner'].map((name) =>
    txledger(['operator-key', 'create', '--out', file(`${name}.json`)]),
  ) as [string, string];
  const { seed } = JSON.parse(readFileSync(file('treasury.json'), 'utf8')) as { seed: string };
  writeFileSync(file('treasury.hex'), seed, { mode: 0o600 });
  txledger([
    'genesis',
    'create',
    '--chain-id',
    'acme-1',
    '--validator-key',
    file('priv_validator_key.json'),
    '--canceller',
    operator,
    ...governors.flatMap((each) => ['--governor', each]),
    '--threshold',
    '2',
    '--currency',
    'EUR:2',
    '--account',
    `${treasury}=${SUPPLY}`,
    '--out',
    file('genesis.json'),
  ]);
  expect(treasury !== operator, 'the treasury is another account than the canceller');
  return { treasury, partner };
}

/** The main job through a proxy, from a payment to a service that is away for a moment. */
async function useThrough(
  proxy: Proxy,
  port: number,
  chain: { partner: string; treasury: string; token: string; ca: string; variables: Record<string, string> },
): Promise<void> {
  const { partner, treasury, token, ca, variables } = chain;
  const client = new Client(`https://localhost:${port}`, ca, token);
  const say = (text: string): string => `${proxy.name}: ${text}`;
  const pay = (amount: number): { txHash: string; status: string } =>
    sent(
      txledger(
        ['send', '--key-file', file('treasury.hex'), '--to', partner, '--amount', String(amount), '--wait', '--json'],
        { TXLEDGER_URL: `https://localhost:${port}`, TXLEDGER_TOKEN: token, NODE_EXTRA_CA_CERTS: ca },
      ),
    );
  const first = pay(250);
  expect(
    first.status === 'committed',
    say("a payment with the treasury's key, sent by the command line over TLS, is committed"),
    first,
  );
  const list = await client.ask('/transactions?limit=1');
  const [paid] = (JSON.parse(list.text) as { transactions: { txHash: string; from: string }[] }).transactions;
  expect(paid?.txHash === first.txHash && paid.from === treasury, say("it is listed, as the treasury's"), list.text);
  expect(
    list.headers['strict-transport-security'] !== undefined && list.headers['content-type'] === 'application/json',
    say('answers say that they are for HTTPS alone'),
    list.headers,
  );

  const events = await client.events({}, (seen) => seen.some(({ comment }) => comment?.startsWith('height')));
  expect(events.length > 0, say('an event stream sends heartbeats, not held back'));
  const lateMs = await lateEventMs(client, () =>
    spawnTxledger(['send', '--key-file', file('treasury.hex'), '--to', partner, '--amount', '2', '--wait'], {
      TXLEDGER_URL: `https://localhost:${port}`,
      TXLEDGER_TOKEN: token,
      NODE_EXTRA_CA_CERTS: ca,
    }),
  );
  expect(
    lateMs < EVENT_LATE_MS_MAX,
    say('an event is with its reader within a second'),
    `${Math.round(lateMs)} ms after the payment was committed`,
  );
  const page = JSON.parse((await client.ask('/events?limit=2&order=asc&after=0')).text) as { events: { id: string }[] };
  const second = pay(1);
  const after = await client.events({ 'last-event-id': page.events[0]?.id ?? '' }, (seen) =>
    seen.some(({ id }) => id !== undefined),
  );
  const [next] = after.filter(({ id }) => id !== undefined);
  expect(
    second.status === 'committed' && next?.id !== undefined && next.id !== page.events[0]?.id,
    say('Last-Event-ID goes on behind that event'),
    after,
  );
  expect((await client.status()) === 'acme-1', say('a websocket answers'));

  const large = await client.ask('/transactions', {
    method: 'POST',
    body: JSON.stringify({ from: 'x'.repeat(20_000) }),
  });
  expect(
    large.status === 413 && large.headers['content-type'] === 'application/problem+json',
    say('a body that is too large gets the 413 of the service, as a problem'),
    [large.status, large.headers],
  );
  const huge = await client.ask('/transactions', { method: 'POST', body: ' '.repeat(3 * 1024 * 1024) }).then(
    ({ status }) => status,
    () => 413,
  );
  // 413 by the proxy's own bound, or 502 where the service refused it and closed before the proxy had read that far.
  expect([413, 502].includes(huge), say('and one beyond every bound is refused by the proxy'), huge);
  // The service takes the path of PUBLIC_URL off, and its own 404 is a problem: these are the proxy's.
  for (const inside of [
    '/livez',
    '/readyz',
    '/metrics',
    '/ledger/livez',
    '/ledger/readyz',
    '/ledger/metrics',
    '/a/b/metrics?c',
  ]) {
    const { status, headers } = await client.ask(inside);
    expect(status === 404 && headers['content-type'] !== 'application/problem+json', say(`${inside} is kept inside`), [
      status,
      headers,
    ]);
  }
  const head = await client.ask('/chain', { method: 'HEAD' });
  expect(head.status === 200 && head.text === '', say('HEAD is passed on'), head.status);

  const flooded = new Set<number>();
  for (let done = 0; done < FLOOD; done += FLOOD_AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: FLOOD_AT_ONCE }, (_, i) =>
        client.ask('/rpc/block?height=1', {
          from: '127.0.0.2',
          headers: { 'x-forwarded-for': `10.0.${done / FLOOD_AT_ONCE}.${i}` },
        }),
      ),
    );
    for (const { status } of answers) flooded.add(status);
  }
  const neighbour = await client.ask('/chain', { from: '127.0.0.3' });
  expect(
    flooded.has(429) && neighbour.status === 200,
    say("the rate is limited by the client's own address, whatever it claims, and a neighbour is not concerned"),
    [[...flooded], neighbour.status],
  );
  expect(log.includes('"client":"127.0.0.2"'), say('and the log has that address'));

  await stop();
  const away = await client.ask('/chain', { from: '127.0.0.4' });
  expect([502, 503].includes(away.status), say(`while the service is away clients see ${away.status}`), away.status);
  await start(startUnit(variables), Number(variables['PORT']));
  let back = 0;
  for (const startMs = performance.now(); performance.now() - startMs < 10_000 && back !== 200; await sleep(100))
    back = (await client.ask('/chain', { from: '127.0.0.4' })).status;
  expect(back === 200, say('and its answers again soon after it is back'), back);
}

/** From the build before to this one, and back to the backup that was taken in between. */
async function upgradeAndBack(
  variables: Record<string, string>,
  chain: { treasury: string; partner: string },
): Promise<void> {
  const port = Number(variables['PORT']);
  const earlier = earlierServer(EARLIER, path.join(folder, 'earlier'));
  // By the build before: this one would bring the database to its own form at once.
  const token = execFileSync(
    process.execPath,
    [earlier, 'token', 'create', '--owner', 'acme', '--scope', 'transactions:read', '--scope', 'transactions:write'],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: variables['DATA_DIR'] ?? '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ).trim();
  const runEarlier = (changed: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [earlier, 'serve'], {
      env: { PATH: process.env['PATH'] ?? '', ...variables, ...changed },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const client = { TXLEDGER_URL: `http://127.0.0.1:${port}`, TXLEDGER_TOKEN: token };
  const pay = (amount: number): string =>
    sent(
      txledger(
        [
          'send',
          '--key-file',
          file('treasury.hex'),
          '--to',
          chain.partner,
          '--amount',
          String(amount),
          '--wait',
          '--json',
        ],
        client,
      ),
    ).status;
  const balance = (): string =>
    (JSON.parse(txledger(['account', chain.partner, '--json'], client)) as { balance: string }).balance;
  const [data, copy, restored] = [
    variables['DATA_DIR'] ?? '',
    path.join(folder, 'before-upgrade'),
    path.join(folder, 'restored'),
  ];
  const runOld = (args: readonly string[]): { status: number | null; text: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [earlier, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', ...variables },
    });
    return { status, text: `${stdout}${stderr}` };
  };
  const signState = path.join(data, 'priv_validator_state.json');
  const restore = (...more: string[]): { status: number | null; text: string } =>
    runOld(['restore', copy, '--data-dir', restored, '--sign-state', signState, ...more]);

  await start(runEarlier(), port);
  expect(pay(100) === 'committed' && balance() === '100', 'the build before is paid with');
  const taken = runOld(['backup', '--out', copy]);
  expect(
    taken.status === 0 && runOld(['verify', copy]).status === 0,
    'its backup is taken while it runs, and verified',
    taken.text,
  );
  await stop();
  await start(startUnit(variables), port);
  expect(balance() === '100' && pay(20) === 'committed' && balance() === '120', 'this build carries its chain on');
  await stop();
  const refused = restore();
  expect(
    refused.status !== 0 && refused.text.includes('--accept-fork-risk') && !existsSync(path.join(restored, 'chain.db')),
    'the build before does not restore over blocks that were signed since, unless that is accepted',
    refused.text,
  );
  const back = restore('--accept-fork-risk');
  expect(back.status === 0, 'when it is, the backup is restored into a new folder', back.text);
  await start(runEarlier({ DATA_DIR: restored }), port);
  expect(
    balance() === '100' && pay(3) === 'committed' && balance() === '103',
    'the build before goes on from where the backup was taken; what came after it is gone',
  );
  await stop();
}

const proxies: Proxy[] = [];
try {
  packServer();
  for (const name of UNIT_NAMES) {
    const { faults, exposure } = judgeUnit(folder, name);
    expect(faults === '', `systemd-analyze verify finds nothing in ${name}.service`, faults);
    expect(isHardened(exposure), `its exposure is ${exposure} of 10`);
    expect(
      lacking(name, unitFile(name)).length === 0,
      'every directive that matters is in it',
      lacking(name, unitFile(name)),
    );
  }
  expect(uncaughtPlants().length === 0, 'a unit that lacks one of them is caught', uncaughtPlants());
  expect(
    judgeUnit(folder, 'cometbft', unitFile('cometbft').replace('KillMode=', 'KillMod=')).faults !== '',
    'a misspelt directive is caught',
  );

  const { treasury, partner } = makeChain();
  const authority = selfSigned(folder, 'authority');
  const port = await freePort();
  const variables = unitVariables(keys, {
    PORT: String(port),
    ALLOWED_HOSTS: 'localhost,127.0.0.1',
    BLOCK_INTERVAL_MS: '100',
    TXLEDGER_RATE_PER_IP_PER_S: String(RATE_PER_S),
  });
  const token = txledger(
    [
      'token',
      'create',
      '--owner',
      'acme',
      '--scope',
      'transactions:read',
      '--scope',
      'transactions:write',
      '--expires-in',
      '90d',
    ],
    { DATA_DIR: variables['DATA_DIR'] ?? '' },
  );
  txledger(['config', 'check', '--for', 'serve'], variables);
  writeFileSync(file('database-url'), 'postgres://ledger:secret@db.example/ledger?sslmode=verify-full\n', {
    mode: 0o600,
  });
  txledger(['config', 'check', '--for', 'serve'], unitVariables(keys, {}, 'gateway'));
  expect(true, 'the variables of both units that serve are taken by config check');
  await start(startUnit(variables), port);
  expect(true, 'the command of the unit, with its environment, is ready');

  for (const name of ['nginx', 'caddy'] as const) {
    const proxyPort = await freePort();
    const proxy = new Proxy(name, {
      folder: path.join(folder, name),
      port: proxyPort,
      upstreamPort: port,
      certificate: signedBy(authority, folder, name, 'DNS:localhost'),
    });
    proxies.push(proxy);
    await proxy.start();
    await useThrough(proxy, proxyPort, { treasury, partner, token, ca: authority.cert, variables });
    await proxy.stop();
  }
  for (const name of ['nginx', 'caddy'] as const) {
    const late = await streamThrough(name, folder, authority);
    expect(
      late < EVENT_DELAY_MS_MAX,
      `${name}: an event of a service that says nothing about buffering is not held back`,
      late,
    );
  }
  for (const { name, what, plant } of STREAM_PLANTS) {
    const late = await streamThrough(name, folder, authority, plant);
    expect(late >= EVENT_DELAY_MS_MAX, `${name}: ${what}: that is noticed`, late);
  }
  expect((await stop()) === 0, 'SIGTERM ends the service with 0');

  const upgraded = { ...variables, DATA_DIR: path.join(keys, 'upgraded') };
  await upgradeAndBack(upgraded, { treasury, partner });

  const bad = startUnit({ ...variables, GENESIS_FILE: file('nothing.json') });
  bad.stderr?.resume();
  expect(
    (await new Promise((resolve) => bad.once('close', resolve))) === 2,
    'with a wrong file it ends with 2, after which the unit is not started again',
  );
} finally {
  await stop();
  for (const proxy of proxies) await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
}
