/**
 * Delivery of a gateway in a process of its own, to be killed: the product's module on a database that is shared.
 *
 *   node test/webhooks/deliverer.ts GATEWAY_ID DATABASE_URL
 */
import { createClock, createRandomSource } from '../../server/app/environment.ts';
import { createLogger } from '../../server/app/logging.ts';
import { openDelivery } from '../../server/app/webhooks/open-delivery.ts';
import { commitCountMemory } from '../../server/store/embedded/commit-count.ts';

const [gatewayId = '', url = ''] = process.argv.slice(2);
// It is open once it has asked for the lease.
await openDelivery({
  location: { kind: 'postgres', url },
  commits: commitCountMemory(),
  chainId: 'test-1',
  gatewayId,
  targets: { loopback: true, allowed: [] },
  version: 'test',
  calls: { appendAudit: async () => undefined },
  clock: createClock(),
  random: createRandomSource(),
  logger: createLogger({ level: 'silent', thread: 'main' }),
  onFault: (error) => {
    throw error;
  },
});
process.stdout.write('ready\n');
