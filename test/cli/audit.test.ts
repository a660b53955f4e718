import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { withAccess } from '../../server/app/access.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import type { Administration } from '../../server/gateway/index.ts';
import { encodeTransaction, signTransaction, txHash } from '../../server/ledger/index.ts';
import { call } from '../e2e/support/server.ts';
import { documentOf, run, TEST_MS_MAX, withDevelopment } from './support.ts';

/** Who did what, beside a service that runs: bound addresses on every interface, the audit trail, and the tokens behind it all. */

const dev = withDevelopment();
const here = (...args: string[]) => run(args, { variables: dev().variables });
const told = async (...args: string[]): Promise<any> => documentOf(await here(...args, '--json'));
/** What the commands call, from this process: a command of its own for every step takes half a second. */
const onDatabase = <T>(work: (access: Administration) => Promise<T>): Promise<T> =>
  withAccess({ kind: 'chain', path: path.join(dev().server.dataDir, 'chain.db') }, work);
const makeToken = (owner: string, expiresAtMs?: number) =>
  onDatabase((access) =>
    access.createToken({ owner, scopes: ['transactions:read'], ...(expiresAtMs === undefined ? {} : { expiresAtMs }) }),
  );
const entries = async (...args: string[]): Promise<any[]> => (await told('audit', 'list', ...args)).entries;

const POLL_MS = 50;
/** Longer than anything here is promised to take. */
const WITHIN_MS = 30_000;

async function until<T>(what: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const endMs = performance.now() + WITHIN_MS; performance.now() < endMs; await sleep(POLL_MS)) {
    const found = await what();
    if (found !== undefined) return found;
  }
  throw new Error('it did not come');
}

function transfer(from: number, nonce: number): { raw: Uint8Array; hash: string } {
  const [payer, payee] = [developmentAccounts()[from], developmentAccounts()[1]];
  const unsigned = {
    kind: 'transfer',
    chainId: 'txledger-dev-1',
    from: payer?.address as string,
    to: payee?.address as string,
    amount: 1n,
    nonce,
  } as const;
  const raw = encodeTransaction(signTransaction(unsigned, Buffer.from(payer?.seed as string, 'hex')));
  return { raw, hash: txHash(raw) };
}

const auditLines = (): any[] =>
  dev()
    .server.output.split('\n')
    .filter((line) => line.includes('"stream":"audit"'))
    .map((line) => JSON.parse(line));

describe('a bound address', () => {
  const account = developmentAccounts()[4];

  test(
    'is refused to another owner on every interface, while the service runs, until it is unbound',
    async () => {
      const { server, token } = dev();
      expect(await told('address', 'bind', 'dev-4', '--owner', 'acme')).toEqual({
        address: account?.address,
        owner: 'acme',
      });
      expect((await told('address', 'list')).bindings).toEqual([
        { address: account?.address, owner: 'acme', boundAt: expect.any(String) },
      ]);
      expect((await here('address', 'list')).stdout).toMatch(
        new RegExp(`^address +owner  since\n${account?.address}  acme   2.*Z\n$`),
      );

      const { raw, hash } = transfer(4, 0);
      const rpc = `${server.baseUrl}/rpc`;
      const headers = { 'content-type': 'application/json' };
      const params = { tx: Buffer.from(raw).toString('base64') };
      const entry = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params };
      const get = () => call(`${rpc}/broadcast_tx_sync?tx=0x${Buffer.from(raw).toString('hex')}`, { token });
      expect(await get()).toMatchObject({ status: 403, body: { code: 'not_submitter', txHash: hash } });
      expect(
        await call(`${rpc}/broadcast_tx_async`, { method: 'POST', token, headers, body: JSON.stringify(params) }),
      ).toMatchObject({ status: 403, body: { code: 'not_submitter' } });
      const refused = {
        error: { code: -32001, message: 'Unauthorized', data: expect.stringContaining('bound to another owner') },
      };
      expect(
        (
          await call(rpc, {
            method: 'POST',
            token,
            headers,
            body: JSON.stringify([entry, { ...entry, id: 2, method: 'broadcast_tx_commit' }]),
          })
        ).body,
      ).toMatchObject([refused, refused]);
      const socket = new WebSocket(`${rpc.replace('http', 'ws')}/websocket`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await once(socket, 'open');
      const answer = once(socket, 'message');
      socket.send(JSON.stringify(entry));
      expect(JSON.parse(String((await answer)[0]))).toMatchObject(refused);
      socket.terminate();
      expect((await call(`${rpc}/num_unconfirmed_txs`)).body.result.total).toBe('0');
      expect((await call(`${rpc}/check_tx?tx=0x${Buffer.from(raw).toString('hex')}`)).body.result.code).toBe(0);

      expect(await told('address', 'unbind', 'dev-4')).toMatchObject({ address: account?.address, owner: 'acme' });
      const again = await here('address', 'unbind', 'dev-4', '--json');
      expect([again.code, documentOf(again).error.code]).toEqual([EXIT.usage, 'not_bound']);
      expect((await told('address', 'list')).bindings).toEqual([]);
      expect((await get()).body.result).toMatchObject({ code: 0, hash });
      expect(await told('audit', 'submission', hash.toLowerCase())).toEqual({
        txHash: hash,
        firstSeenAt: expect.any(String),
        owner: 'dev',
        tokenId: token.split('_')[1],
      });
    },
    TEST_MS_MAX,
  );
});

