/**
 * The webhooks thread of a gateway in a process of its own, to be killed: the product's module on a database that is shared.
 *
 *   node test/webhooks/deliverer.ts GATEWAY_ID DATABASE_URL
 */
import { Worker } from 'node:worker_threads';
import type { WebhooksThreadData } from '../../server/app/threads/webhooks.worker.ts';

const [gatewayId = '', url = ''] = process.argv.slice(2);
const data: WebhooksThreadData = {
  location: { kind: 'postgres', url },
  webhooksFile: '',
  chainId: 'test-1',
  gatewayId,
  targets: { loopback: true, allowed: [] },
  version: 'test',
  logLevel: 'info',
};
new Worker(new URL('../../server/app/threads/webhooks.worker.ts', import.meta.url), { workerData: data });
