/** A reference and an end of validity against the running product: signed, answered, listed, searched, subscribed to, and given up. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { encodeTransaction, signTransaction, txHash, type Transfer, type Unsigned } from '../../server/ledger/index.ts';
import { withDevelopmentChain } from './support/development.ts';
import { call } from './support/server.ts';

const chain = withDevelopmentChain({ BLOCK_INTERVAL_MS: '100' });
const TEST_MS_MAX = 60_000;
/** Each of these must come back as it was sent. */
const HARD_REFERENCES = ['a+b&c=d%20#?/', "it's", '100% <b>', '~'.repeat(140), 'INV 2026/17', '`${x}`', "[{;:,.}]'"];

type Members = Pick<Transfer, 'reference' | 'validUntil'>;

function payment(from: number, nonce: number, members: Members, amount = 5n) {
  const { dev, account } = chain();
  const sender = account(from);
  const unsigned: Unsigned<Transfer> = {
    kind: 'transfer',
    chainId: dev.chainId,
    from: sender.address,
    to: account(9).address,
    amount,
    nonce,
    ...members,
  };
  const signed = signTransaction(unsigned, Buffer.from(sender.seed, 'hex'));
  return {
    hash: txHash(encodeTransaction(signed)),
    raw: encodeTransaction(signed),
    body: { from: signed.from, to: signed.to, amount: `${amount}`, nonce, ...members, signature: signed.signature },
  };
}

const listed = async (query: Record<string, string>): Promise<string[]> => {
  const { status, body } = await chain().get(`/transactions?${new URLSearchParams(query)}`);
  expect({ status, code: body.code, detail: body.detail, errors: body.errors }).toEqual({ status: 200 });
  return body.transactions.map((transaction: { txHash: string }) => transaction.txHash);
};
const nowS = (): number => Math.floor(Date.now() / 1000);
const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

