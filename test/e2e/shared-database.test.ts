/** `serve` on a PostgreSQL database: its tokens are there, it waits for it at a start, and never shows its password. */
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';
import { gatewayFiles, succeeds } from './support/gateway-files.ts';
import { call, freePort, Server, txledger } from './support/server.ts';

const CHAIN_ID = 'acme-net-1';
const TEST_MS_MAX = 120_000;
const POLL_MS = 20;

const suite = POSTGRES_MISSING === undefined ? describe : describe.skip;

suite('a gateway on a shared database', () => {
  let cluster: PostgresCluster;
  let variables: Record<string, string>;
  let server: Server;

  beforeAll(async () => {
    const folder = await temporaryFolder('e2e');
    cluster = await PostgresCluster.start();
    variables = { ...(await gatewayFiles(folder, CHAIN_ID)), DATABASE_URL: await cluster.database() };
    server = new Server({ command: 'serve', dataDir: path.join(folder, 'data'), port: await freePort(), variables });
  }, CLUSTER_TIMEOUT_MS);

  afterAll(async () => {
    await server?.stop('SIGKILL');
    await cluster?.stop();
    await removeTemporaryFolders();
  });

  test('looks for a usable token there, and says how one is made', async () => {
    const { code, stderr } = await txledger(['serve'], { ...variables, DATA_DIR: server.dataDir });
    expect(code).toBe(2);
    expect(stderr).toContain(`There is no usable token in postgres://postgres:***@127.0.0.1:${cluster.port}/test_1`);
    expect(stderr).toContain('with the same DATABASE_URL: txledger token create');
    expect(stderr).not.toContain(cluster.password);
  }, TEST_MS_MAX);

  test('waits for it when it is started first, and then knows its tokens', async () => {
    const { DATABASE_URL = '' } = variables;
    const token = await succeeds(['token', 'create', '--owner', 'acme', '--scope', 'transactions:read'], { DATABASE_URL });
    await cluster.shutdown();
    const child = server.spawn();
    while (!server.output.includes('Trying again')) await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(server.output).toContain(`:${cluster.port}`);
    await cluster.restart();
    while (!(await call(`${server.baseUrl}/livez`).then(() => true, () => false))) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${server.output}`);
      await sleep(POLL_MS);
    }
    expect((await call(`${server.baseUrl}/transactions`, { token })).status).toBe(200);
    expect(server.output).not.toContain(cluster.password);
    expect(await server.stop('SIGTERM')).toBe(0);
  }, TEST_MS_MAX);

  test('is told by a command on tokens that the database is away, with an exit code of its own', async () => {
    const { DATABASE_URL = '' } = variables;
    await cluster.shutdown();
    const { code, stderr } = await txledger(['token', 'list'], { DATABASE_URL });
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('(DATABASE_URL) cannot be used: no connection to PostgreSQL') });
    expect(stderr).not.toContain(cluster.password);
  }, TEST_MS_MAX);
});
