/** The events of the ledger for tests: as a stream, as pages, and to waits; each judged by the contract. */
import { expect, test } from '@jest/globals';
import {
  cancelTransaction,
  createClient,
  events,
  type LedgerEvent,
  listEvents,
  sendTransfer,
  signTransfer,
  submitTransaction,
  waitForTransaction,
} from '../../client/src/index.ts';
import { createTestLedger } from '../../client/src/testing/index.ts';
import { answerFaults } from './support/contract.ts';

async function first(count: number, of: AsyncIterable<LedgerEvent>): Promise<LedgerEvent[]> {
  const found: LedgerEvent[] = [];
  for await (const event of of) if (found.push(event) === count) break;
  return found;
}

const short = ({ id, type, data }: LedgerEvent): unknown[] => [
  id,
  type,
  data.transaction.amount,
  data.transaction.reason?.code,
];

test('tell every way in which a transfer ends, in the order of blocks, as a stream and as pages', async () => {
  const ledger = createTestLedger({ accounts: { alice: 1_000n, bob: 50n }, blocks: 'manual' });
  const client = createClient(ledger.clientOptions);
  const { alice, bob } = ledger.accounts;
  const told = first(5, events(client, { after: '0' }));
  const pay = (amount: bigint, nonce?: number) =>
    sendTransfer(client, { signer: alice.signer, to: bob.address, amount, ...(nonce !== undefined && { nonce }) });
  await pay(1n);
  await sendTransfer(client, { signer: bob.signer, to: alice.address, amount: 2n, reference: 'INV 1' });
  ledger.commit();
  const gap = await pay(3n, 5);
  await cancelTransaction(client, { txHash: gap.signed.txHash, waitMs: 0 });
  ledger.commit();
  const late = await pay(4n, 6);
  ledger.expire(late.signed.txHash);
  ledger.commit();
  await pay(5n);
  ledger.commit();
  const list = await told;
  expect(list.map(short).map(([, ...rest]) => rest)).toEqual(
    expect.arrayContaining([
      ['transaction.committed', '1', undefined],
      ['transaction.committed', '2', undefined],
      ['transaction.cancelled', '3', undefined],
      ['transaction.expired', '4', undefined],
      ['transaction.committed', '5', undefined],
    ]),
  );
  expect(list.map(({ id }) => id)).toEqual(['2-0', '2-1', '3-0', '4-0', '5-0']);
  const pages = [await listEvents(client, { order: 'asc', limit: 3 })];
  pages.push(await listEvents(client, { order: 'asc', limit: 3, cursor: pages[0]!.nextCursor! }));
  expect(pages.flatMap((page) => page.events)).toEqual(list);
  expect(pages[1]).toMatchObject({ height: 5 });
  expect(pages[1]!.nextCursor).toBeUndefined();
  const newest = await listEvents(client, { limit: 1 });
  expect(newest.events).toEqual(list.slice(-1));
  expect((await first(1, events(client, { after: '0', reference: 'INV 1' })))[0]!.data.transaction.reference).toBe(
    'INV 1',
  );
  expect(
    (
      await first(
        1,
        events(client, {
          after: '2-1',
          status: 'expired',
          owner: 'test',
          account: bob.address,
          type: 'transaction.expired',
        }),
      )
    )[0],
  ).toEqual(list[3]);
  expect((await listEvents(client, { after: '2', order: 'asc', limit: 1_000 })).events).toEqual(list.slice(2));
  const answer = await ledger.fetch('http://ledger.test/events?after=0', {
    headers: { authorization: `Bearer ${ledger.clientOptions.token}` },
  });
  expect(await answerFaults('GET', '/events', answer)).toEqual({ operationId: 'listEvents', faults: [] });
});

test('come by themselves while a stream is open', async () => {
  const ledger = createTestLedger({ accounts: { alice: 1_000n, bob: 0n } });
  const client = createClient(ledger.clientOptions);
  const { alice, bob } = ledger.accounts;
  const stream = events(client);
  const next = stream.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const sent = await sendTransfer(client, { signer: alice.signer, to: bob.address, amount: 7n });
  expect(sent.transaction.status).toBe('pending');
  expect((await next).value.data.transaction).toMatchObject({ txHash: sent.signed.txHash, status: 'committed' });
  await stream.return?.();
});

test('wake the waits of many', async () => {
  const ledger = createTestLedger({ accounts: { alice: 1_000n, bob: 0n }, blocks: 'manual' });
  const client = createClient(ledger.clientOptions);
  const { alice, bob } = ledger.accounts;
  const chain = { chainId: 'txledger-test-1', addressPrefix: 'txlt' } as const;
  const signed = await Promise.all(
    Array.from({ length: 5 }, (_, nonce) =>
      signTransfer({ signer: alice.signer, chain, to: bob.address, amount: 1n, nonce }),
    ),
  );
  for (const each of signed) await submitTransaction(client, { signed: each });
  const waits = signed.map(({ txHash }) => waitForTransaction(client, { txHash }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  ledger.commit();
  expect((await Promise.all(waits)).map(({ outcome }) => outcome)).toEqual(Array(5).fill('committed'));
});

test.each([
  ['text/event-stream', '?limit=3', undefined, 400],
  ['text/event-stream', '?after=1-', undefined, 400],
  ['text/event-stream', '', '1.5', 400],
  ['text/event-stream', '?status=pending', undefined, 400],
  ['text/event-stream', '?account=txlt1', undefined, 400],
  ['text/event-stream', '?owner=other', undefined, 403],
  ['application/json', '?after=1&order=desc', undefined, 400],
  ['text/csv', '', undefined, 406],
])('are refused as a service refuses them: %s %s', async (accept, query, lastId, status) => {
  const ledger = createTestLedger({ accounts: { alice: 1n }, tokens: { txl_b: { owner: 'b' } } });
  const headers = { accept, authorization: 'Bearer txl_b', ...(lastId && { 'last-event-id': lastId }) };
  expect((await ledger.fetch(`http://ledger.test/events${query}`, { headers })).status).toBe(status);
});

test('a place that the log does not reach is 409, as a stream and as a page', async () => {
  const client = createClient(createTestLedger({ accounts: { alice: 1n } }).clientOptions);
  for (const asked of [
    () => first(1, events(client, { after: '98310' })),
    () => listEvents(client, { after: '98310' }),
  ])
    await expect(asked()).rejects.toMatchObject({ code: 'place_ahead', height: 1 });
});
