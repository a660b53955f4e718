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

/**
 * Of blocks that chain.db does not have: they are in memory, and in that of each thread that reads the log. Payments wait long before (20,000 transfers, some
 * 10 MB of blocks), so these bounds are for what is no payment: at most 33 minutes of blocks of one second, and 64 MiB of their bytes.
 */
const BEHIND_MAX = { blocks: 2000, bytes: 64 * 1024 * 1024 } as const;

export interface LoggedChainStoreOptions {
  /** Of a connection that reads chain.db; it writes height 0 too. */
  rows: SqliteChainStore;
  log: ChainLog;
  /** What a block settles is taken from here. */
  ledgerLog: LedgerLog;
  index: Pick<ChainIndex, 'height'>;
  /** The leaf that the next new account takes. */
  nextLeaf: () => number;
  /** BEHIND_MAX when absent. */
  behindMax?: { blocks: number; bytes: number } | undefined;
  /** The log has one more block. */
  onBlock: (height: number) => void;
}

export function loggedChainStore(options: LoggedChainStoreOptions): ChainStore {
  const { rows, log, ledgerLog, index, onBlock, behindMax = BEHIND_MAX } = options;
  /** Blocks that chain.db did not have when it was asked last, by height. */
  const recent = new Map<number, BlockUpdate>();
  let recentBytes = 0;
  let nextLeaf: number | undefined;
  /** The log had no place for this block. */
  let held: { update: BlockUpdate; entry: string } | undefined;

  /** chain.db is queried after this, so a block is in one of the two places. */
  const forget = (): void => {
    for (const [height, { block }] of recent) {
      if (height > index.height) return;
      recent.delete(height);
      recentBytes -= block.bytes.length;
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
    hold: () => {
      forget();
      if (recent.size < behindMax.blocks && recentBytes < behindMax.bytes) return '';
      return 'chain.db is too many blocks behind log.db: no further block is made before it is written. Look for a full disk, or a process that holds chain.db';
    },
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
      recentBytes += update.block.bytes.length;
      onBlock(update.block.height);
      return undefined;
    },
  };
}
