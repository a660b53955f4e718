/**
 * What one block means for the rows of this gateway: which are settled and how, and which are new. Pure.
 *
 * Within one block a (sender, nonce) is used at most once, so each executed transaction decides its slot alone.
 */
import type { CommittedBlock } from '../../engine/port.ts';
import type { Cancel, Transaction, Transfer } from '../../ledger/index.ts';
import { CODES, isExecuted } from '../../ledger/index.ts';
import type { Settlement, StoredReason, StoredTransfer } from '../../store/index.ts';
import { isSamePayment } from '../same-payment.ts';

export interface BlockTransaction {
  /** Undefined when the bytes are no transaction: such bytes have no effect. */
  tx: Transaction | undefined;
  hash: string;
  code: number;
}

/** A transfer that nobody submitted here. */
export interface SeenTransfer {
  tx: Transfer;
  hash: string;
  status: 'committed' | 'failed';
  reason: StoredReason | undefined;
}

export interface BlockEffects {
  settled: { transfer: StoredTransfer; settlement: Settlement }[];
  seen: SeenTransfer[];
}

/** The store holds what the chain contradicts: a row that is settled in another way than the block says. */
export class ContradictionError extends Error {
  override readonly name: string = 'ContradictionError';
}

type Moment = Pick<CommittedBlock, 'height' | 'timeMs'>;

/** `transfersAt` gives the rows of a slot, whatever their status. */
export function effectsOfBlock(
  block: Moment,
  transactions: readonly BlockTransaction[],
  transfersAt: (from: string, nonce: number) => readonly StoredTransfer[],
): BlockEffects {
  const effects: BlockEffects = { settled: [], seen: [] };
  for (const { tx, hash, code } of transactions) {
    if (tx === undefined || !isExecuted(code) || tx.kind === 'governance') continue;
    const rows = transfersAt(tx.from, tx.nonce);
    if (tx.kind === 'cancel') voidSlot(effects, block, tx, hash, rows);
    else executeTransfer(effects, block, { tx, hash, code }, rows);
  }
  return effects;
}

function executeTransfer(
  effects: BlockEffects,
  block: Moment,
  { tx, hash, code }: { tx: Transfer; hash: string; code: number },
  rows: readonly StoredTransfer[],
): void {
  const status = code === CODES.ok ? 'committed' : 'failed';
  const reason = code === CODES.ok ? undefined : code === CODES.insufficient_funds ? 'insufficient_funds' : 'below_opening_minimum';
  const same = rows.find((row) => isSamePayment(row, tx));
  if (same === undefined) effects.seen.push({ tx, hash, status, reason });
  else settle(effects, block, same, { status, reason, reasonHash: undefined, executedAs: same.hash === hash ? undefined : hash });
  for (const row of rows) {
    if (row === same || row.status !== 'pending') continue;
    settle(effects, block, row, { status: 'failed', reason: 'superseded_by_payment', reasonHash: hash, executedAs: undefined });
  }
}

function voidSlot(effects: BlockEffects, block: Moment, tx: Cancel, hash: string, rows: readonly StoredTransfer[]): void {
  for (const row of rows) {
    if (row.status !== 'pending') continue;
    settle(effects, block, row, { ...labelOfVoid(row, tx), reasonHash: hash, executedAs: undefined });
  }
}

/**
 * One fact on the chain, several names. A void is `cancelled` when a client asked for it here, or when it was meant for
 * this very transfer and nobody here asked; `expired` when only this service asked, after the validity or the time to live. A void that
 * somebody meant for another transfer took the nonce from this one. What this service asked for stays the reason.
 */
function labelOfVoid(row: StoredTransfer, tx: Cancel): Pick<Settlement, 'status' | 'reason'> {
  if (row.cancelRequestedAtMs !== undefined) return { status: 'cancelled', reason: row.reason };
  if (row.expiryRequestedAtMs !== undefined) return { status: 'expired', reason: row.reason };
  if (tx.txHash === row.hash) return { status: 'cancelled', reason: undefined };
  return { status: 'failed', reason: 'superseded_by_void' };
}

function settle(effects: BlockEffects, block: Moment, transfer: StoredTransfer, outcome: Omit<Settlement, 'seq' | 'height' | 'blockTimeMs'>): void {
  if (transfer.status !== 'pending') {
    throw new ContradictionError(`block ${block.height} makes transfer ${transfer.hash} ${outcome.status}, but it is ${transfer.status} since block ${transfer.height}`);
  }
  effects.settled.push({ transfer, settlement: { seq: transfer.seq, height: block.height, blockTimeMs: block.timeMs, ...outcome } });
}
