/**
 * Effects of one block on the rows of this gateway: the rows that it settles and how, the new rows, and their places in the event log.
 * Pure.
 *
 * Within one block a (sender, nonce) is used at most once, so each executed transaction decides its slot alone. A slot has at most one
 * pending row, so a block has at most two events for each of its transactions: of the transaction itself, and of the row that lost its
 * nonce to it. The second kind comes behind all of the first, so that no place depends on which transfers this gateway has seen.
 */
import type { CommittedBlock } from '../../engine/port.ts';
import type { Cancel, Transaction, Transfer } from '../../ledger/index.ts';
import { CODES, isExecuted } from '../../ledger/index.ts';
import type { Settlement, StoredReason, StoredTransfer } from '../../store/index.ts';
import { isSamePayment } from '../same-payment.ts';

export interface BlockTransaction {
  /** Undefined when the bytes do not decode as a transaction: such bytes have no effect. */
  tx: Transaction | undefined;
  hash: string;
  code: number;
}

/** A transfer that was not submitted here. */
export interface SeenTransfer {
  tx: Transfer;
  hash: string;
  status: 'committed' | 'failed';
  reason: StoredReason | undefined;
  /** Its place among the events of the block. */
  index: number;
}

/** A nonce that a cancel voided while no transfer of this store was pending at it. */
export interface UnknownVoid {
  from: string;
  nonce: number;
  /** The transfer that the cancel names. */
  hash: string;
  index: number;
}

export interface BlockEffects {
  /** `index`: its place among the events of the block. */
  settled: { transfer: StoredTransfer; settlement: Settlement; index: number }[];
  seen: SeenTransfer[];
  voided: UnknownVoid[];
}

/** The store contradicts the chain: it has a row that is settled in another way than by the block. */
export class ContradictionError extends Error {
  override readonly name: string = 'ContradictionError';
}

type Moment = Pick<CommittedBlock, 'height' | 'timeMs'>;

/** `transfersAt` returns the rows of a slot, of any status. */
export function effectsOfBlock(
  block: Moment,
  transactions: readonly BlockTransaction[],
  transfersAt: (from: string, nonce: number) => readonly StoredTransfer[],
): BlockEffects {
  const effects: BlockEffects = { settled: [], seen: [], voided: [] };
  for (const [position, { tx, hash, code }] of transactions.entries()) {
    if (tx === undefined || !isExecuted(code) || tx.kind === 'governance') continue;
    const rows = transfersAt(tx.from, tx.nonce);
    if (tx.kind === 'cancel') voidSlot(effects, block, { tx, hash, index: position }, rows);
    else
      executeTransfer(
        effects,
        block,
        { tx, hash, code, index: position, loserIndex: transactions.length + position },
        rows,
      );
  }
  return effects;
}

function executeTransfer(
  effects: BlockEffects,
  block: Moment,
  {
    tx,
    hash,
    code,
    index,
    loserIndex,
  }: { tx: Transfer; hash: string; code: number; index: number; loserIndex: number },
  rows: readonly StoredTransfer[],
): void {
  const status = code === CODES.ok ? 'committed' : 'failed';
  const reason =
    code === CODES.ok ? undefined : code === CODES.insufficient_funds ? 'insufficient_funds' : 'below_opening_minimum';
  const same = rows.find((row) => isSamePayment(row, tx));
  if (same === undefined) effects.seen.push({ tx, hash, status, reason, index });
  else
    settle(effects, block, same, index, {
      status,
      reason,
      reasonHash: undefined,
      executedAs: same.hash === hash ? undefined : hash,
    });
  for (const row of rows) {
    if (row === same || row.status !== 'pending') continue;
    settle(effects, block, row, loserIndex, {
      status: 'failed',
      reason: 'superseded_by_payment',
      reasonHash: hash,
      executedAs: undefined,
    });
  }
}

function voidSlot(
  effects: BlockEffects,
  block: Moment,
  { tx, hash, index }: { tx: Cancel; hash: string; index: number },
  rows: readonly StoredTransfer[],
): void {
  if (rows.every((row) => row.status !== 'pending'))
    effects.voided.push({ from: tx.from, nonce: tx.nonce, hash: tx.txHash, index });
  for (const row of rows) {
    if (row.status !== 'pending') continue;
    settle(effects, block, row, index, { ...labelOfVoid(row, tx), reasonHash: hash, executedAs: undefined });
  }
}

/**
 * One fact on the chain has several names. A void is `cancelled` when a client requested it here, or when it was meant for this very
 * transfer and requested elsewhere; it is `expired` when only this service requested it, after the validity or the time to live. A void
 * that was meant for another transfer took the nonce from this one. A reason that this service requested stays the reason.
 */
function labelOfVoid(row: StoredTransfer, tx: Cancel): Pick<Settlement, 'status' | 'reason'> {
  if (row.cancelRequestedAtMs !== undefined) return { status: 'cancelled', reason: row.reason };
  if (row.expiryRequestedAtMs !== undefined) return { status: 'expired', reason: row.reason };
  if (tx.txHash === row.hash) return { status: 'cancelled', reason: undefined };
  return { status: 'failed', reason: 'superseded_by_void' };
}

function settle(
  effects: BlockEffects,
  block: Moment,
  transfer: StoredTransfer,
  index: number,
  outcome: Omit<Settlement, 'seq' | 'height' | 'blockTimeMs'>,
): void {
  if (transfer.status !== 'pending') {
    throw new ContradictionError(
      `block ${block.height} makes transfer ${transfer.hash} ${outcome.status}, but it is ${transfer.status} since block ${transfer.height}`,
    );
  }
  effects.settled.push({
    transfer,
    index,
    settlement: { seq: transfer.seq, height: block.height, blockTimeMs: block.timeMs, ...outcome },
  });
}
