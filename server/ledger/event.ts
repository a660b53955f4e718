/**
 * What a transaction did, as ABCI events for indexes and subscribers.
 *
 * Events are not hashed into a header, but two replicas that emit different ones confuse every index, so they are made here once.
 */
import type { Cancel, Governance, Transfer } from './transaction.ts';

export interface EventAttribute {
  readonly key: string;
  readonly value: string;
  /** Whether a node's index keeps it. */
  readonly index: boolean;
}

export interface LedgerEvent {
  readonly type: string;
  readonly attributes: readonly EventAttribute[];
}

function event(type: string, attributes: Readonly<Record<string, string | number | bigint>>): LedgerEvent {
  return { type, attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: String(value), index: true })) };
}

export function transferEvent(type: 'transfer' | 'transfer_failed', tx: Transfer): LedgerEvent {
  return event(type, { from: tx.from, to: tx.to, amount: tx.amount, nonce: tx.nonce });
}

export function cancelEvent(tx: Cancel): LedgerEvent {
  return event('cancel', { from: tx.from, nonce: tx.nonce, signer: tx.signer, txHash: tx.txHash });
}

export function governanceEvent(tx: Governance): LedgerEvent {
  return event('governance', { action: tx.action, subject: tx.subject, power: tx.power, sequence: tx.sequence, signer: tx.signer });
}
