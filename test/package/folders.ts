/** One DATA_DIR under the package and under the checkout, in turns: each reads and goes on with what the other wrote. */
import path from 'node:path';
import { chainOf } from '../e2e/support/chain.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { expect, serverOf, type Installed } from './installed.ts';

const TURNS = 2;

export async function checkFolders(installed: Installed): Promise<string> {
  for (const first of ['checkout', 'package'] as const) await takeTurns(installed, first);
  return 'a folder of the checkout goes on under the package and the other way round';
}

async function takeTurns(installed: Installed, first: 'checkout' | 'package'): Promise<void> {
  const dataDir = path.join(installed.scratch, `folder of the ${first}`);
  const ofCheckout = async (): Promise<Server> =>
    new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '100', LOG_LEVEL: 'error' } });
  const ofPackage = (): Promise<Server> => serverOf(installed, dataDir);
  const servers = first === 'checkout' ? [ofCheckout, ofPackage] : [ofPackage, ofCheckout];
  for (let turn = 0; turn < TURNS * servers.length; turn += 1) {
    const server = await servers[turn % servers.length]?.();
    if (server === undefined) throw new Error('no server');
    try {
      await server.start();
      const chain = chainOf(server, await server.development());
      // Each nonce is the one after what the server before has seen.
      const { status } = await chain.submit(chain.signed(0, 1, 1n, turn), { prefer: 'wait=30' });
      expect(status === 201, `begun by the ${first}, turn ${turn}: ${status} ${server.output}`);
      expect((await server.stop()) === 0, server.output);
    } finally {
      await server.stop('SIGKILL');
    }
  }
}
