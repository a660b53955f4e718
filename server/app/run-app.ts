/**
 * One run of the ABCI application: the lock on DATA_DIR, the stored state, the socket, and the signal that ends it.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { type AppConfig, isLocal } from './app-config.ts';
import { beginProcess } from './begin.ts';
import { keepCompiled, keepCompiledSoon, makeCompileCache, NOT_CACHED } from './compile-cache.ts';
import { dataDirFiles, openDataDir } from './data-dir.ts';
import { createClock } from './environment.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import { endOnSignal } from './lifetime.ts';
import { StartError } from './start-error.ts';
import { startFault } from './start-fault.ts';

/** Starts the application and returns when it listens; from then on a signal ends the process. */
export async function runApp(config: AppConfig): Promise<void> {
  try {
    await start(config);
  } catch (error) {
    const { app } = dataDirFiles(config.dataDir);
    throw (
      startFault(error, {
        what: app,
        remedy:
          'Move DATA_DIR away: the application is made again from the blocks, or from a snapshot, of the other nodes; its node has to begin again with it.',
      }) ?? error
    );
  }
}

async function start(config: AppConfig): Promise<void> {
  const { logger, die } = beginProcess(config.logLevel);
  const clock = createClock();
  const dataDir = openDataDir(config.dataDir, { onTightened: (message) => logger.warn({}, message) });
  const uncached = makeCompileCache(dataDir.path);
  if (uncached !== undefined) logger.warn({ reason: uncached }, NOT_CACHED);
  await judgeUpgrade('application', { files: dataDir.files, clock, logger, chainId: config.chainId });
  // Imported only now, so that the compile cache also has it at the first start of a folder.
  const { openApplication } = await import('./open-application.ts');
  const beganMs = clock.monotonicMs();
  const { application, server, close } = openApplication(config, dataDir.files, { clock, logger, die });
  const readyMs = clock.monotonicMs();
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
    logger.warn(
      { listen: config.listenText },
      'ABCI knows no authentication: whoever reaches this address can change the state',
    );
  }
  const { height, accounts } = application;
  const openedMs = Math.round(readyMs - beganMs);
  logger.info(
    {
      listen: config.listenText,
      height,
      accounts,
      stateBytes: statSync(dataDir.files.app).size,
      openedMs,
      dataDir: config.dataDir,
    },
    'ready',
  );
  keepCompiledSoon(clock, dataDir.path, async () => keepCompiled());
}
