/** A first start that is killed on its way, again and again. operation.test.ts has what one start and one end do. */
import { existsSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { dataDirFiles } from '../../server/app/data-dir.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf } from './support/development.ts';
import { freePort, READY_MS_MAX, Server } from './support/server.ts';

const TEST_MS_MAX = 2 * READY_MS_MAX;

let server: Server | undefined;

afterEach(() => server?.stop('SIGKILL'));
afterAll(removeTemporaryFolders);

test(
  'a start that was killed as soon as each of its files appeared leaves a folder that the next start carries on',
  async () => {
    const fresh = new Server({ dataDir: await temporaryFolder('e2e'), port: await freePort() });
    server = fresh;
    const files = dataDirFiles(fresh.dataDir);
    // In the order in which a first start makes them. A kill takes a moment, in which the next file may come to be.
    const order = ['lock', 'validatorKey', 'operatorKey', 'genesis', 'chain', 'development', 'search'] as const;
    for (const name of order) {
      if (existsSync(files[name])) continue;
      fresh.spawn();
      while (!existsSync(files[name])) await new Promise((resolve) => setImmediate(resolve));
      await fresh.stop('SIGKILL');
    }
    await fresh.start();
    const chain = chainOf(fresh, await fresh.development());
    expect((await chain.submit(chain.signed(0, 1, 5n, 0), { prefer: 'wait=30' })).status).toBe(201);
  },
  TEST_MS_MAX,
);
