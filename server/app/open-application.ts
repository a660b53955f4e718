/**
 * Opens the ABCI application on its stored state, and the server that a node calls.
 *
 * @module
 */
import { availableParallelism } from 'node:os';
import { answerRequest, Application } from '../engine/cometbft/app/index.ts';
import { AbciServer, type AbciServerParts } from '../engine/cometbft/app/socket-abci-server.ts';
import { openSqliteAppStore } from '../engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../engine/cometbft/app/sqlite-snapshot-store.ts';
import type { Clock, Logger } from '../engine/ports.ts';
import { EngineStartError } from '../engine/start-error.ts';
import type { AppConfig } from './app-config.ts';
import { createRetention } from './retain-file.ts';
import { StartError } from './start-error.ts';
import { Verifiers } from './threads/verifiers.ts';

/**
 * Threads for signatures. With more threads, the single thread that reads the transactions is the limit. On one core no thread is started.
 */
const VERIFIERS_MAX = 7;

export interface OpenApplication {
  readonly application: Application;
  readonly server: AbciServer;
  /** Closes the stores. To be called after the server is closed. */
  close(): void;
}

interface Surroundings {
  clock: Clock;
  logger: Logger;
  /** Called with a defect. */
  die: (error: unknown) => void;
}

/** @throws StartError that names the necessary change. */
export function openApplication(
  config: AppConfig,
  files: { app: string; snapshots: string; retain: string },
  { clock, logger, die }: Surroundings,
): OpenApplication {
  const opened: { close(): void }[] = [];
  const close = (): void => {
    for (const part of opened) part.close();
  };
  try {
    const store = openSqliteAppStore(files.app, { logger });
    opened.push(store);
    const snapshots = openSqliteSnapshotStore(files.snapshots);
    opened.push(snapshots);
    const { snapshotIntervalBlocks, chainId } = config;
    const retainHeight = createRetention(files.retain, logger);
    const threads = Math.min(availableParallelism() - 1, VERIFIERS_MAX);
    const verifiers = new Verifiers({ threads, clock, logger });
    // A thread ends with the process.
    opened.push({ close: () => void verifiers.close() });
    const verifySignatures = threads > 0 ? verifiers.verify : undefined;
    const application = new Application({
      store,
      snapshots,
      snapshotIntervalBlocks,
      chainId,
      retainHeight,
      later: setImmediate,
      logger,
      clock,
      verifySignatures,
    });
    opened.unshift(application);
    const ahead: AbciServerParts['ahead'] = (requests) => application.verifyAhead(requests);
    const server = new AbciServer({
      answer: (request) => answerRequest(application, request),
      ahead,
      onDefect: die,
      later: setImmediate,
      clock,
      logger,
    });
    return { application, server, close };
  } catch (error) {
    close();
    if (error instanceof EngineStartError) throw new StartError(error.message);
    throw error;
  }
}
