/** `txledger start`: every thread and every page, with the files that they read, over a restart. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chainOf, type Chain } from '../e2e/support/chain.ts';
import { call, type Server } from '../e2e/support/server.ts';
import { EventClient } from '../http/support/event-client.ts';
import { expect, prints, serverOf, type Installed } from './installed.ts';

const BATCH = 1000;
const WAITED_MS_MAX = 20_000;
/** Everything that is served without a token. */
const PAGES = [
  '/',
  '/explorer/app.js',
  '/docs',
  '/docs/signing',
  '/docs/signing.md',
  '/docs/vectors/tree.json',
  '/docs/docs.css',
  '/openapi.json',
  '/openapi.yaml',
  '/workflows',
  '/llms.txt',
  '/changelog.atom',
  '/livez',
  '/metrics',
];

export async function checkStart(installed: Installed): Promise<string> {
  const dataDir = path.join(installed.scratch, 'start');
  const server = await serverOf(installed, dataDir, { variables: { LOG_LEVEL: 'info', HTTP_THREADS: '2' } });
  try {
    await server.start();
    expect(!server.output.includes('sodium-native cannot be loaded'), server.output);
    expect(
      server.output.includes('npx @transaction-ledger/server send'),
      'the command to paste is not one of this package',
    );
    const chain = chainOf(server, await server.development());
    await readPages(server);
    const sent = JSON.parse(
      await prints(installed, ['send', '--to', 'dev-1', '--amount', '5', '--wait', '--json'], { DATA_DIR: dataDir }),
    ) as { txHash: string };
    const receipt = await prints(installed, ['receipt', sent.txHash, '--verify', path.join(dataDir, 'genesis.json')], {
      DATA_DIR: dataDir,
    });
    expect(receipt.includes(sent.txHash), `the receipt: ${receipt}`);
    await sendBatch(chain);
    const entries = await chain.get(`/accounts/${chain.account(3).address}/entries?limit=${BATCH}`);
    expect(entries.status === 200 && entries.body.entries.length === BATCH, `the statement: ${entries.status}`);
    await hear(installed, chain, dataDir);
    const before = await chain.balances();
    expect((await server.stop()) === 0, `it did not end in good order: ${server.output}`);
    await server.start();
    expect((await chain.balances()).join() === before.join(), 'a restart changed balances');
  } finally {
    await server.stop('SIGKILL');
  }
  return `${PAGES.length} pages, a transfer with a verified receipt, a batch of ${BATCH}, a statement, the event stream, a webhook, a restart`;
}

async function readPages(server: Server): Promise<void> {
  for (const page of PAGES) {
    const { status } = await call(server.baseUrl + page);
    expect(status === 200, `${page} answers ${status}`);
  }
}

/** Large enough for the verifier threads. */
async function sendBatch(chain: Chain<Server>): Promise<void> {
  const transactions = Array.from({ length: BATCH }, (_, nonce) => chain.signed(2, 3, 1n, nonce));
  const { status, body } = await call(`${chain.server.baseUrl}/transactions/batch`, {
    method: 'POST',
    token: chain.dev.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ transactions }),
  });
  const accepted = (body.results as { outcome: string }[]).filter(({ outcome }) => outcome === 'accepted').length;
  expect(status === 200 && accepted === BATCH, `the batch: ${status}, ${accepted} accepted`);
  const last = await chain.submit(transactions.at(-1) ?? {}, { prefer: 'wait=30' });
  expect(last.body.status === 'committed', `the last of the batch: ${last.status} ${last.body.status}`);
}

/** One payment, as the event stream and a webhook tell of it. */
async function hear(installed: Installed, chain: Chain<Server>, dataDir: string): Promise<void> {
  const signal = AbortSignal.timeout(WAITED_MS_MAX);
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const { port } = receiver.address() as AddressInfo;
    await prints(installed, ['webhook', 'create', `http://127.0.0.1:${port}/`, '--json'], { DATA_DIR: dataDir });
    const stream = await new EventClient(Number(new URL(chain.server.baseUrl).port), '/events', {
      Authorization: `Bearer ${chain.dev.token}`,
    }).opened();
    const delivered = once(receiver, 'request', { signal });
    await chain.submit(chain.signed(4, 5, 1n, 0), { prefer: 'wait=30' });
    await stream.until(() => stream.events.length > 0);
    const [request] = (await delivered) as [{ headers: Record<string, string | undefined> }];
    expect(request.headers['webhook-signature']?.startsWith('v1,') === true, 'the webhook is not signed');
    stream.destroy();
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}
