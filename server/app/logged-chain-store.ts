/**
 * The engine's store over the log: a block is durable with one entry of log.db. It is read from chain.db, or from memory until chain.db has
 * it.
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
 * Bounds on blocks that chain.db does not have yet. They are held in memory here and in each thread that reads the log. Payments stop
 * earlier (at 20,000 transfers, some 10 MB of blocks), so these bounds are for blocks without payments: at most 33 minutes of blocks of one
 * second, and 64 MiB.
 */
const BEHIND_MAX = { blocks: 2000, bytes: 64 * 1024 * 1024 } as const;

export interface LoggedChainStoreOptions {
  /** Store over a connection that reads chain.db; it also writes height 0. */
  rows: SqliteChainStore;
  log: ChainLog;
  /** Source of the rows that a block settles. */
  ledgerLog: LedgerLog;
  index: Pick<ChainIndex, 'height'>;
  /** Returns the leaf of the next new account. */
  nextLeaf: () => number;
  /** BEHIND_MAX when absent. */
  behindMax?: { blocks: number; bytes: number } | undefined;
  /** Called when the log has one more block. */
  onBlock: (height: number) => void;
}

export function loggedChainStore(options: LoggedChainStoreOptions): ChainStore {
  const { rows, log, ledgerLog, index, onBlock, behindMax = BEHIND_MAX } = options;
  /** Blocks that were not in chain.db at the last look, by height. */
  const recent = new Map<number, BlockUpdate>();
  let recentBytes = 0;
  let nextLeaf: number | undefined;
  /** The block that could not be appended to the log. */
  let held: { update: BlockUpdate; entry: string } | undefined;

  /** Forgets the blocks that chain.db has. Query chain.db after this call, so that a block is found in one of the two places. */
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
        // The same as in chain.db: a transaction that the rules refused in a block is not found there.
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
