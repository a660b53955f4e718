/**
 * The engine's store over the log: a block is made durable by one entry of log.db, and read from chain.db, or from memory for as long as
 * chain.db does not have it.
 *
 * @module
 */
import type { BlockUpdate, ChainStore, SqliteChainStore } from '../engine/embedded/index.ts';
import { isExecuted } from '../ledger/index.ts';
import type { ChainIndex } from '../gateway/embedded/settled.ts';
import { encodeBlockEntry } from '../store/embedded/block-entry.ts';
import type { ChainLog } from '../store/embedded/chain-log.ts';
import { StoreUnavailableError } from '../store/errors.ts';
import type { LedgerLog } from '../store/embedded/ledger-log.ts';

export interface LoggedChainStoreOptions {
  /** Of a connection that reads chain.db; it writes height 0 too. */
  rows: SqliteChainStore;
  log: ChainLog;
  /** What a block settles is taken from here. */
  ledgerLog: LedgerLog;
  index: Pick<ChainIndex, 'height'>;
  /** The leaf that the next new account takes. */
  nextLeaf: () => number;
  /** The log has one more block. */
  onBlock: (height: number) => void;
}

export function loggedChainStore(options: LoggedChainStoreOptions): ChainStore {
  const { rows, log, ledgerLog, index, onBlock } = options;
  /** Blocks that chain.db did not have when it was asked last, by height. */
  const recent = new Map<number, BlockUpdate>();
  let nextLeaf: number | undefined;
  /** The log had no place for this block. */
  let held: { update: BlockUpdate; entry: string } | undefined;

  /** chain.db is asked behind this, so a block is in one of the two places. */
  const forget = (): void => {
    for (const height of recent.keys()) {
      if (height > index.height) return;
      recent.delete(height);
    }
  };
  const kept = (height: number): BlockUpdate | undefined => {
    forget();
    return recent.get(height);
  };
  const last = (): BlockUpdate | undefined => {
    forget();
    return [...recent.values()].at(-1);
  };
  return {
    ...rows,
    height: () => last()?.block.height ?? rows.height(),
    lastSigned: () => last()?.signed ?? rows.lastSigned(),
    block: (height) => kept(height)?.block ?? rows.block(height),
    commit: (height) => kept(height)?.commit ?? rows.commit(height),
    executed: (height) => kept(height) ?? rows.executed(height),
    heightOf: (hash) => {
      forget();
      for (const { block } of recent.values()) if (Buffer.compare(block.id.hash, hash) === 0) return block.height;
      return rows.heightOf(hash);
    },
    locate: (hash) => {
      forget();
      const wanted = Buffer.from(hash).toString('hex').toUpperCase();
      const places = [];
      for (const { block, transactions, failures } of recent.values()) {
        const index = transactions.findIndex((transaction) => transaction.hash === wanted);
        // As chain.db has it: one that the rules refused in a block is not found there.
        const isRefused = failures.some(([failed, code]) => failed === index && !isExecuted(code));
        if (index >= 0 && !isRefused) places.push({ height: block.height, index });
      }
      return [...rows.locate(hash), ...places];
    },
    append: (update, within) => {
      nextLeaf ??= options.nextLeaf();
      const firstNew = nextLeaf;
      if (held?.update !== update) {
        within();
        held = { update, entry: encodeBlockEntry(update, ledgerLog.takeRows(), (leaf) => leaf >= firstNew) };
      }
      try {
        log.appendBlock(held.entry);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        ledgerLog.hold(error.message);
        return error.message;
      }
      held = undefined;
      ledgerLog.hold(undefined);
      for (const { leaf } of update.accounts) nextLeaf = Math.max(nextLeaf, leaf + 1);
      forget();
      recent.set(update.block.height, update);
      onBlock(update.block.height);
      return undefined;
    },
    // Between two blocks the thread that writes chain.db does it.
    maintain: () => undefined,
  };
}