describe('the audit trail', () => {
  const me = `user:${userInfo().username}@${hostname()}`;

  test(
    'records the start: version, configuration, and the token that was made for it',
    async () => {
      const [token, start] = await entries();
      expect(token).toMatchObject({
        id: 1,
        action: 'token.create',
        actor: me,
        subject: dev().token.split('_')[1],
        details: { owner: 'dev' },
      });
      expect(start).toMatchObject({
        id: 2,
        action: 'server.start',
        actor: expect.stringMatching(/^gateway:[0-9a-f]{16}$/),
        subject: hostname(),
      });
      expect(start.details).toMatchObject({
        version: '0.1.0',
        command: 'start',
        chainId: 'txledger-dev-1',
        configuration: { HOST: '127.0.0.1', RPC_ACCESS: 'reads' },
      });
    },
    TEST_MS_MAX,
  );

  test(
    'records what was done at a command line, filtered, page by page',
    async () => {
      const made = await told('token', 'create', '--owner', 'acme', '--scope', 'transactions:read');
      await here('token', 'revoke', made.id);
      const [mine, [last], none, { stdout }] = await Promise.all([
        entries('--since', '1h', '--action', 'token.create', '--action', 'token.revoke', '--limit', '2'),
        entries('--limit', '1'),
        entries('--since', '2999-01-01'),
        here('audit', 'list'),
      ]);
      expect(mine.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
        ['token.create', made.id, me],
        ['token.revoke', made.id, me],
      ]);
      expect(last).toMatchObject({ action: 'token.revoke' });
      expect((await entries('--limit', '1', '--before', String(last.id)))[0]).toMatchObject({
        id: last.id - 1,
        action: 'token.create',
      });
      expect(none).toEqual([]);
      expect(stdout).toMatch(new RegExp(`^ *${last.id} +2.*Z  ${me} +token\\.revoke +${made.id} +owner=acme$`, 'm'));
      expect(stdout).not.toContain(made.token.split('_')[2]);
    },
    TEST_MS_MAX,
  );

  test(
    'is in the log of the service too, entry by entry, whichever process wrote them',
    async () => {
      const { tokenId } = await makeToken('globex');
      const line = await until(() =>
        auditLines().find(({ subject, action }) => subject === tokenId && action === 'token.create'),
      );
      expect(line).toMatchObject({
        level: 'info',
        stream: 'audit',
        actor: me,
        details: { owner: 'globex', scopes: ['transactions:read'] },
        msg: 'audit',
      });
      const ids = auditLines().map((each) => each.id);
      expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => ids[0] + i));
    },
    TEST_MS_MAX,
  );

  test(
    'refuses with 2 what it cannot read, and a hash that is not known',
    async () => {
      const wrong = [
        ['list', '--since', 'yesterday'],
        ['list', '--action', 'token.steal'],
        ['list', '--limit', '0'],
        ['submission', 'ABC'],
        ['submission', '0'.repeat(64)],
      ];
      const results = await Promise.all(wrong.map((args) => here('audit', ...args)));
      expect(results.map(({ code, stdout }) => [code, stdout])).toEqual(wrong.map(() => [EXIT.usage, '']));
    },
    TEST_MS_MAX,
  );
});

describe('token list', () => {
  test(
    'shows expiry and last use, and those that are revoked only when asked',
    async () => {
      const used = await makeToken('acme', Date.now() + 86_400_000);
      const revoked = await makeToken('acme');
      await onDatabase((access) => access.revokeToken(revoked.tokenId));
      expect((await call(`${dev().server.baseUrl}/transactions`, { token: used.token })).status).toBe(200);
      const [listed, all, { stdout }] = await Promise.all([
        told('token', 'list'),
        told('token', 'list', '--all'),
        here('token', 'list'),
      ]);
      expect(listed.tokens.map(({ id }: { id: string }) => id)).not.toContain(revoked.tokenId);
      const gone = all.tokens.find(({ id }: { id: string }) => id === revoked.tokenId);
      expect(gone).toMatchObject({
        owner: 'acme',
        scopes: ['transactions:read'],
        createdAt: expect.any(String),
        revokedAt: expect.any(String),
      });
      expect(gone).not.toHaveProperty('lastUsedAt');
      expect(stdout).toMatch(
        new RegExp(`^${used.tokenId}  acme +transactions:read +valid +2.*Z  2.*Z +(never|2.*Z)$`, 'm'),
      );
    },
    TEST_MS_MAX,
  );
});

describe('the end of a service', () => {
  const busy = createServer();
  afterAll(() => void busy.close());

  test(
    'is in the trail, with the last use of its tokens; so does a start that came to nothing',
    async () => {
      const { server, token } = dev();
      const { tokenId, token: secret } = await makeToken('late');
      expect((await call(`${server.baseUrl}/transactions`, { token: secret })).status).toBe(200);
      expect(await server.stop()).toBe(0);
      const [stop] = await entries('--limit', '1');
      expect(stop).toMatchObject({
        action: 'server.stop',
        actor: expect.stringMatching(/^gateway:/),
        details: { version: '0.1.0' },
      });
      expect(auditLines().at(-1)).toMatchObject({ id: stop.id, action: 'server.stop' });
      expect((await told('token', 'list')).tokens.find(({ id }: { id: string }) => id === tokenId)).toHaveProperty(
        'lastUsedAt',
      );

      busy.listen(Number(new URL(server.baseUrl).port), '127.0.0.1');
      await once(busy, 'listening');
      const { code } = await run(['start'], { variables: { ...dev().variables, PORT: new URL(server.baseUrl).port } });
      expect(code).toBe(EXIT.usage);
      const [start, refusal] = await entries('--limit', '2');
      expect(start).toMatchObject({ action: 'server.start' });
      expect(refusal).toMatchObject({
        action: 'server.refuse',
        actor: start.actor,
        details: { reason: expect.stringContaining('another program listens there') },
      });
      expect(JSON.stringify(await entries())).not.toContain(token.split('_')[2]);
    },
    TEST_MS_MAX,
  );
});
