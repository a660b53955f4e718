/** `serve` on a PostgreSQL database: its tokens are there, it waits for it at a start, and never shows its password. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';
import { documentText } from '../docs/support/tables.ts';
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

  test(
    'looks for a usable token there, and says how one is made',
    async () => {
      const { code, stderr } = await txledger(['serve'], { ...variables, DATA_DIR: server.dataDir });
      expect(code).toBe(2);
      expect(stderr).toContain(`There is no usable token in postgres://postgres:***@127.0.0.1:${cluster.port}/test_1`);
      expect(stderr).toContain('with the same DATABASE_URL: txledger token create');
      expect(stderr).not.toContain(cluster.password);
    },
    TEST_MS_MAX,
  );

  test(
    'waits for it when it is started first, and then knows its tokens: the one that docs/NETWORK.md makes before the unit is enabled',
    async () => {
      const { DATABASE_URL = '' } = variables;
      const [, command = ''] =
        /env DATABASE_URL_FILE=\S+ txledger (token create .+)\nsystemctl .* enable --now txledger-gateway$/m.exec(
          documentText('docs/NETWORK.md'),
        ) ?? [];
      const token = await succeeds(command.split(' '), { DATABASE_URL });
      await cluster.shutdown();
      const child = server.spawn();
      while (!server.output.includes('Trying again')) await once(child.stdout as NodeJS.ReadableStream, 'data');
      expect(server.output).toContain(`:${cluster.port}`);
      await cluster.restart();
      while (
        !(await call(`${server.baseUrl}/livez`).then(
          () => true,
          () => false,
        ))
      ) {
        if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${server.output}`);
        await sleep(POLL_MS);
      }
      expect((await call(`${server.baseUrl}/transactions`, { token })).status).toBe(200);
      expect(server.output).not.toContain(cluster.password);
      expect(await server.stop('SIGTERM')).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    'reads its addresses again at SIGHUP: wrong ones change nothing, good ones are used at once',
    async () => {
      const { DATABASE_URL = '', COMETBFT_RPC_URL = '', ...rest } = variables;
      const folder = await temporaryFolder('reload');
      const [databaseFile, nodesFile, replicasFile] = [
        path.join(folder, 'database-url'),
        path.join(folder, 'nodes'),
        path.join(folder, 'replicas'),
      ];
      const write = (file: string, text: string): void => writeFileSync(file, text, { mode: 0o600 });
      write(databaseFile, DATABASE_URL);
      write(nodesFile, COMETBFT_RPC_URL);
      // The primary itself is no replica: it is named, and never used.
      write(replicasFile, DATABASE_URL);
      const reloaded = new Server({
        command: 'serve',
        dataDir: path.join(folder, 'data'),
        port: await freePort(),
        variables: {
          ...rest,
          DATABASE_URL_FILE: databaseFile,
          COMETBFT_RPC_URL_FILE: nodesFile,
          TXLEDGER_READ_DATABASE_URL_FILE: replicasFile,
        },
      });
      const child = reloaded.spawn();
      const ended = once(child, 'exit');
      const says = async (text: string): Promise<void> => {
        while (!reloaded.output.includes(text)) {
          if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${reloaded.output}`);
          await Promise.race([sleep(POLL_MS), ended]);
        }
      };
      const metrics = async (): Promise<string> => await (await fetch(`${reloaded.baseUrl}/metrics`)).text();
      try {
        await says('"msg":"ready"');
        reloaded.signal('SIGHUP');
        await says('no address has changed');
        await says('it is no standby');
        expect(await metrics()).toMatch(/^txledger_database_replica_used\{replica="[^"]+"\} 0$/m);
        write(nodesFile, 'http://node.example:26657');
        write(databaseFile, `${DATABASE_URL}?sslmode=off&sslmode`);
        reloaded.signal('SIGHUP');
        await says('the configuration that was read again is wrong');
        write(nodesFile, `${COMETBFT_RPC_URL},http://127.0.0.1:${await freePort()}`);
        write(databaseFile, await cluster.database());
        reloaded.signal('SIGHUP');
        await says('other nodes are used from now on');
        await says('it is no database of a gateway');
        write(databaseFile, DATABASE_URL.replace(/@([^/]+)/, '@$1,127.0.0.1:1'));
        reloaded.signal('SIGHUP');
        await says('the database is used at its new address from now on');
        const replica = `127.0.0.1:${await freePort()}`;
        write(replicasFile, DATABASE_URL.replace(/@[^/]+/, `@${replica}`));
        reloaded.signal('SIGHUP');
        await says('other replicas are used from now on');
        expect(await metrics()).toContain(replica);
        expect((await call(`${reloaded.baseUrl}/readyz`)).body).toMatchObject({
          detail: expect.not.stringContaining('store'),
        });
        expect(reloaded.output).not.toContain(cluster.password);
      } finally {
        await reloaded.stop('SIGTERM');
      }
    },
    TEST_MS_MAX,
  );

  test(
    'is told by a command on tokens that the database is away, with an exit code of its own',
    async () => {
      const { DATABASE_URL = '' } = variables;
      await cluster.shutdown();
      const { code, stderr } = await txledger(['token', 'list'], { DATABASE_URL });
      expect({ code, stderr }).toEqual({
        code: 5,
        stderr: expect.stringContaining('(DATABASE_URL) cannot be used: no connection to PostgreSQL'),
      });
      expect(stderr).not.toContain(cluster.password);
    },
    TEST_MS_MAX,
  );
});
