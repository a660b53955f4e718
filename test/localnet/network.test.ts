/** `npm run localnet` as its users run it: what it prints and writes, that it stops, and that it goes on. */
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyReceipt } from '../../client/src/index.ts';
import { STARTING_STEPS } from '../../scripts/localnet/priority.ts';
import { isRunning } from '../../scripts/localnet/processes.ts';
import { DEVELOPMENT_CHAIN_ID } from '../../server/app/dev-accounts.ts';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { removeTemporaryFolders } from '../app/support.ts';
import { codes, table } from '../docs/support/tables.ts';
import { call, txledger } from '../e2e/support/server.ts';
import { LOCALNET_READY_MS_MAX, localnetSuite, mayPutFirst, newLocalnet, type Localnet } from './support.ts';

/** What is promised once the programs are there. */
const PROMISED_READY_S = 90;
const PROMISED_STOP_MS = 20_000;
const PROMISED_BACK_MS = 10_000;
/** Two signals closer than a second are one Ctrl-C. */
const SECOND_SIGNAL_MS = 1200;
const POLL_MS = 50;
/** The tests' own patience, on a machine that does other things too. */
const TEST_MS_MAX = 240_000;

localnetSuite('npm run localnet', () => {
  let network: Localnet;
  let dev: DevelopmentFile;
  let readyS = 0;

  beforeAll(async () => {
    network = await newLocalnet();
    readyS = await network.start();
    dev = await network.development();
  }, LOCALNET_READY_MS_MAX);

  afterAll(async () => {
    await network.destroy();
    await removeTemporaryFolders();
  }, TEST_MS_MAX);

  const send = async (): Promise<{ status: string; height: number; txHash: string }> => {
    const { code, stdout, stderr } = await txledger(['send', '--to', 'dev-1', '--amount', '1', '--wait', '--json'], {
      DATA_DIR: network.dataDir,
    });
    if (code !== 0) throw new Error(`send ended with ${code}: ${stdout}${stderr}`);
    return JSON.parse(stdout).transaction;
  };

  test('is ready in the time that is promised, and tells of both gateways', () => {
    expect(readyS).toBeLessThanOrEqual(PROMISED_READY_S);
    const { gateways } = network.state();
    expect(gateways).toEqual([dev.baseUrl, dev.baseUrl.replace(/\d+$/, (port) => String(Number(port) + 1))]);
    for (const gateway of gateways) expect(network.output).toContain(`\n  ${gateway}\n`);
    expect(network.output).toContain('WARNING: the keys of these accounts are PUBLIC');
    expect(network.output).toContain(dev.token);
  });

  test('leaves what the start of one process leaves in dev.json, and keeps its secrets', () => {
    const { chainId, accounts, rpcUrl, ...rest } = dev;
    expect({ chainId, accounts: accounts.length, rpcUrl }).toEqual({
      chainId: DEVELOPMENT_CHAIN_ID,
      accounts: 10,
      rpcUrl: `${dev.baseUrl}/rpc`,
    });
    expect(Object.keys(rest).toSorted()).toEqual(['baseUrl', 'token']);
    const secrets = [
      'dev.json',
      'database-url',
      'localnet.json',
      'operator_key.json',
      'node-0/config/priv_validator_key.json',
      'node-0/config/node_key.json',
    ];
    for (const name of secrets)
      expect([name, statSync(path.join(network.dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    const { password } = new URL(network.databaseUrl());
    expect(password.length).toBeGreaterThanOrEqual(32);
    expect(network.output).not.toContain(password);
    for (const { log } of network.state().parts) expect(readFileSync(log, 'utf8')).not.toContain(password);
  });

  test(
    'commits a transfer that either gateway shows, and manages tokens in the shared database',
    async () => {
      const { txHash, status } = await send();
      expect(status).toBe('committed');
      for (const gateway of network.state().gateways) {
        expect(await call(`${gateway}/transactions/${txHash}`, { token: dev.token })).toMatchObject({
          status: 200,
          body: { txHash },
        });
        const { genesis } = (await call(`${gateway}/rpc/genesis`)).body.result;
        const { body: receipt } = await call(`${gateway}/transactions/${txHash}/receipt`, { token: dev.token });
        expect(await verifyReceipt(receipt, { genesis })).toMatchObject({ paid: true, txHash, amount: '1' });
      }
      const made = await txledger(['token', 'create', '--owner', 'acme', '--scope', 'transactions:read'], {
        DATABASE_URL: network.databaseUrl(),
      });
      for (const gateway of network.state().gateways)
        expect((await call(`${gateway}/transactions`, { token: made.stdout.trim() })).status).toBe(200);
    },
    TEST_MS_MAX,
  );

  test('shows the metrics that the page tells of an engine with nodes, and no other', async () => {
    const { body } = await call(`${dev.baseUrl}/metrics`);
    const shown = [
      ...String(body).matchAll(
        /^# TYPE (txledger_(?:engine_|database_(?:transaction_|connections|waiting|synchronous_))\S*) (\S+)$/gm,
      ),
    ].map(([, name = '', type]) => `${name} ${type}`);
    const told = table('docs/NETWORK.md', '| Metric of the engine | Type | Tells |').flatMap(([names, type]) =>
      codes(names).map((name) => `${name} ${type}`),
    );
    expect(shown.length).toBeGreaterThan(0);
    // Only where replicas are named, which a localnet does without: test/e2e/shared-database.test.ts.
    const ofReplicas = /^txledger_database_(reads_total|replica_\w+) /;
    expect(told.filter((each) => ofReplicas.test(each))).toHaveLength(3);
    expect(told.filter((each) => !ofReplicas.test(each)).toSorted()).toEqual(shown.toSorted());
  });

  test(
    'starts a killed part again, a node with its application, and the service is back',
    async () => {
      for (const [victim, partner] of [
        ['node-1', 'app-1'],
        ['app-2', 'node-2'],
        ['postgres', undefined],
        ['gateway-1', undefined],
      ] as const) {
        const before = partner === undefined ? undefined : network.part(partner);
        const killed = network.kill(victim);
        const restarted = await network.restarted(killed, PROMISED_BACK_MS);
        expect(restarted.restarts).toBe(killed.restarts + 1);
        const steps = mayPutFirst() && victim !== 'postgres' ? STARTING_STEPS : 0;
        expect(getPriority(restarted.pid as number)).toBe(getPriority() - steps);
        if (before) await network.restarted(before, PROMISED_BACK_MS);
      }
      expect((await send()).status).toBe('committed');
      expect(network.running()).toHaveLength(network.state().parts.length);
    },
    TEST_MS_MAX,
  );

  test(
    'is refused a second time in one folder',
    async () => {
      const second = network.again();
      expect(await second.ended()).toBe(1);
      expect(second.output).toContain('is in use by another running process');
      expect(network.running()).toHaveLength(network.state().parts.length);
    },
    TEST_MS_MAX,
  );

  test(
    'after a kill of the supervisor ends what is left, and goes on with chain, token and ports',
    async () => {
      const before = network.state();
      const { height } = await send();
      await network.stop('SIGKILL');
      expect(network.running()).toHaveLength(before.parts.length);
      await network.start();
      expect(network.output).toContain('Ending what an earlier run left behind');
      for (const { pid, startedAt } of before.parts)
        expect(isRunning({ pid: pid as number, startedAt: startedAt as string })).toBe(false);
      expect(network.state().parts.map(({ ports }) => ports)).toEqual(before.parts.map(({ ports }) => ports));
      expect(await network.development()).toEqual(dev);
      expect((await send()).height).toBeGreaterThan(height);
    },
    TEST_MS_MAX,
  );

  test(
    'kills everything at a second signal, and goes on at the next start',
    async () => {
      // It cannot drain, so that the first signal takes its grace time.
      network.pause('gateway-1');
      const stopped = network.stop('SIGINT');
      await sleep(SECOND_SIGNAL_MS);
      process.kill(network.pid, 'SIGINT');
      expect(await stopped).toBe(130);
      while (network.running().length > 0) await sleep(POLL_MS);
      await network.start();
      expect((await send()).status).toBe('committed');
    },
    TEST_MS_MAX,
  );

  test(
    'stops in order when it is told to, in the time that is promised',
    async () => {
      const running = network.state().parts;
      const startedMs = performance.now();
      expect(await network.stop('SIGINT')).toBe(0);
      expect(performance.now() - startedMs).toBeLessThan(PROMISED_STOP_MS);
      const order = ['Draining the gateways:', 'Stopping nodes and applications:', 'Stopping PostgreSQL:'].map((what) =>
        network.output.indexOf(what),
      );
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order[0]).toBeGreaterThan(0);
      for (const { pid, startedAt } of running)
        expect(isRunning({ pid: pid as number, startedAt: startedAt as string })).toBe(false);
      expect(network.running()).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    'says which port is taken, and starts nothing',
    async () => {
      const stranger = createServer();
      const port = Number(new URL(dev.baseUrl).port) + 1;
      stranger.listen(port, '127.0.0.1');
      await once(stranger, 'listening');
      try {
        network.spawn();
        expect(await network.ended()).toBe(1);
        expect(network.output).toContain(`Port ${(stranger.address() as AddressInfo).port} is taken`);
      } finally {
        stranger.close();
        await once(stranger, 'close');
      }
      expect(network.running()).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    'that cannot come up ends with the tail of the log of the part that is why, and leaves nothing',
    async () => {
      writeFileSync(path.join(network.part('node-3').home, 'data', 'priv_validator_state.json'), 'no state');
      network.spawn();
      expect(await network.ended()).toBe(1);
      expect(network.output).toMatch(
        /node-3 cannot come up: it ended with 1, \d+ times in a row\. The end of .*node-3\.log:\n(.*\n)*.*priv_?validator/i,
      );
      expect(network.running()).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
