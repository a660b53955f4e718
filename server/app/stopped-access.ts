/**
 * Tokens, bound addresses and the audit trail of a chain without a running service: a change is appended to the log, as a service does it,
 * and then written to chain.db. The caller holds the lock of the folder.
 *
 * @module
 */
import { accessQuestions, accessRows, accessWriter } from '../store/embedded/admin.ts';
import { ChainLog, isBegun } from '../store/embedded/chain-log.ts';
import { CommitCount, commitCountMemory } from '../store/embedded/commit-count.ts';
import { type ChainConnection, writing } from '../store/embedded/connection.ts';
import { StoreUnavailableError } from '../store/errors.ts';
import type { AccessWrite } from '../store/types.ts';
import { decideAtOnce } from '../gateway/access/changes.ts';
import type { AdministeredAccess } from '../gateway/index.ts';

export interface StoppedAccess extends AdministeredAccess {
  /** Durable when it returns. Throws as `Store.write` does. */
  write(writes: readonly AccessWrite[]): void;
  close(): void;
}

/** @param sql a connection that writes chain.db; the caller that opened it closes it. @param file the file behind it. */
export async function openStoppedAccess(sql: ChainConnection, file: string): Promise<StoppedAccess> {
  const rows = accessRows(sql);
  const { write, close } = isBegun(sql) ? await intoLog(sql, file) : { write: beforeTheChain(sql), close: () => {} };
  return {
    write,
    run: async (change) => {
      const { result, writes } = decideAtOnce(rows, change);
      if (writes.length > 0) write(writes);
      return result;
    },
    now: accessQuestions(rows),
    close,
  };
}

/** Records a start that is refused, with one entry. chain.db is not written, because it may be the reason. */
export function appendStopped(sql: ChainConnection, file: string, writes: readonly AccessWrite[]): void {
  if (!isBegun(sql)) return beforeTheChain(sql)(writes);
  const log = openLog(sql, file);
  try {
    log.appendAccess(writes);
  } finally {
    log.close();
  }
}

/** A log names its chain, which does not exist yet: the chain begins with these rows. */
function beforeTheChain(sql: ChainConnection): StoppedAccess['write'] {
  const write = accessWriter(sql);
  return (writes) => writing(sql, () => write(writes));
}

async function intoLog(sql: ChainConnection, file: string): Promise<Pick<StoppedAccess, 'write' | 'close'>> {
  // This import loads the engine, which a folder without a chain does not need.
  const { chainAtOnce } = await import('./chain-index.ts');
  const log = openLog(sql, file);
  let index: ReturnType<typeof chainAtOnce>;
  try {
    const commits = new CommitCount(commitCountMemory());
    index = chainAtOnce({ sql, file, log, chainId: chainOf(sql).chainId, commits });
  } catch (error) {
    log.close();
    throw error;
  }
  return {
    write: (writes) => {
      log.appendAccess(writes);
      try {
        index.wake();
      } catch (error) {
        // The change is in the log: the next start, or the next command, writes the rows.
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
    },
    close: () => {
      void index.close();
      log.close();
    },
  };
}

const openLog = (sql: ChainConnection, file: string): ChainLog =>
  new ChainLog({ sql, chainFile: file, chain: chainOf(sql) });

const chainOf = (sql: ChainConnection): { chainId: string; genesisHash: string } =>
  sql.prepare('SELECT chain_id AS chainId, genesis_hash AS genesisHash FROM chain').get() as {
    chainId: string;
    genesisHash: string;
  };
