/** A start on a port that the system chooses, with the log that people read: what it prints is where it is, in every thread of it. */
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf } from './support/development.ts';
import { call, READY_MS_MAX, Server } from './support/server.ts';

let server: Server | undefined;

afterAll(async () => {
  await server?.stop('SIGKILL');
  await removeTemporaryFolders();
});

test(
  'PORT=0 takes a free port for all HTTP threads, and banner, dev.json and log name it',
  async () => {
    const dataDir = path.join(await temporaryFolder('e2e'), 'data');
    server = new Server({ dataDir, port: 0, variables: { HTTP_THREADS: '2', TXLEDGER_LOG_FORMAT: 'text' } });
    const child = server.spawn();
    const said = async (text: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = text.exec(server?.output ?? '');
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${server?.output}`);
        await once(child.stdout!, 'data');
      }
    };
    const [, port = ''] = await said(/ ready .*\bport=(\d+) /);
    const dev = await server.development();
    expect(dev.baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect(server.output).toContain(`  API        ${dev.baseUrl}\n`);

    const chain = chainOf({ baseUrl: dev.baseUrl, dataDir, output: '', storeVariables: { DATA_DIR: dataDir } }, dev);
    const body = chain.signed(0, 1, 100n, 0);
    // A connection each: the system shares them out among the threads.
    const asked = await Promise.all(
      Array.from({ length: 32 }, () => call(`${dev.baseUrl}/chain`, { token: dev.token })),
    );
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    // A thread that listened elsewhere would answer none: the ids of the second have its number.
    const ofSecond = asked.filter(({ headers }) => /t2-/.test(headers.get('x-request-id') ?? '')).length;
    expect([ofSecond > 0, ofSecond < asked.length]).toEqual([true, true]);
    const posted = await call(`${dev.baseUrl}/transactions`, {
      method: 'POST',
      token: dev.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(posted.status).toBe(202);
    await said(/^\d\d:\d\d:\d\d POST \/transactions 202 [\d.]+ ms dev-0 -> dev-1 100$/m);
    await said(/^\d\d:\d\d:\d\d block \d+ 1 transaction$/m);
    expect(await server.stop()).toBe(0);
    // The lines of both threads, whole.
    expect(server.output.match(/^\d\d:\d\d:\d\d GET \/chain 200 [\d.]+ ms$/gm)).toHaveLength(asked.length);
    expect(server.output).not.toContain(body.signature);
  },
  READY_MS_MAX,
);
