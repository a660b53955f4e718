import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { DevelopmentFile } from '../../../server/app/dev-file.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../app/support.ts';
import { chainOf, type Chain } from './chain.ts';
import { freePort, READY_MS_MAX, Server } from './server.ts';

export { chainOf, type Chain, type Sender } from './chain.ts';

/**
 * A chain that runs already, for tests that are put to one that they did not start: RUNNING_CHAIN is its data folder,
 * RUNNING_CHAIN_URL the door to use, and RUNNING_CHAIN_STORE its DATABASE_URL.
 */
const { RUNNING_CHAIN, RUNNING_CHAIN_URL, RUNNING_CHAIN_STORE } = process.env;

/** Whether the tests run against a chain that somebody else started. */
export const isRunningChain = RUNNING_CHAIN !== undefined;

async function runningChain(dataDir: string): Promise<Chain> {
  const dev = JSON.parse(await readFile(path.join(dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  const storeVariables: Record<string, string> =
    RUNNING_CHAIN_STORE === undefined ? {} : { DATABASE_URL: RUNNING_CHAIN_STORE, ENGINE: 'cometbft' };
  return chainOf(
    {
      baseUrl: RUNNING_CHAIN_URL ?? dev.baseUrl,
      dataDir,
      output: '',
      storeVariables: { DATA_DIR: dataDir, ...storeVariables },
    },
    dev,
  );
}

/** Starts a development chain before the tests of a file, or takes the one that runs, and ends what it started after them. @returns where to find it. */
export function withDevelopmentChain(variables: Record<string, string> = {}): () => Chain {
  const started = withOwnChain(variables, isRunningChain);
  let running: Chain | undefined;
  beforeAll(async () => {
    if (RUNNING_CHAIN !== undefined) running = await runningChain(RUNNING_CHAIN);
  });
  return () => running ?? started();
}

/** Starts a development chain of its own before the tests of a file and ends it after them: the tests may kill and restart it. */
export function withOwnChain(variables: Record<string, string> = {}, unneeded = false): () => Chain<Server> {
  let chain: Chain<Server> | undefined;
  beforeAll(async () => {
    if (unneeded) return;
    const server = new Server({ dataDir: await temporaryFolder('e2e'), port: await freePort(), variables });
    await server.start();
    chain = chainOf(server, await server.development());
  }, READY_MS_MAX);
  afterAll(async () => {
    await chain?.server.stop('SIGKILL');
    await removeTemporaryFolders();
  });
  return () => {
    if (!chain) throw new Error('the chain is not running');
    return chain;
  };
}
