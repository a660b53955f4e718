/**
 * Input for applying a block: its transactions, the rows that it meets, and the outcome by the ledger's rules.
 *
 * Most of the time of applying a block is reading and executing, and both need no lock, so it is done before the write transaction, on a
 * snapshot. The transaction's compare-and-set then proves that the snapshot was of the block's parent: balances, nonces, voids and
 * governance change with a block only. What others may change in between, accepted transfers and requested cancels, `readAgain` reads under
 * the lock.
 */
import type { CommittedBlock } from '../../engine/port.ts';
import type { ChainContext, FinalizedBlock, GovernanceState } from '../../ledger/index.ts';
import { decodeTransaction, finalizeBlock, txHash, verifyTransaction } from '../../ledger/index.ts';
import type { ReadTransaction, StoredAccount, StoredShard, StoredTransfer } from '../../store/index.ts';
import type { BlockTransaction } from './block-effects.ts';
import { ContradictionError } from './block-effects.ts';
import { addressesTouched, Projection, slotKey, slotsTouched } from './projection.ts';

export interface BlockReading {
  transactions: readonly BlockTransaction[];
  governance: GovernanceState;
  view: Projection;
  finalized: FinalizedBlock;
  /** Every row at a slot that the block uses, by `slotKey`. */
  rows: ReadonlyMap<string, readonly StoredTransfer[]>;
}

/** Read under the locks. */
export interface LockedReading extends BlockReading {
  shards: readonly StoredShard[];
}

/** The ledger's rules give other codes than the engine reports: one of the two is wrong about money. Nothing was written. */
export class ResultsContradictionError extends ContradictionError {
  override readonly name = 'ResultsContradictionError';
}

/** Evidence changes validators without a transaction. */
export const isEmpty = ({ transactions, misbehavior }: CommittedBlock): boolean =>
  transactions.length === 0 && misbehavior === undefined;

/** Pending transfers of an account that memory has: a hint, which `readAgain` compares with the rows. */
export type PendingAt = (accountId: number, nonce: number) => StoredTransfer | undefined;

/** Undefined when the store is not at the block's parent. */
export async function readAhead(
  tx: ReadTransaction,
  chain: ChainContext,
  block: CommittedBlock,
  pendingAt: PendingAt,
): Promise<BlockReading | undefined> {
  const [follower, reading] = await Promise.all([tx.follower(), rowsOf(tx, block, pendingAt)]);
  return follower?.height === block.height - 1 && follower.hash === block.parentHash
    ? executed(chain, block, reading)
    : undefined;
}

/** The store must be at the block's parent. */
export async function readBlock(
  tx: ReadTransaction,
  chain: ChainContext,
  block: CommittedBlock,
): Promise<LockedReading> {
  const [shards, rows] = await Promise.all([tx.shards(), rowsOf(tx, block, () => undefined)]);
  return { ...executed(chain, block, rows), shards };
}

/**
 * Reads again, under the locks that the caller holds, what was read ahead. The compare-and-set proves that the store is still at the
 * block's parent.
 */
export async function readAgain(tx: ReadTransaction, ahead: BlockReading): Promise<LockedReading> {
  const { view, governance } = ahead;
  const transactions = ahead.transactions.map(({ tx: read }) => read);
  const slots = slotsTouched(transactions);
  const kept = slots.flatMap((slot) => alonePending(ahead.rows.get(slotKey(slot))) ?? []);
  const keptSlots = new Set(kept.map(slotKey));
  const [shards, accounts, found, changed] = await Promise.all([
    tx.shards(),
    tx.accountsByAddress(addressesTouched(transactions)),
    tx.transfersAt(slots.filter((slot) => !keptSlots.has(slotKey(slot)))),
    tx.pendingChanged(kept),
  ]);
  // A database that was set back assigns its numbers again, and a person with access to the database may change rows.
  if (changed.some((row) => !keptSlots.has(slotKey(row))))
    throw new ContradictionError('a pending row is another transfer than a moment ago');
  return {
    ...ahead,
    shards,
    view: new Projection(view.chain, governance, accounts),
    rows: new Map([...bySlot(kept), ...bySlot([...found, ...changed])]),
  };
}

interface Rows extends Pick<BlockReading, 'transactions' | 'governance' | 'rows'> {
  accounts: StoredAccount[];
}

async function rowsOf(tx: ReadTransaction, block: CommittedBlock, pendingAt: PendingAt): Promise<Rows> {
  const transactions = block.transactions.map((raw, index): BlockTransaction => {
    const decoded = decodeTransaction(raw);
    return { tx: decoded.ok ? decoded.tx : undefined, hash: txHash(raw), code: block.codes[index] ?? Number.NaN };
  });
  const parsed = transactions.map((transaction) => transaction.tx);
  const [governance, accounts] = await Promise.all([tx.governance(), tx.accountsByAddress(addressesTouched(parsed))]);
  if (governance === undefined)
    throw new ContradictionError('the store has no governance record: it was never initialised');
  const ids = new Map(accounts.map(({ address, id }) => [address, id]));
  const slots = slotsTouched(parsed);
  const inMemory = slots.flatMap(({ from, nonce }) => {
    const id = ids.get(from);
    return (id === undefined ? undefined : pendingAt(id, nonce)) ?? [];
  });
  const known = new Set(inMemory.map(slotKey));
  const found = await tx.transfersAt(slots.filter((slot) => !known.has(slotKey(slot))));
  return { transactions, governance, accounts, rows: bySlot([...inMemory, ...found]) };
}

/**
 * The only row at its slot, pending and without a requested cancel: no other row comes beside it before a block decides, and the only
 * possible change of it is a requested cancel.
 */
function alonePending([row, ...others]: readonly StoredTransfer[] = []): StoredTransfer | undefined {
  const isAlone =
    row?.status === 'pending' &&
    others.length === 0 &&
    row.cancelRequestedAtMs === undefined &&
    row.expiryRequestedAtMs === undefined;
  return isAlone ? row : undefined;
}

const bySlot = (transfers: readonly StoredTransfer[]): Map<string, StoredTransfer[]> => Map.groupBy(transfers, slotKey);

/**
 * A row of this store was verified when it was accepted, so the signature of the very same bytes needs no second check. Nothing is decoded
 * again.
 */
function executed(
  chain: ChainContext,
  block: CommittedBlock,
  { transactions, governance, accounts, rows }: Rows,
): BlockReading {
  const view = new Projection(chain, governance, accounts);
  const verified = new Set([...rows.values()].flat().map((row) => row.hash));
  const read = new Map(block.transactions.map((raw, index) => [raw, transactions[index] as BlockTransaction]));
  const finalized = finalizeBlock(view, block.transactions, block, {
    read: (raw) => {
      const { tx, hash } = read.get(raw) as BlockTransaction;
      return verifyTransaction(chain, raw, { hash, signatureVerified: verified.has(hash), ...(tx && { tx }) });
    },
  });
  const ours = finalized.results.map((result) => result.code);
  if (ours.length !== block.codes.length || ours.some((code, index) => code !== block.codes[index])) {
    throw new ResultsContradictionError(
      `block ${block.height} executes here with the codes [${ours}], the engine says [${block.codes}]`,
    );
  }
  return { transactions, governance, view, finalized, rows };
}
