/**
 * The ABCI application on its stored state, and the server that answers a node with it.
 *
 * @module
 */
import { answerRequest, Application } from '../engine/cometbft/app/index.ts';
import { AbciServer } from '../engine/cometbft/app/socket-abci-server.ts';
import { openSqliteAppStore } from '../engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../engine/cometbft/app/sqlite-snapshot-store.ts';
import type { Clock, Logger } from '../engine/ports.ts';
import { EngineStartError } from '../engine/start-error.ts';
import type { AppConfig } from './app-config.ts';
import { StartError } from './start-error.ts';

export interface OpenApplication {
  readonly application: Application;
  readonly server: AbciServer;
  /** Closes the stores; after the server. */
  close(): void;
}

interface Surroundings {
  clock: Clock;
  logger: Logger;
  /** Called with a defect. */
  die: (error: unknown) => void;
}

/** @throws StartError that names what the operator has to change. */
export function openApplication(config: AppConfig, files: { app: string; snapshots: string }, { clock, logger, die }: Surroundings): OpenApplication {
  const opened: { close(): void }[] = [];
  const close = (): void => {
    for (const part of opened) part.close();
  };
  try {
    const store = openSqliteAppStore(files.app);
    opened.push(store);
    const snapshots = openSqliteSnapshotStore(files.snapshots);
    opened.push(snapshots);
    const { snapshotIntervalBlocks, chainId } = config;
    const application = new Application({ store, snapshots, snapshotIntervalBlocks, chainId, later: setImmediate, logger });
    opened.unshift(application);
    const server = new AbciServer({ answer: (request) => answerRequest(application, request), onDefect: die, later: setImmediate, clock, logger });
    return { application, server, close };
  } catch (error) {
    close();
    if (error instanceof EngineStartError) throw new StartError(error.message);
    throw error;
  }
}
