/**
 * The application's data folder at the height of the last block: a node that starts there reads that height with Info.
 *
 * The folder may be lost at any time, because the node executes its blocks again; so it need not be on disk before the seal.
 *
 * @module
 */
import { openSqliteAppStore } from '../../engine/cometbft/app/sqlite-app-store.ts';
import type { StoredState } from '../../engine/cometbft/app/index.ts';
import { openDataDir } from '../data-dir.ts';
import { GraduateError } from './graduate-error.ts';

/** @throws GraduateError when the folder holds another state; DataDirError when it cannot be used. */
export function writeApplicationState(folder: string, state: StoredState): void {
  const { files, release } = openDataDir(folder);
  try {
    const store = openSqliteAppStore(files.app);
    try {
      const found = store.load();
      if (
        found !== undefined &&
        (found.chain.chainId !== state.chain.chainId ||
          found.height !== state.height ||
          Buffer.compare(found.appHash, state.appHash) !== 0)
      ) {
        throw new GraduateError(
          `${files.app} holds the state of chain ${found.chain.chainId} at height ${found.height}. Name an empty folder for the application (--app-dir).`,
        );
      }
      if (found === undefined) store.replace(state);
    } finally {
      store.close();
    }
  } finally {
    release();
  }
}
