/**
 * The webhooks thread of a gateway in a process of its own, to be killed: the product's module on a database that is shared.
 *
 *   node test/webhooks/deliverer.ts GATEWAY_ID DATABASE_URL
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import { link } from '../../server/app/threads/link.ts';
import { commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import type { WebhooksControl, WebhooksThreadData } from '../../server/app/threads/webhooks.worker.ts';

const [gatewayId = '', url = ''] = process.argv.slice(2);
const data: WebhooksThreadData = {
  location: { kind: 'postgres', url },
  commits: commitCountMemory(),
  chainId: 'test-1',
  gatewayId,
  targets: { loopback: true, allowed: [] },
  version: 'test',
  logLevel: 'info',
};
const worker = new Worker(new URL('../../server/app/threads/webhooks.worker.ts', import.meta.url), {
  workerData: data,
  stdout: true,
});
// It answers once it has asked for the lease.
await link<WebhooksControl>(worker as unknown as MessagePort).numbers();
process.stdout.write('ready\n');
