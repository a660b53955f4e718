/**
 * One run of the ABCI application: the lock on DATA_DIR, the stored state, the socket, and the signal that ends it.
 *
 * @module
 */
import { answerRequest, Application } from '../engine/cometbft/app/index.ts';
import { AbciServer } from '../engine/cometbft/app/socket-abci-server.ts';
import { openSqliteAppStore } from '../engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../engine/cometbft/app/sqlite-snapshot-store.ts';
import type { Logger } from '../engine/ports.ts';
import { EngineStartError } from '../engine/start-error.ts';
import { type AppConfig, isLocal } from './app-config.ts';
import { beginProcess } from './begin.ts';
import { openDataDir } from './data-dir.ts';
import { createClock } from './environment.ts';
import { endOnSignal } from './lifetime.ts';
import { StartError } from './start-error.ts';

/** The database is for the owner of the process only, and so is a Unix socket. */
/** Opens what the application stands on. Throws a StartError that names what the operator has to change. */
function openApplication(config: AppConfig, files: { app: string; snapshots: string }, logger: Logger) {
  const opened: { close(): void }[] = [];
  try {
    const store = openSqliteAppStore(files.app);
    opened.push(store);
    const snapshots = openSqliteSnapshotStore(files.snapshots);
    opened.push(snapshots);
    const { snapshotIntervalBlocks, chainId } = config;
    const application = new Application({ store, snapshots, snapshotIntervalBlocks, chainId, later: setImmediate, logger });
    opened.unshift(application);
    return {
      application,
      close: () => {
        for (const part of opened) part.close();
      },
    };
  } catch (error) {
    for (const part of opened) part.close();
    if (error instanceof EngineStartError) throw new StartError(error.message);
    throw error;
  }
}

/** Starts the application and returns when it listens; signals end the process from then on. */
export async function runApp(config: AppConfig): Promise<void> {
  const { logger, die } = beginProcess(config.logLevel);
  const clock = createClock();
  const dataDir = openDataDir(config.dataDir);
  const { application, close } = openApplication(config, dataDir.files, logger);
  const server = new AbciServer({ answer: (request) => answerRequest(application, request), onDefect: die, later: setImmediate, clock, logger });
  try {
    await server.listen(config.listen);
  } catch (error) {
    close();
    throw new StartError(`ABCI_LISTEN ${config.listenText} cannot be listened on: ${(error as Error).message}`);
  }
  const drain = async (): Promise<void> => {
    await server.close();
    close();
  };
  endOnSignal({ clock, logger, drain, exit: (code) => process.exit(code), signals: process });
  if (!isLocal(config.listen)) {
    logger.warn({ listen: config.listenText }, 'ABCI knows no authentication: whoever reaches this address can change the state');
  }
  logger.info({ listen: config.listenText, height: application.height, dataDir: config.dataDir }, 'ready');
}
