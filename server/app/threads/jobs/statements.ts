/**
 * Makes statements.db from the blocks of chain.db, for a server with the embedded engine. It only reads chain.db.
 *
 * Only statements wait for it, so it runs with the processor time that the other threads leave.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { statementBlocks } from '../../../engine/embedded/sqlite-statement-blocks.ts';
import { StatementIndex } from '../../../engine/statements/index.ts';
import type { GenesisDocument } from '../../../ledger/index.ts';
import { openChainReader, STREAM_CACHE_KIB } from '../../../store/embedded/connection.ts';
import type { LogLevel } from '../../config.ts';
import { createClock } from '../../environment.ts';
import { createLogger } from '../../logging.ts';
import { giveWay } from '../give-way.ts';

export interface StatementsJob {
  genesis: GenesisDocument;
  /** The file of chain.db. */
  chainFile: string;
  statementsFile: string;
  logLevel: LogLevel;
}

export function run({ genesis, chainFile, statementsFile, logLevel }: StatementsJob, port: MessagePort): void {
  const logger = createLogger({ level: logLevel, thread: 'statements' });
  const reason = giveWay();
  if (reason !== undefined) logger.debug({ reason }, 'the statements have the priority of every other thread');
  const sql = openChainReader(chainFile, STREAM_CACHE_KIB);
  const index = new StatementIndex({
    path: statementsFile,
    genesis,
    source: statementBlocks(sql),
    clock: createClock(),
    logger,
  });
  port.once('message', () => {
    index.close();
    sql.close();
    port.close();
  });
}