describe('a reference', () => {
  test(
    'of any allowed characters is answered and found as it was signed',
    async () => {
      for (const [nonce, reference] of HARD_REFERENCES.entries()) {
        const { hash, body } = payment(1, nonce, { reference });
        expect(await chain().submit(body)).toMatchObject({ status: 202, body: { txHash: hash, reference } });
        expect(await listed({ reference })).toEqual([hash]);
      }
      for (const [nonce, reference] of HARD_REFERENCES.entries()) {
        const { hash, body } = payment(1, nonce, { reference });
        expect(await chain().submit(body, { prefer: 'wait=20' })).toMatchObject({
          status: 200,
          body: { status: 'committed', reference },
        });
        expect(await listed({ reference, account: chain().account(9).address, status: 'committed' })).toEqual([hash]);
        expect((await chain().get(`/transactions/${hash}`)).body).toMatchObject({
          txHash: hash,
          reference,
          nonce,
          history: [{}, {}, { event: 'committed', blockTime: expect.any(String) }],
        });
      }
    },
    TEST_MS_MAX,
  );

  test('makes two orders of one price one 409', async () => {
    const first = payment(2, 0, { reference: 'order 1' });
    expect((await chain().submit(first.body)).status).toBe(202);
    expect(await chain().submit(payment(2, 0, { reference: 'order 2' }).body)).toMatchObject({
      status: 409,
      body: { code: 'nonce_conflict', txHash: first.hash },
    });
    expect(await chain().submit(payment(2, 0, {}).body)).toMatchObject({
      status: 409,
      body: { code: 'nonce_conflict', txHash: first.hash },
    });
  });

  test('that is null is absent, also in a batch', async () => {
    const { body, hash } = payment(2, 1, {});
    expect(await chain().submit({ ...body, reference: null, validUntil: null })).toMatchObject({
      status: 202,
      body: { txHash: hash },
    });
    const { dev, server } = chain();
    const transactions = [
      { ...payment(2, 2, {}).body, reference: null },
      payment(2, 3, { reference: 'batched', validUntil: nowS() + 600 }).body,
      { ...payment(2, 4, {}).body, reference: ' ' },
    ];
    const answer = await call(`${server.baseUrl}/transactions/batch`, {
      method: 'POST',
      token: dev.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ transactions }),
    });
    expect(answer.body.results).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'accepted', transaction: { reference: 'batched', validUntil: expect.any(Number) } },
      {
        outcome: 'refused',
        problem: {
          code: 'invalid_request',
          errors: [
            { pointer: '/transactions/2/reference', message: expect.stringMatching(/^A reference is 1 to 140/) },
          ],
        },
      },
    ]);
    expect(answer.body.results[0].transaction).not.toHaveProperty('reference');
  });

  test('that is none is refused, in a filter too', async () => {
    for (const reference of ['', ' ', 'a"', 'x'.repeat(141), 'é']) {
      expect(await chain().submit({ ...payment(3, 0, {}).body, reference })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ pointer: '/reference' }] },
      });
      expect((await chain().get(`/transactions?${new URLSearchParams({ reference })}`)).body).toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  test(
    'is found by tx_search and by a subscription of the RPC',
    async () => {
      const { dev, server } = chain();
      const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/rpc/websocket`, {
        headers: { authorization: `Bearer ${dev.token}` },
      });
      opened.push(socket);
      const heard: string[] = [];
      const told = new Promise<string>((resolve) =>
        socket.on('message', (data) => {
          heard.push(String(data));
          if (String(data).includes('"query"')) resolve(String(data));
        }),
      );
      await new Promise((resolve) => socket.once('open', resolve));
      const query = "tm.event = 'Tx' AND transfer.reference = 'INV-1 / 7'";
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query } }));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'health', params: {} }));
      while (!heard.some((text) => text.includes('"id":2')))
        await new Promise((resolve) => socket.once('message', resolve));

      await chain().submit(payment(4, 0, { reference: 'INV-1' }).body);
      const { hash, body } = payment(4, 1, { reference: 'INV-1 / 7' });
      expect(await chain().submit(body, { prefer: 'wait=20' })).toMatchObject({ status: 201 });
      expect(await told).toContain(hash);

      const search = async (text: string) =>
        (
          await call(`${server.baseUrl}/rpc/tx_search?${new URLSearchParams({ query: `"${text}"` })}`, {
            token: dev.token,
          })
        ).body;
      expect((await search("transfer.reference='INV-1 / 7'")).result).toMatchObject({
        total_count: '1',
        txs: [{ hash }],
      });
      expect((await search("transfer.reference CONTAINS 'INV-1'")).result).toMatchObject({ total_count: '2' });
      expect((await search("transfer.reference='none'")).result).toMatchObject({ total_count: '0' });
      // The language has no way to write an apostrophe: a reference with one is found by the list, and here by a part.
      expect((await search("transfer.reference='it's'")).error).toBeDefined();
      expect((await search("transfer.reference CONTAINS 'it'")).result).toMatchObject({ total_count: '1' });
    },
    TEST_MS_MAX,
  );
});

describe('an end of validity', () => {
  test(
    'that has passed is refused, and never for a transfer that is known',
    async () => {
      expect(await chain().submit(payment(5, 0, { validUntil: nowS() - 60 }).body)).toMatchObject({
        status: 422,
        body: { code: 'validity_passed', retriable: false, errors: [{ pointer: '/validUntil' }] },
      });
      const { body, hash } = payment(5, 0, { validUntil: nowS() + 2 });
      expect(await chain().submit(body, { prefer: 'wait=20' })).toMatchObject({ status: 201, body: { txHash: hash } });
      const until = body.validUntil ?? 0;
      // One that can only expire, so that blocks come until their time is later.
      expect((await chain().submit(payment(5, 9, { validUntil: until }).body)).status).toBe(202);
      while (Date.parse((await chain().get('/chain')).body.lastBlockTime) <= until * 1000)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await chain().submit(body)).toMatchObject({ status: 200, body: { txHash: hash, status: 'committed' } });
    },
    TEST_MS_MAX,
  );

  test(
    'ends a transfer behind a gap as expired, with its reason, and later nonces go on',
    async () => {
      const { body, hash } = payment(6, 1, { validUntil: nowS() + 2, reference: 'late' });
      expect((await chain().submit(body)).status).toBe(202);
      expect(await chain().submit(body, { prefer: 'wait=30' })).toMatchObject({
        status: 200,
        body: { txHash: hash, status: 'expired', reference: 'late' },
      });
      const { history } = (await chain().get(`/transactions/${hash}`)).body;
      expect(history).toMatchObject([
        { event: 'accepted' },
        { event: 'expiry_requested', reason: 'validity_passed' },
        { event: 'expired' },
      ]);
      expect(await chain().submit(payment(6, 0, {}).body, { prefer: 'wait=20' })).toMatchObject({ status: 201 });
      expect(await chain().nextNonce(chain().account(6).address)).toBe(2);
    },
    TEST_MS_MAX,
  );

  test('of bytes that were broadcast over the RPC is recorded with them', async () => {
    const { raw, hash } = payment(7, 0, { reference: 'by broadcast', validUntil: nowS() + 600 });
    const { dev, server } = chain();
    const answer = await call(`${server.baseUrl}/rpc/broadcast_tx_sync`, {
      method: 'POST',
      token: dev.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tx: Buffer.from(raw).toString('base64') }),
    });
    expect(answer.body.result).toMatchObject({ code: 0, hash });
    expect((await chain().get(`/transactions/${hash}`)).body).toMatchObject({
      reference: 'by broadcast',
      validUntil: expect.any(Number),
    });
    expect(await listed({ reference: 'by broadcast' })).toEqual([hash]);
  });
});
