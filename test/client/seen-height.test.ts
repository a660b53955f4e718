/** What the client has seen of the chain goes with what it reads next, so that no gateway answers less than another one did. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getTransaction, listTransactions, type SignedTransfer, submitTransaction } from '../../client/src/index.ts';
import { testClient } from './support/client.ts';
import { example } from './support/contract.ts';
import { type Answer, problem, ScriptedServer } from './support/scripted-server.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const page = (height?: string): Answer => ({
  status: 200,
  body: example('LastPage'),
  headers: height === undefined ? {} : { 'ledger-height': height },
});
const input = example('TransferWithHash');
const signed: SignedTransfer = { txHash: input.txHash.toUpperCase(), input };
const { from, to, amount } = input;
const committed = (height: string): Answer => ({
  status: 201,
  body: { ...example<object>('CommittedTransaction'), from, to, amount, txHash: signed.txHash },
  headers: { 'ledger-height': height },
});
const sent = (): (string | string[] | undefined)[] => server.seen.map(({ headers }) => headers['ledger-height-min']);

test('a read names the highest height that was answered, by a read or by a write', async () => {
  const { client } = testClient(server.baseUrl);
  server.script(page('41'), page('40'), committed('43'), page('43'), page());
  for (let at = 0; at < 2; at += 1) await listTransactions(client);
  await submitTransaction(client, { signed });
  for (let at = 0; at < 2; at += 1) await listTransactions(client);
  expect(sent()).toEqual([undefined, '41', undefined, '43', '43']);
});

test('each attempt names it, and what is behind is asked again after a pause', async () => {
  const { client, pauses } = testClient(server.baseUrl);
  server.script(page('41'), problem('height_not_reached'), page('41'));
  await listTransactions(client);
  await listTransactions(client);
  expect(sent()).toEqual([undefined, '41', '41']);
  expect(pauses).toHaveLength(1);
});

test('nothing is named to a service that tells no height, nor by a client that does not want it, and clients know nothing of each other', async () => {
  const quiet = testClient(server.baseUrl, { neverReadsBack: false });
  server.script(page('41'));
  for (let at = 0; at < 2; at += 1) await listTransactions(quiet.client);
  expect(sent()).toEqual([undefined, undefined]);
  const other = testClient(server.baseUrl);
  server.script(page());
  for (let at = 0; at < 2; at += 1) await listTransactions(other.client);
  expect(sent()).toEqual([undefined, undefined]);
});

test('what a height is not is passed over', async () => {
  const { client } = testClient(server.baseUrl);
  server.script(page('many'), page('-1'), problem('not_found'));
  for (let at = 0; at < 2; at += 1) await listTransactions(client);
  await getTransaction(client, { txHash: signed.txHash }).catch(() => undefined);
  expect(sent()).toEqual([undefined, undefined, undefined]);
});
