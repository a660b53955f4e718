import { existsSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { COMETBFT, freePorts, Localnet, LOCALNET_READY_MS_MAX, STOP_MS_MAX } from './localnet.ts';

export { Localnet, LOCALNET_READY_MS_MAX } from './localnet.ts';

const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';

/** PostgreSQL and cometbft have to be there; without them there is no network to test. Skipped, by its name, then. */
export const localnetSuite = existsSync(COMETBFT) && existsSync(POSTGRES) ? describe : describe.skip;

/** A network that is not started yet, on free ports and in a folder that does not exist. */
export async function newLocalnet(variables: Record<string, string> = {}): Promise<Localnet> {
  return new Localnet({
    dataDir: path.join(await temporaryFolder('localnet'), 'data'),
    port: await freePorts(),
    variables,
  });
}

/** Starts a network before the tests of a suite and ends it after them. @returns where to find it. */
export function withLocalnet(variables: Record<string, string> = {}): () => Localnet {
  let network: Localnet | undefined;
  beforeAll(async () => {
    network = await newLocalnet(variables);
    await network.start();
  }, LOCALNET_READY_MS_MAX);
  afterAll(async () => {
    await network?.destroy();
    await removeTemporaryFolders();
  }, STOP_MS_MAX);
  return () => {
    if (!network) throw new Error('the network is not running');
    return network;
  };
}

/** Whether this user may put a process before others. Root in a container may not always. */
export function mayPutFirst(): boolean {
  const own = getPriority();
  try {
    setPriority(own - 1);
  } catch {
    return false;
  }
  setPriority(own);
  return true;
}
