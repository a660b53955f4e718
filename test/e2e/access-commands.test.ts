/** Tokens and bindings by the command line: at once in a service that runs, into the log of one that was killed. */
import { afterAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

let server: Server | undefined;
afterAll(async () => {
  await server?.stop('SIGKILL');
  await removeTemporaryFolders();
});

/** Promised for a revocation. */
const REVOKED_MS_MAX = 5000;

test(
  'a token of the command line is good at once, while the service runs and after it was killed, and is revoked as promised',
  async () => {
    const dataDir = await temporaryFolder('access-commands');
    const running = (server = new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '50' } }));
    await running.start();
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await txledger(args, running.storeVariables);
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return stdout.trim();
    };
    const create = (owner: string): Promise<string> =>
      run('token', 'create', '--owner', owner, '--scope', 'transactions:read', '--json').then(
        (text) => JSON.parse(text).token,
      );
    const statusOf = async (token: string): Promise<number> =>
      (await call(`${running.baseUrl}/transactions`, { token })).status;
    const idOf = (token: string): string => token.split('_')[1] as string;

    const token = await create('acme');
    expect(await statusOf(token)).toBe(200);
    await run('token', 'revoke', idOf(token));
    const endMs = performance.now() + REVOKED_MS_MAX;
    let status = 200;
    while (status !== 401 && performance.now() < endMs) status = await statusOf(token);
    expect(status).toBe(401);

    await running.stop('SIGKILL');
    expect(existsSync(path.join(dataDir, 'commands.sock'))).toBe(true);
    const made = await create('globex');
    expect(JSON.parse(await run('token', 'list', '--json')).tokens).toContainEqual(
      expect.objectContaining({ id: idOf(made), owner: 'globex' }),
    );
    await running.start();
    expect(await statusOf(made)).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect(await running.stop()).toBe(0);
    expect(existsSync(path.join(dataDir, 'commands.sock'))).toBe(false);
    const { checked } = JSON.parse(await run('verify', dataDir, '--json'));
    expect(JSON.stringify(checked)).toContain('tokens, bindings and the audit trail');
  },
  4 * READY_MS_MAX,
);
