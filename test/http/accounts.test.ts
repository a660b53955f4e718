/** GET /accounts: several accounts in one answer; the one parameter that is repeated, and what is wrong with a list of addresses. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { ACCOUNTS_MAX } from '../../server/gateway/limits.ts';
import { TestServer } from './support/server.ts';
import type { Answer } from './support/server.ts';
import { RECEIVER, SENDER } from './support/stub-gateway.ts';

let server: TestServer;
beforeAll(async () => {
  server = await new TestServer().start();
});
afterEach(() => server.gateway.reset());
afterAll(() => server.stop());

const asked = (addresses: readonly string[]): Promise<Answer> =>
  server.ask({ path: `/accounts?${addresses.map((address) => `address=${address}`).join('&')}` });
const some = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => encodeAddress(publicKeyOfSeed(Buffer.alloc(32, i + 1)), 'txlt'));
const errorsOf = ({ body }: Answer): string[] =>
  body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);

describe('several accounts', () => {
  test('are answered in the order of the request, with the moment that all of them are of', async () => {
    const { status, body } = await asked([RECEIVER, SENDER]);
    expect(status).toBe(200);
    expect(body.accounts.map(({ address }: { address: string }) => address)).toEqual([RECEIVER, SENDER]);
    expect(body).toMatchObject({
      height: 42,
      blockTime: '2026-11-21T09:30:02.000Z',
      accounts: [{ height: 42, available: '750', gaps: [{ first: 5, last: 6 }] }, {}],
    });
    expect(server.gateway.calls).toEqual([{ method: 'accounts', args: [[RECEIVER, SENDER]] }]);
  });

  test('are 1 to 100', async () => {
    for (const count of [1, 2, ACCOUNTS_MAX]) {
      const addresses = some(count);
      expect((await asked(addresses)).body.accounts).toHaveLength(count);
      expect(server.gateway.calls.at(-1)?.args).toEqual([addresses]);
    }
    server.gateway.reset();
    const tooMany = await asked(some(ACCOUNTS_MAX + 1));
    expect([tooMany.status, ...errorsOf(tooMany)]).toEqual([400, '#/query/address It must have at most 100 items.']);
    const none = await server.ask({ path: '/accounts' });
    expect([none.status, ...errorsOf(none)]).toEqual([
      400,
      '#/query/address The required parameter address is missing.',
    ]);
    expect(server.gateway.calls).toEqual([]);
  });

  test('of which some are malformed are refused with the place and the rule of each', async () => {
    const rule = 'An address is lower-case bech32m: txl1 or txlt1 and 58 characters';
    const { status, ...answer } = await asked([SENDER, '0xab', RECEIVER, SENDER.toUpperCase()]);
    expect(status).toBe(400);
    expect(errorsOf(answer as Answer)).toEqual([
      `#/query/address Value 2 is refused. ${rule}; this one is hexadecimal (0x...).`,
      `#/query/address Value 4 is refused. ${rule}; this one has upper-case letters.`,
    ]);
    expect(server.gateway.calls).toEqual([]);
  });

  test('are the only list: other parameters are still given once', async () => {
    for (const path of [
      `/accounts?address=${SENDER}&limit=1`,
      `/transactions?from=${SENDER}&from=${SENDER}`,
      `/accounts/${SENDER}?address=${SENDER}`,
    ]) {
      expect(await server.ask({ path })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });
});
