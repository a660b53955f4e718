/**
 * ABCI events of a transaction, for indexes and subscribers.
 *
 * Events are not hashed into a header, but two replicas that emit different ones confuse every index, so they are made only here. They
 * follow from the transaction and its code alone, so a store keeps the code and makes the events again.
 */
import { CODES, isExecuted } from './codes.ts';
import type { Cancel, Governance, Transaction, Transfer } from './transaction.ts';

export interface EventAttribute {
  readonly key: string;
  readonly value: string;
  /** True when a node's index keeps it. */
  readonly index: boolean;
}

export interface LedgerEvent {
  readonly type: string;
  readonly attributes: readonly EventAttribute[];
}

type Value = string | number | bigint;

/** An attribute with several values is there once for each. */
export function event(type: string, attributes: Readonly<Record<string, Value | readonly Value[]>>): LedgerEvent {
  const each = Object.entries(attributes).flatMap(([key, values]) =>
    [values].flat().map((value) => attribute(key, String(value))),
  );
  return { type, attributes: each };
}

const attribute = (key: string, value: string): EventAttribute => ({ key, value, index: true });

function transferEvent(type: 'transfer' | 'transfer_failed', tx: Transfer): LedgerEvent {
  // By hand and not by `event`, which costs five times as much: there is one for nearly every transaction of a block.
  const attributes = [
    attribute('from', tx.from),
    attribute('to', tx.to),
    attribute('amount', String(tx.amount)),
    attribute('nonce', String(tx.nonce)),
  ];
  if (tx.reference !== undefined) attributes.push(attribute('reference', tx.reference));
  return { type, attributes };
}

function cancelEvent(tx: Cancel): LedgerEvent {
  return event('cancel', { from: tx.from, nonce: tx.nonce, signer: tx.signer, txHash: tx.txHash });
}

function governanceEvent(tx: Governance): LedgerEvent {
  const signers = tx.signatures.map(({ signer }) => signer);
  return event('governance', {
    action: tx.action,
    subject: tx.subject,
    power: tx.power,
    sequence: tx.sequence,
    signer: signers,
  });
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
