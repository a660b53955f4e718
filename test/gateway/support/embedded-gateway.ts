/** The gateway over the embedded engine, on real files: the parts as the product runs them, but with HTTP's part on the same thread. */
import { join } from 'node:path';
import { openEmbeddedLedger, type EmbeddedLedger } from '../../../server/app/embedded-ledger.ts';
import { validatorKeyFromSeed } from '../../../server/engine/embedded/index.ts';
import { createGatewayFront, type Gateway } from '../../../server/gateway/index.ts';
import { openChainDatabase, type ChainConnection } from '../../../server/store/embedded/connection.ts';
import { operatorSeed, testGenesis, validatorSeed } from '../../ledger/support.ts';

type Options = Parameters<typeof openEmbeddedLedger>[0];

export interface EmbeddedGateway {
  sql: ChainConnection;
  ledger: EmbeddedLedger;
  gateway: Gateway;
  stop(): Promise<void>;
}

const genesis = testGenesis();
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Of the chain in `folder`, a new one where there is none. A fatal error is thrown. */
export async function openEmbeddedGateway(
  folder: string,
  options: Pick<Options, 'clock' | 'blockIntervalMs'> &
    Partial<
      Pick<Options, 'idleBlockMs' | 'limits' | 'commits' | 'writeChain' | 'connectLog' | 'behindMax' | 'onFatal'>
    > & {
      onOpen?: (sql: ChainConnection) => void;
    },
): Promise<EmbeddedGateway> {
  const file = join(folder, 'chain.db');
  const sql = openChainDatabase({ path: file });
  options.onOpen?.(sql);
  const ledger = await openEmbeddedLedger({
    sql,
    file,
    genesis,
    dataDir: folder,
    validatorKey: validatorKeyFromSeed(validatorSeed(0)),
    operatorSeed: operatorSeed(0),
    gatewayId: 'alone',
    fronts: 1,
    logger: silent,
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  const gateway = createGatewayFront(ledger.core, { chain: genesis, clock: options.clock });
  const stop = async (): Promise<void> => {
    await gateway.drain();
    await ledger.close();
    sql.close();
  };
  return { sql, ledger, gateway, stop };
}
