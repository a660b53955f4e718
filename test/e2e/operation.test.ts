import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { openDataDir } from '../../server/app/data-dir.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf, type Chain } from './support/development.ts';
import { call, environment, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const TEST_MS_MAX = 2 * READY_MS_MAX;

let server: Server | undefined;

afterEach(() => server?.stop('SIGKILL'));
afterAll(removeTemporaryFolders);

async function running(variables: Record<string, string> = {}): Promise<Chain<Server>> {
  server = new Server({ dataDir: await temporaryFolder('e2e'), port: await freePort(), variables });
  await server.start();
  return chainOf(server, await server.development());
}

interface HalfSent {
  socket: Socket;
  /** Everything the server has answered, once it has closed the connection. */
  answer: Promise<string>;
  finish(): void;
}

/** Sends the headers and half of the body of a submission, and holds the rest back. */
async function halfSent(chain: Chain, body: object): Promise<HalfSent> {
  const bytes = Buffer.from(JSON.stringify(body));
  const { host, hostname, port } = new URL(chain.server.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const answer = once(socket, 'close').then(() => text);
  socket.write(
    [
      'POST /transactions HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${chain.dev.token}`,
      'Content-Type: application/json',
      `Content-Length: ${bytes.length}`,
      '',
      '',
    ].join('\r\n'),
  );
  socket.write(bytes.subarray(0, 20));
  // A later request on another connection is answered: the server has read what was sent before it.
  for (let i = 0; i < 3; i += 1) await call(`${chain.server.baseUrl}/livez`);
  return { socket, answer, finish: () => socket.write(bytes.subarray(20)) };
}

/** Kills what is left of a process group; there may be nothing left. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const exitOf = async (chain: Chain<Server>): Promise<number | null> => chain.server.stop('SIGTERM');

describe('SIGTERM', () => {
  test(
    'turns readiness to 503, lets a request that was half sent finish, and ends with 0',
    async () => {
      const chain = await running();
      const body = chain.signed(0, 1, 5n, 0);
      const request = await halfSent(chain, body);
      const exit = exitOf(chain);

      let readiness = await call(`${chain.server.baseUrl}/readyz`);
      while (readiness.status === 200) readiness = await call(`${chain.server.baseUrl}/readyz`);
      expect(readiness).toMatchObject({ status: 503, body: { code: 'shutting_down' } });
      chain.server.signal('SIGTERM'); // a second one is ignored
      chain.server.signal('SIGINT');
      expect(await chain.submit(chain.signed(2, 1, 5n, 0))).toMatchObject({
        status: 503,
        body: { code: 'shutting_down' },
      });

      request.finish();
      expect(await request.answer).toMatch(/^HTTP\/1\.1 (202|503) /);
      expect(await exit).toBe(0);
      expect(chain.server.output).toContain('ending already; the signal is ignored');

      // What was acknowledged in the drain is there after it, and what was refused can be sent again.
      await chain.server.start();
      expect([200, 201]).toContain((await chain.submit(body, { prefer: 'wait=30' })).status);
      expect((await chain.list()).map(({ txHash }) => txHash)).toEqual([body.txHash]);
    },
    TEST_MS_MAX,
  );

  test(
    'answers a client that waits for a block with what is known, and does not make it wait for its 30 s',
    async () => {
      const chain = await running();
      const ahead = chain.signed(0, 1, 5n, 7);
      const waiting = chain.submit(ahead, { prefer: 'wait=30' });
      let known = await chain.list();
      while (known.length === 0) known = await chain.list();
      const exit = exitOf(chain);
      expect(await waiting).toMatchObject({ status: 202, body: { txHash: ahead.txHash, status: 'pending' } });
      expect(await exit).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    'ends within 10 s with 0 although a client never sends the rest of its request',
    async () => {
      const chain = await running();
      const request = await halfSent(chain, chain.signed(0, 1, 5n, 0));
      const child = exitOf(chain);
      const deadline = AbortSignal.timeout(10_000);
      const late = new Promise<string>((resolve) =>
        deadline.addEventListener('abort', () => resolve('late'), { once: true }),
      );
      expect(await Promise.race([child, late])).toBe(0);
      request.socket.destroy();
    },
    TEST_MS_MAX,
  );
});

describe('npm', () => {
  test(
    'passes SIGTERM on to the server, which drains: npm ends with 0 and leaves nothing behind',
    async () => {
      const dataDir = await temporaryFolder('e2e');
      const port = await freePort();
      // A process group of its own, so that the test can end whatever npm leaves behind.
      const npm = spawn('npm', ['start', '--silent'], {
        cwd: ROOT,
        env: environment({ DATA_DIR: dataDir, PORT: String(port) }),
        stdio: 'ignore',
        detached: true,
      });
      const ended = once(npm, 'exit');
      const ready = (): Promise<boolean> =>
        call(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        );
      try {
        while (!(await ready())) expect(npm.exitCode).toBe(null);
        npm.kill('SIGTERM');
        // A shell between npm and the server would take the signal, and the server would live on without its npm.
        expect(await ended).toEqual([0, null]);
        expect(() => openDataDir(dataDir).release()).not.toThrow();
      } finally {
        endGroup(npm.pid);
      }
    },
    TEST_MS_MAX,
  );
});

describe('one DATA_DIR', () => {
  test(
    'is refused to a second process, which says so, changes nothing and leaves the first one alone',
    async () => {
      const chain = await running();
      const { dataDir, baseUrl } = chain.server;
      const second = await txledger(['start'], { DATA_DIR: dataDir, PORT: String(await freePort()) });
      expect(second.code).toBe(2);
      expect(second.stderr).toContain(`DATA_DIR ${dataDir} is in use by another running process`);
      expect((await chain.server.development()).baseUrl).toBe(baseUrl);
      expect((await chain.submit(chain.signed(0, 1, 5n, 0), { prefer: 'wait=30' })).status).toBe(201);
    },
    TEST_MS_MAX,
  );

  test(
    'that is already served on the wanted port by a stranger is not started, and the error names the port',
    async () => {
      const chain = await running();
      const port = new URL(chain.server.baseUrl).port;
      const second = await txledger(['start'], { DATA_DIR: await temporaryFolder('e2e'), PORT: port });
      expect(second.code).toBe(2);
      expect(second.stderr).toContain(`PORT ${port}: another program listens there`);
    },
    TEST_MS_MAX,
  );

  test(
    'holds the same chain on another PORT, and dev.json follows',
    async () => {
      const chain = await running();
      const sent = await chain.submit(chain.signed(0, 1, 5n, 0), { prefer: 'wait=30' });
      const { token } = chain.dev;
      await chain.server.stop('SIGKILL');
      server = new Server({ dataDir: chain.server.dataDir, port: await freePort() });
      await server.start();
      const moved = await server.development();
      expect(moved).toMatchObject({ baseUrl: server.baseUrl, rpcUrl: `${server.baseUrl}/rpc`, token });
      expect((await chainOf(server, moved).list()).map(({ txHash }) => txHash)).toEqual([sent.body.txHash]);
    },
    TEST_MS_MAX,
  );
});

describe('a start', () => {
  test('with a wrong configuration names every error at once, ends with 2, and touches nothing', async () => {
    const folder = await temporaryFolder('e2e');
    const result = await txledger(['start'], {
      DATA_DIR: `${folder}/data`,
      PORT: 'eighty',
      HOST: '0.0.0.0',
      ENGINE: 'cometbft',
      TXLEDGER_PENDINGMAX: '5',
    });
    expect(result.code).toBe(2);
    for (const name of [
      'PORT is "eighty"',
      'HOST is "0.0.0.0"',
      'ENGINE is "cometbft"',
      'did you mean TXLEDGER_PENDING_MAX?',
    ]) {
      expect(result.stderr).toContain(name);
    }
    expect(result.stderr).not.toMatch(/^\s+at /m);
    await expect(import('node:fs/promises').then(({ readdir }) => readdir(folder))).resolves.toEqual([]);
  });
});
