/**
 * What a transaction did, as ABCI events for indexes and subscribers.
 *
 * Events are not hashed into a header, but two replicas that emit different ones confuse every index, so they are made here and nowhere else.
 * They follow from the transaction and its code alone, so a store keeps the code and makes the events again.
 */
import { CODES, isExecuted } from './codes.ts';
import type { Cancel, Governance, Transaction, Transfer } from './transaction.ts';

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

type Value = string | number | bigint;

/** An attribute with several values is there once for each. */
export function event(type: string, attributes: Readonly<Record<string, Value | readonly Value[]>>): LedgerEvent {
  // Every transaction of every block comes by here, so without lists in between.
  const each: EventAttribute[] = [];
  for (const [key, values] of Object.entries(attributes)) {
    if (isList(values)) for (const value of values) each.push({ key, value: String(value), index: true });
    else each.push({ key, value: String(values), index: true });
  }
  return { type, attributes: each };
}

const isList = (values: Value | readonly Value[]): values is readonly Value[] => typeof values === 'object';

function transferEvent(type: 'transfer' | 'transfer_failed', tx: Transfer): LedgerEvent {
  return event(type, { from: tx.from, to: tx.to, amount: tx.amount, nonce: tx.nonce, ...(tx.reference !== undefined && { reference: tx.reference }) });
}

function cancelEvent(tx: Cancel): LedgerEvent {
  return event('cancel', { from: tx.from, nonce: tx.nonce, signer: tx.signer, txHash: tx.txHash });
}

function governanceEvent(tx: Governance): LedgerEvent {
  const signers = tx.signatures.map(({ signer }) => signer);
  return event('governance', { action: tx.action, subject: tx.subject, power: tx.power, sequence: tx.sequence, signer: signers });
}

const NONE: readonly LedgerEvent[] = [];

/** The events of a transaction that a block held with this code. A refused one did nothing, and so has none. */
export function eventsOf(tx: Transaction, code: number): readonly LedgerEvent[] {
  if (!isExecuted(code)) return NONE;
  switch (tx.kind) {
    case 'transfer':
      return [transferEvent(code === CODES.ok ? 'transfer' : 'transfer_failed', tx)];
    case 'cancel':
      return [cancelEvent(tx)];
    case 'governance':
      return [governanceEvent(tx)];
  }
}
