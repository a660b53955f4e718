/** `serve` in front of nodes that are not there: it starts, takes what it can keep, and says what is missing. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeTransaction, signTransaction, txHash } from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { gatewayFiles, payer, succeeds } from './support/gateway-files.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const CHAIN_ID = 'acme-net-1';
const POLL_MS = 20;

let server: Server;
let token: string;
let dataDir: string;

beforeAll(async () => {
  const folder = await temporaryFolder('e2e');
  const variables = await gatewayFiles(folder, CHAIN_ID);
  dataDir = path.join(folder, 'data');
  token = await succeeds(
    [
      'token',
      'create',
      '--owner',
      'acme',
      '--scope',
      'transactions:read',
      '--scope',
      'transactions:write',
      '--scope',
      'webhooks:manage',
    ],
    { DATA_DIR: dataDir, ENGINE: 'cometbft' },
  );
  server = new Server({ command: 'serve', dataDir, port: await freePort(), variables });
  const child = server.spawn();
  while (
    !(await call(`${server.baseUrl}/readyz`).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${server.output}`);
    await sleep(POLL_MS);
  }
}, READY_MS_MAX);

afterAll(async () => {
  await server?.stop('SIGKILL');
  await removeTemporaryFolders();
});

describe('a gateway without its nodes', () => {
  test('is up but not ready, and says that it is the nodes', async () => {
    const { status, body } = await call(`${server.baseUrl}/readyz`);
    expect(status).toBe(503);
    const failed = body.checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ name }: { name: string }) => name);
    expect(failed).toContain('engine');
    expect((await call(`${server.baseUrl}/livez`)).status).toBe(200);
  });

  test('keeps what it acknowledges, and shows it', async () => {
    const transfer = signTransaction(
      { kind: 'transfer', chainId: CHAIN_ID, from: payer.address, to: payer.address, amount: 1n, nonce: 0 },
      payer.seed,
    );
    const body = JSON.stringify({
      from: payer.address,
      to: payer.address,
      amount: '1',
      nonce: 0,
      signature: transfer.signature,
    });
    const sent = await call(`${server.baseUrl}/transactions`, {
      method: 'POST',
      token,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(sent).toMatchObject({
      status: 202,
      body: { status: 'pending', txHash: txHash(encodeTransaction(transfer)) },
    });
    expect((await call(`${server.baseUrl}/transactions/${sent.body.txHash}`, { token })).status).toBe(200);
  });

  test('keeps webhooks in its own database, and what was done with them in the audit trail', async () => {
    const headers = { 'content-type': 'application/json' };
    const made = await call(`${server.baseUrl}/webhooks`, {
      method: 'POST',
      token,
      headers,
      body: JSON.stringify({ url: 'https://shop.example/hooks' }),
    });
    expect(made).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^wh_/), status: 'enabled', position: '0' },
    });
    expect(await call(`${server.baseUrl}/webhooks/${made.body.id}`, { token })).toMatchObject({
      status: 200,
      body: { url: 'https://shop.example/hooks' },
    });
    expect(await call(`${server.baseUrl}/webhooks/${made.body.id}`, { method: 'DELETE', token })).toMatchObject({
      status: 204,
    });
    for (const action of ['webhook.create', 'webhook.delete']) {
      const { stdout } = await txledger(['audit', 'list', '--action', action, '--limit', '1', '--json'], {
        DATA_DIR: dataDir,
        ENGINE: 'cometbft',
      });
      expect(stdout).toContain(`"${action}"`);
      expect(stdout).toContain(made.body.id);
    }
    expect(existsSync(path.join(dataDir, 'webhooks.db'))).toBe(false);
  });

  test('drains and ends in good order', async () => {
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});
