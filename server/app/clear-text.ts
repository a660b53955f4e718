/** Warnings at a start about what the server sends unprotected, because its operator allowed it. @module */
import type { Logger } from '../engine/ports.ts';
import type { Config } from './config.ts';
import { shownNode } from '../engine/cometbft/nodes/node-port.ts';
import { isInsecureDatabase, isInsecureNode, withoutPassword } from './engine-config.ts';

export function warnOfClearText(
  { databaseUrl, readDatabaseUrl, nodeUrls }: Pick<Config, 'databaseUrl' | 'readDatabaseUrl' | 'nodeUrls'>,
  logger: Logger,
): void {
  for (const url of [databaseUrl, readDatabaseUrl]) {
    if (url !== undefined && isInsecureDatabase(url))
      logger.warn(
        { database: withoutPassword(url) },
        'TXLEDGER_INSECURE_DATABASE: the password and every transfer can be read and changed on the way to the database',
      );
  }
  const nodes = nodeUrls.filter(isInsecureNode);
  if (nodes.length > 0)
    logger.warn(
      { nodes: nodes.map(shownNode) },
      'TXLEDGER_INSECURE_NODES: anyone on the way to these nodes can answer for them',
    );
}
