/** How the port is shared among HTTP threads, and where it is not. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';

import { ROOT } from '../../scripts/steps.ts';
import { createClock } from '../../server/app/environment.ts';
import { threadsHere } from '../../server/app/http-channels.ts';
import { listen, ListenError, probePort } from '../../server/app/listen.ts';
import { createGatewayFront } from '../../server/gateway/front.ts';
import type { GatewayCoreApi } from '../../server/gateway/index.ts';

const servers: Server[] = [];
const server = (): Server => {
  const made = createServer();
  servers.push(made);
  return made;
};
const portOf = (of: Server): number => (of.address() as AddressInfo).port;

afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => new Promise((resolve) => each.close(resolve))));
});

describe('the port', () => {
  test('can be listened at by several sockets that share it', async () => {
    const [first, second] = [server(), server()];
    await listen(first, '127.0.0.1', 0, { shared: true });
    await listen(second, '127.0.0.1', portOf(first), { shared: true });
    expect(portOf(second)).toBe(portOf(first));
  });

  test.each([true, false])(
    'is refused when another program has it, also one that would share it: %p',
    async (shared) => {
      const other = server();
      await listen(other, '127.0.0.1', 0, { shared });
      await expect(probePort('127.0.0.1', portOf(other))).rejects.toThrow(ListenError);
      await expect(probePort('127.0.0.1', portOf(other))).rejects.toThrow('another program listens there');
    },
  );

  test('is free again after the probe, at the address that the name stands for', async () => {
    const first = server();
    await listen(first, '127.0.0.1', 0);
    const port = portOf(first);
    await new Promise((resolve) => first.close(resolve));
    expect(await probePort('127.0.0.1', port)).toBe('127.0.0.1');
    await listen(server(), '127.0.0.1', port);
  });
});

describe('the threads', () => {
  test('are one where the system does not share connections out, and the log says so', () => {
    const said: object[] = [];
    const logger = { warn: (fields: object) => said.push(fields) };
    expect([threadsHere(3, logger, 'linux'), threadsHere(1, logger, 'darwin')]).toEqual([3, 1]);
    expect(said).toEqual([]);
    expect(threadsHere(3, logger, 'darwin')).toBe(1);
    expect(said).toEqual([{ platform: 'darwin', httpThreads: 1 }]);
  });

  test('name their waits apart: the core keeps those of all fronts together', async () => {
    const asked: number[] = [];
    const core = {
      waitUntilSettled: async (_hash: string, { id }: { id: number }) => void asked.push(id),
    } as unknown as GatewayCoreApi;
    const options = { chain: { chainId: 'txledger-dev-1', addressPrefix: 'txlt' }, clock: createClock() } as const;
    const fronts = [
      createGatewayFront(core, options),
      createGatewayFront(core, { ...options, firstWait: 2 ** 45 }),
      createGatewayFront(core, { ...options, firstWait: 255 * 2 ** 45 }),
    ];
    for (const front of fronts) for (let at = 0; at < 3; at += 1) await front.waitUntilSettled('A'.repeat(64), 10);
    expect(new Set(asked).size).toBe(9);
    expect(asked.every(Number.isSafeInteger)).toBe(true);
  });

  test('have one monotonic clock', async () => {
    const source = `import { createClock } from 'file://${ROOT}/server/app/environment.ts'; import { parentPort } from 'node:worker_threads'; parentPort.postMessage(createClock().monotonicMs());`;
    const before = createClock().monotonicMs();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
    const [there] = (await once(worker, 'message')) as [number];
    const after = createClock().monotonicMs();
    expect(there).toBeGreaterThan(before);
    expect(there).toBeLessThan(after);
  });
});
